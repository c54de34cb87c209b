/** Reads `business.yaml` and reports all its faults at once, with their lines. */
import { type Document, isMap, isNode, isPair, LineCounter, type ParsedNode, parseDocument } from "yaml";
import type { z } from "zod";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { taxonomyNames } from "../store/taxonomy-files.ts";
import type { InputFile } from "./source/input-file.ts";
import { firstBytes, wholeText } from "./source/utf8-text.ts";

const HEAD_BYTES = 65_536;
const MEMBERS = Object.keys(businessFileSchema.shape);

/** Whether a file is a business file: YAML that the user named, or a text with a business's name and time zone. */
export async function isBusinessFile(file: InputFile): Promise<boolean> {
  const isYaml = /\.ya?ml$/i.test(file.name);
  if (isYaml && (file.named || /(^|[\\/!])business\.ya?ml$/i.test(file.name))) return true;
  const head = (await firstBytes(file, HEAD_BYTES)).toString("utf8");
  if (/^\s*[[{<]/.test(head) || head.includes("\0")) return false;
  const found = MEMBERS.filter((name) => new RegExp(`^${name}[ \\t]*:(\\s|$)`, "m").test(head));
  return found.includes("name") && (found.includes("time_zone") || (isYaml && found.length > 2));
}

/**
 * Reads the business that a file describes.
 * @throws Invalid with every fault, each message naming file and line.
 */
export async function readBusinessFile(file: InputFile): Promise<BusinessFile> {
  return parseBusinessFile(file.name, await wholeText(file));
}

/** Reads the business that a YAML text describes. Messages use `name` for the file. */
export function parseBusinessFile(name: string, text: string): BusinessFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const issue = (offset: number, path: readonly (string | number)[], message: string): Issue => {
    const { line } = lines.linePos(offset);
    return { code: "business", path: [name, line, ...path], message: `${name}:${line}: ${message}` };
  };
  if (document.errors.length > 0) {
    throw new Invalid(document.errors.map(({ pos, message }) => issue(pos[0], [], `is not valid YAML: ${message}`)));
  }
  if (!isMap(document.contents)) {
    throw new Invalid([
      issue(0, [], `must be a business: name, time_zone and so on, but is ${quote(document.toJS())}`),
    ]);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Invalid([issue(0, [], `is not valid YAML: ${(error as Error).message}`)]);
  }
  const parsed = businessFileSchema.safeParse(value);
  const at = (path: readonly PropertyKey[]) => offsetOf(document, path);
  const faults = parsed.success
    ? []
    : [...parsed.error.issues.flatMap((one) => explained(one, value)), ...repeatedIds(value)];
  const unique = new Map(faults.map((fault) => [`${fault.path.join()} ${fault.message}`, fault])).values();
  const issues = [...unique].map(({ path, message }) => issue(at(path), path, message));
  const { taxonomy } = value as { taxonomy?: unknown };
  if (typeof taxonomy === "string" && !taxonomyNames().includes(taxonomy)) {
    const message = `taxonomy is ${quote(taxonomy)}, but must be one of ${taxonomyNames().join(", ")}`;
    issues.push(issue(at(["taxonomy"]), ["taxonomy"], message));
  }
  if (!parsed.success || issues.length > 0)
    throw new Invalid(issues.toSorted((a, b) => Number(a.path[1]) - Number(b.path[1])));
  return parsed.data;
}

interface Explained {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Describes a schema fault: the member, its value, and what is allowed. */
function explained(issue: z.core.$ZodIssue, input: unknown): Explained[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const name = nameOf(path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: `${nameOf([...path, key])} is not known here` }));
  }
  const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], input);
  if (value === undefined || value === null) return [{ path, message: `${name} is missing` }];
  if (issue.code === "invalid_type" && issue.expected === "string" && typeof value !== "object") {
    return [{ path, message: `${name} is ${quote(value)}, but must be text: put it in quotation marks` }];
  }
  return [{ path, message: `${name} is ${quote(value)}${plainRule(issue)}` }];
}

/** Describes what is allowed, in the schema's own sentence if it has one. */
function plainRule(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `, but must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `, but must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" && issue.origin === "string") return ", but must not be empty";
  if (issue.code === "too_small" && issue.origin === "array") return ", but must have at least one entry";
  if (issue.code === "too_small" || issue.code === "too_big") {
    return `, but must be ${issue.code === "too_small" ? `${issue.minimum} or more` : `${issue.maximum} or less`}`;
  }
  if (issue.code === "invalid_format" && issue.format === "email")
    return ", but must be an address such as office@example.com";
  return `: ${issue.message}`;
}

/** Describes what a value of each type looks like in the file. */
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list, such as [a, b], or lines that begin with a hyphen",
  object: "a group of its own: lines below it, each indented, with a name, a colon and a value",
};

/** Finds duplicate ids, which the schema checks only in lists without other faults. */
function repeatedIds(value: unknown): Explained[] {
  const lists = { services: "service", technicians: "technician", service_areas: "service area" };
  return Object.entries(lists).flatMap(([list, label]) => {
    const entries: unknown = (value as Readonly<Record<string, unknown>>)[list];
    if (!Array.isArray(entries)) return [];
    const ids = entries.map((entry: unknown) => (entry as { id?: unknown } | null)?.id);
    return ids.flatMap((id, index): Explained[] => {
      if (typeof id !== "string" || ids.indexOf(id) === index) return [];
      const path = [list, index, "id"];
      return [{ path, message: `${nameOf(path)} is ${quote(id)}: ${label} id ${JSON.stringify(id)} is given twice` }];
    });
  });
}

/** `services[2].label` */
function nameOf(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

/** The position of a member in the text, or that of its nearest existing parent. */
function offsetOf(document: Document.Parsed<ParsedNode>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find((item) => isPair(item) && String(item.key) === String(key))
      : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
