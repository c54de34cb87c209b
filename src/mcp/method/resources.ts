/** The resources: the two datasets and each review, at their HTTP addresses. */
import type { Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Document } from "../../edition/document.ts";
import { JSON_TYPE } from "../../edition/document.ts";
import type { Edition } from "../../edition/edition.ts";
import { invalidParams, type Outcome, RESOURCE_NOT_FOUND } from "../message/json-rpc.ts";

const DATASETS = [
  {
    path: "/reviews.json",
    name: "reviews",
    title: "All reviews",
    description: "The business, its aggregate rating, and every verified review, newest first.",
  },
  {
    path: "/insights.json",
    name: "insights",
    title: "Insights",
    description:
      "What the reviews say together: aspects, technicians, services, topics, months, and the analysis of each review.",
  },
] as const;

/** Lists the resources. */
export function listResources(edition: Edition): Resource[] {
  return DATASETS.flatMap(({ path, ...rest }) => {
    const document = edition.document(path);
    if (document === undefined) return [];
    const lastModified = edition.revisedAt.toISOString();
    const { mediaType: mimeType, body } = document;
    return [{ uri: edition.baseUrl + path, ...rest, mimeType, size: body.byteLength, annotations: { lastModified } }];
  });
}

/** Lists the templates: one review by its id. */
export function listTemplates(edition: Edition): ResourceTemplateType[] {
  return [
    {
      uriTemplate: reviewTemplate(edition),
      name: "review",
      title: "One review",
      description: "One verified review and its analysis, by the review's id.",
      mimeType: JSON_TYPE,
    },
  ];
}

/** A review's URI template; completions refer to it. */
export function reviewTemplate({ baseUrl }: Edition): string {
  return `${baseUrl}/reviews/{id}`;
}

/** One review with its analysis as JSON; undefined if no review has that id. */
export function reviewJson(edition: Edition, id: string): string | undefined {
  const review = edition.review(id);
  return review && JSON.stringify({ review, analysis: edition.analysis(id) });
}

/** Reads the resource at `uri`. */
export function readResource(edition: Edition, uri: unknown): Outcome {
  if (typeof uri !== "string") return invalidParams("uri must be a string");
  const path = uri.startsWith(edition.baseUrl) ? uri.slice(edition.baseUrl.length) : "";
  const start = `{"contents":[{"uri":${JSON.stringify(uri)},"mimeType":${JSON.stringify(JSON_TYPE)},"text":`;
  const dataset = DATASETS.some((one) => one.path === path) ? edition.document(path) : undefined;
  if (dataset !== undefined) return { result: start, rest: literal(dataset) };
  const text = reviewText(edition, path);
  if (text === undefined) return { fault: { code: RESOURCE_NOT_FOUND, message: "Resource not found", data: { uri } } };
  return { result: `${start}${text}${CONTENTS_END}` };
}

const CONTENTS_END = "}]}";
const CHUNK_BYTES = 64 * 1024;

/**
 * A dataset as a JSON string literal in chunks, followed by the end of the contents. Each chunk is generated when it is
 * read, because the dataset may be large.
 */
function* literal(document: Document): Generator<Uint8Array> {
  const { body } = document;
  yield Buffer.from('"');
  for (let start = 0; start < body.byteLength; start += CHUNK_BYTES) {
    yield escaped(body.subarray(start, start + CHUNK_BYTES));
  }
  yield Buffer.from(`"${CONTENTS_END}`);
}

/**
 * Escapes bytes of a JSON text for a string literal. No byte of a multi-byte UTF-8 sequence is a character that must be
 * escaped, so any run of bytes can be escaped independently.
 */
function escaped(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(JSON.stringify(text).slice(1, -1), "latin1");
}

function reviewText(edition: Edition, path: string): string | undefined {
  const id = /^\/reviews\/([0-9A-Z]{26})$/.exec(path)?.[1];
  const json = id === undefined ? undefined : reviewJson(edition, id);
  return json === undefined ? undefined : JSON.stringify(json);
}
