/** A stand-in for an OpenAI-compatible server, on loopback: it remembers what it is asked and answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listening } from "./loopback.ts";

/** A request as the stand-in got it. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly instruction: string;
  /** What the user message says, as it came and read as JSON. */
  readonly message: string;
  readonly review: { readonly stars: number; readonly text: string };
  readonly response_format: { readonly type: string; readonly json_schema: { readonly schema: object } } | undefined;
  /** How many requests came before it. */
  readonly position: number;
}

/** Labels to answer with, or a whole answer, or none ever. */
export type Given =
  | { readonly labels: unknown }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | "silence"
  | "hang up";

export interface StandIn extends AsyncDisposable {
  /** Base address of its API. */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Resolves when so many requests have come. */
  reached(count: number): Promise<void>;
}

/** Starts the stand-in. `answer` says what is answered to each request. */
export async function openStandIn(answer: (asked: Asked) => Given | Promise<Given>): Promise<StandIn> {
  const asked: Asked[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy());
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as {
      readonly model: string;
      readonly messages: readonly { readonly content: string }[];
      readonly response_format?: Asked["response_format"];
    };
    const [instruction = "", message = ""] = body.messages.map(({ content }) => content);
    const one: Asked = {
      path: request.url ?? "",
      authorization: request.headers.authorization,
      model: body.model,
      instruction,
      message,
      review: JSON.parse(message) as Asked["review"],
      response_format: body.response_format,
      position: asked.length,
    };
    asked.push(one);
    for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
    const given = await answer(one);
    if (given === "silence") return;
    if (given === "hang up") return void response.destroy();
    if ("labels" in given) {
      const content = typeof given.labels === "string" ? given.labels : JSON.stringify(given.labels);
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
      return;
    }
    response.writeHead(given.status, given.headers);
    response.end(given.body);
  }

  const { port, ...listens } = await listening(server);
  return {
    ...listens,
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    reached(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      if (asked.length >= count) resolve();
      return promise;
    },
  };
}

/** Labels that say one aspect is praised or blamed in these words. */
export function labels(id: string, sentiment: string, evidence: string, whole = sentiment): object {
  return { sentiment: whole, aspects: [{ id, sentiment, evidence }], problems: [] };
}
