/**
 * Cache keys for a language model's analyses. A key depends on the text, the stars, the model and the whole prompt,
 * which is determined by the instruction's version and the taxonomy's subjects.
 */
import { createHash } from "node:crypto";

/** Raised with every change to the instruction or to what is kept of an answer, so that all texts are analysed again. */
export const INSTRUCTION_VERSION = 3;

/**
 * The part of a taxonomy that the prompt contains. It omits the lexicon's patterns, so that changes to them do not
 * cause new requests.
 */
export interface Subjects {
  readonly label: string;
  readonly aspects: readonly { readonly id: string; readonly label: string; praised_for: string; blamed_for: string }[];
  /** Which aspects of an answer count as other ones. */
  readonly countsAs?: Readonly<Record<string, string>>;
  readonly problems: readonly { readonly id: string; readonly label: string }[];
}

/** Identifies a model and its instruction: 16 hexadecimal digits. */
export function analyserId(model: string, { label, aspects, countsAs, problems }: Subjects): string {
  const promptParts = [
    INSTRUCTION_VERSION,
    model,
    label,
    aspects.map(({ id, label, praised_for, blamed_for }) => [id, label, praised_for, blamed_for]),
    problems.map(({ id, label }) => [id, label]),
    ...(countsAs === undefined ? [] : [countsAs]),
  ];
  return sha256(JSON.stringify(promptParts)).slice(0, 16);
}

/** The cache key for an analysis: `TEXT.ANALYSER`. The part before the dot depends on text and stars alone. */
export function modelAnalysisKey(text: string, rating: number, analyser: string): string {
  return `${textKey(text, rating)}.${analyser}`;
}

/** The part of the cache key that is the same for all models. */
export function textKey(text: string, rating: number): string {
  return sha256(`${rating}\0${text}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
