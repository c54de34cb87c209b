/** Resources: the two datasets and every single review, at the addresses at which HTTP serves their like. */
import type { Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Edition } from "../edition/edition.ts";
import { JSON_TYPE } from "../edition/printing.ts";
import { invalidParams, type Outcome, RESOURCE_NOT_FOUND } from "./json-rpc.ts";

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

/** The list of resources. */
export function listResources(edition: Edition): Resource[] {
  return DATASETS.flatMap(({ path, ...rest }) => {
    const document = edition.document(path);
    if (document === undefined) return [];
    const lastModified = edition.revisedAt.toISOString();
    const { mediaType: mimeType, body } = document;
    return [{ uri: edition.baseUrl + path, ...rest, mimeType, size: body.byteLength, annotations: { lastModified } }];
  });
}

/** The list of templates: one review by its id. */
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

/** The template's address, by which completions refer to it. */
export function reviewTemplate({ baseUrl }: Edition): string {
  return `${baseUrl}/reviews/{id}`;
}

/** The JSON of one review with its analysis, or undefined when there is no such review. */
export function reviewJson(edition: Edition, id: string): string | undefined {
  const review = edition.review(id);
  return review && JSON.stringify({ review, analysis: edition.analysis(id) });
}

const readTexts = new WeakMap<Edition, Map<string, string>>();

/** Reads the resource at `uri`. */
export function readResource(edition: Edition, uri: unknown): Outcome {
  if (typeof uri !== "string") return invalidParams("uri must be a string");
  const path = uri.startsWith(edition.baseUrl) ? uri.slice(edition.baseUrl.length) : undefined;
  const text = path === undefined ? undefined : (datasetText(edition, path) ?? reviewText(edition, path));
  if (text === undefined) return { fault: { code: RESOURCE_NOT_FOUND, message: "Resource not found", data: { uri } } };
  return {
    result: `{"contents":[{"uri":${JSON.stringify(uri)},"mimeType":${JSON.stringify(JSON_TYPE)},"text":${text}}]}`,
  };
}

/** A dataset as a JSON string literal. Made at its first reading, for it may be large. */
function datasetText(edition: Edition, path: string): string | undefined {
  const document = DATASETS.some((dataset) => dataset.path === path) ? edition.document(path) : undefined;
  if (document === undefined) return undefined;
  const texts = readTexts.get(edition) ?? new Map<string, string>();
  readTexts.set(edition, texts);
  return texts.getOrInsertComputed(path, () => JSON.stringify(Buffer.from(document.body).toString("utf8")));
}

function reviewText(edition: Edition, path: string): string | undefined {
  const id = /^\/reviews\/([0-9A-Z]{26})$/.exec(path)?.[1];
  const json = id === undefined ? undefined : reviewJson(edition, id);
  return json === undefined ? undefined : JSON.stringify(json);
}
