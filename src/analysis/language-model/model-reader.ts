/** Asks the language model about one review; retries if the server is busy, and once after an unusable answer. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Taxonomy } from "../../insight/taxonomy/taxonomy.ts";
import type { TextAnalysis } from "../../insight/text-analysis.ts";
import type { LanguageModel } from "./language-model.ts";
import { answerSchema, instruction, question, readAnswer } from "./model-prompt.ts";

/** The reason for a missing analysis; `isOver` if later requests would fail too. */
export interface NoReading {
  readonly reason: string;
  readonly isOver: boolean;
}

export type Reader = (review: {
  readonly text: string;
  readonly rating: number;
}) => Promise<{ readonly analysis: TextAnalysis } | NoReading>;

const MAX_WAIT_MS = 60_000;

/** Makes a reader for a trade's reviews. `retryWaitsMs` are the waits if the server specifies none. */
export function makeReader(door: LanguageModel, taxonomy: Taxonomy, retryWaitsMs: readonly number[]): Reader {
  const schema = answerSchema(taxonomy);
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema);
  const told = instruction(taxonomy);

  return async (review) => {
    const request = { instruction: told, question: question(review.text, review.rating), schema: jsonSchema };
    for (let [busy, useless] = [0, 0]; ; ) {
      const answer = await door.ask(request);
      if (answer.kind === "closed") return { reason: answer.reason, isOver: true };
      if (answer.kind === "busy") {
        const { reason, waitMs = retryWaitsMs[busy] ?? 0 } = answer;
        if (waitMs > MAX_WAIT_MS) {
          return { reason: `${reason} and asks to wait ${Math.ceil(waitMs / 1000)} s`, isOver: true };
        }
        busy += 1;
        if (busy > retryWaitsMs.length) return { reason, isOver: false };
        await wait(waitMs);
        continue;
      }
      const analysis =
        answer.kind === "answered" ? readAnswer(answer.content, review, { schema, taxonomy }) : undefined;
      if (analysis !== undefined) return { analysis };
      useless += 1;
      const reason = answer.kind === "useless" ? answer.reason : "its answer was not of the schema asked for";
      if (useless > 1) return { reason, isOver: false };
    }
  };
}
