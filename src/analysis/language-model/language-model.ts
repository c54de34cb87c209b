/**
 * Client for the owner's language model: requests to `chat/completions` on an OpenAI-compatible server, with a deadline
 * and a size limit on the answer. The caller decides whether to retry.
 */
import type { Pool } from "undici";
import { z } from "zod";
import { quote } from "../../issue.ts";
import { retryAfterSeconds } from "../../outbound/retry-after.ts";

export interface ModelSettings {
  /** The API's base address, such as `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Empty if the server needs none. */
  readonly key: string;
  /** Deadline for the whole exchange. */
  readonly timeoutMs: number;
  readonly connections: number;
}

interface ModelRequest {
  readonly instruction: string;
  readonly question: string;
  /** JSON Schema for the answer. */
  readonly schema: object;
}

/** The outcome of a request. `reason` is part of a sentence for the owner. */
type ModelAnswer =
  | { readonly kind: "answered"; readonly content: string }
  /** This request got no usable answer; another one may. */
  | { readonly kind: "useless"; readonly reason: string }
  /** The same request may succeed later, after `waitMs` if the server specified a wait. */
  | { readonly kind: "busy"; readonly reason: string; readonly waitMs: number | undefined }
  /** No request will succeed until the owner changes something. */
  | { readonly kind: "closed"; readonly reason: string };

export interface LanguageModel {
  ask(request: ModelRequest): Promise<ModelAnswer>;
  close(): Promise<void>;
}

const MAX_ANSWER_BYTES = 256 * 1024;

/** Status codes for an unknown parameter or a request that is too long. */
const UNSUPPORTED_REQUEST = new Set([400, 413, 415, 422, 501]);
/** Connection errors that a retry may overcome. */
const TEMPORARY_ERRORS = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
]);

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const faultSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]),
});

/** Opens the client. Nothing is sent until the first request. */
export function openLanguageModel({ url, model, key, timeoutMs, connections }: ModelSettings): LanguageModel {
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/, "")}/chat/completions`;
  let opened: Promise<Pool> | undefined;
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  /** Whether the server supports structured output and a temperature; undefined until an answer shows it. */
  let supportsSchema: boolean | undefined;

  /** The connection pool, opened with the first request, so that an import without a model does not load undici. */
  function pool(): Promise<Pool> {
    const limits = { connections, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: MAX_ANSWER_BYTES };
    opened ??= import("undici").then(({ default: { Pool } }) => new Pool(origin, limits));
    return opened;
  }

  async function send(request: ModelRequest, withSchema: boolean): Promise<ModelAnswer & { readonly status?: number }> {
    const format = { type: "json_schema", json_schema: { name: "labels", strict: true, schema: request.schema } };
    const messages = [
      { role: "system", content: request.instruction },
      { role: "user", content: request.question },
    ];
    const body = { model, messages, stream: false, ...(withSchema && { temperature: 0, response_format: format }) };
    try {
      const connected = await pool();
      const response = await connected.request({
        path,
        method: "POST",
        headers: key === "" ? headers : { ...headers, Authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.body.text();
      return { ...read(response.statusCode, text, response.headers["retry-after"]), status: response.statusCode };
    } catch (error) {
      return failure(error as NodeJS.ErrnoException, timeoutMs);
    }
  }

  return {
    async ask(request) {
      const first = await send(request, supportsSchema !== false);
      if (supportsSchema !== undefined || !UNSUPPORTED_REQUEST.has(first.status ?? 200)) {
        if (first.kind === "answered") supportsSchema ??= true;
        return first;
      }
      const plain = await send(request, false);
      if (plain.kind === "answered") supportsSchema = false;
      return plain;
    },
    close: async () => {
      const connected = await opened?.catch(() => undefined); // every request has reported why it failed
      await connected?.destroy();
    },
  };
}

function read(status: number, text: string, retryAfter: string | string[] | undefined): ModelAnswer {
  if (status === 200) {
    const completion = completionSchema.safeParse(parse(text));
    const content = completion.data?.choices[0]?.message.content;
    return content === undefined
      ? { kind: "useless", reason: "its answer holds no completion" }
      : { kind: "answered", content };
  }
  const fault = faultSchema.safeParse(parse(text));
  const reply = fault.success ? `${status}, ${printable(quote(fault.data.error))}` : `${status}`;
  if (status === 429 || status === 408 || (status >= 500 && status !== 501)) {
    const seconds = retryAfterSeconds([retryAfter].flat()[0], new Date());
    return { kind: "busy", reason: `it answered ${reply}`, waitMs: seconds && seconds * 1000 };
  }
  if (UNSUPPORTED_REQUEST.has(status)) return { kind: "useless", reason: `it answered ${reply}` };
  const hint =
    status === 401 || status === 403
      ? "check ANALYZER_KEY"
      : status === 404
        ? "check ANALYZER_URL and ANALYZER_MODEL"
        : "check ANALYZER_URL";
  return { kind: "closed", reason: `it answered ${reply}: ${hint}` };
}

function failure(error: NodeJS.ErrnoException, timeoutMs: number): ModelAnswer {
  const { code = error.name } = error;
  if (error.name === "TimeoutError") {
    return { kind: "busy", reason: `it gave no answer within ${timeoutMs / 1000} s`, waitMs: undefined };
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return { kind: "useless", reason: `its answer was larger than ${MAX_ANSWER_BYTES / 1024} KiB` };
  }
  if (TEMPORARY_ERRORS.has(code)) return { kind: "busy", reason: `the connection broke (${code})`, waitMs: undefined };
  return { kind: "closed", reason: `it cannot be reached (${code}): check ANALYZER_URL` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes control characters, so that a server's message cannot change the owner's terminal. */
function printable(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f]/g, "?");
}
