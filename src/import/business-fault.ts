/** Explains the faults of a business.yaml to its owner: what is wrong, with what value, and what to write instead. */
import type { YAMLParseError } from "yaml";
import type { z } from "zod";
import { businessFileSchema } from "../business.ts";
import { quote } from "../issue.ts";
import { hoursAdvice, TIME_RULE } from "./opening-hours.ts";

/** One fault: the path to the member, and a sentence. */
export interface Explained {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** `services[2].label` */
export function nameOf(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

export const TOO_DEEP = "too many brackets or groups stand inside one another. Take out those that do not belong here";

/** Explains a fault of the YAML itself; `text` is the whole file. */
export function explainYaml({ code, pos, message }: YAMLParseError, text: string): string {
  const rest = text.slice(pos[0]).split(/[\r\n]/)[0] ?? "";
  switch (code) {
    case "TAB_AS_INDENT":
      return "the line begins with a tab. Put spaces in its place";
    case "DUPLICATE_KEY":
      return `${quote(rest.split(":")[0]?.trim())} is given twice. Keep one of them`;
    case "BAD_INDENT":
      if (message.startsWith("Flow")) return "a bracket is opened and not closed, here or above";
      return "the line is indented differently from the lines that it belongs to. Begin the lines of one group in the same column";
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return 'there is a colon too many, or the next line is indented although nothing begins a group here. Put a text that holds a colon in quotation marks: name: "Smith: Sons"';
    case "MISSING_CHAR":
      return /"|'|quote/.test(message)
        ? "a quotation mark is opened and not closed, here or above"
        : "a bracket is opened and not closed, a comma or colon is missing, or the line does not begin in the column of its group, here or above";
    case "BAD_SCALAR_START":
      return `a text may not begin with ${quote(rest[0])}. Put the text in quotation marks`;
    case "BAD_ALIAS":
      return "a text that begins with * means something else in YAML. Put the text in quotation marks";
    case "UNEXPECTED_TOKEN":
      return `${rest === "" ? "something" : quote(rest)} stands where nothing may follow. Put a text that holds quotation marks or brackets in double quotation marks as a whole`;
    case "RESOURCE_EXHAUSTION":
      return TOO_DEEP;
    case "MULTIPLE_DOCS":
      return "the line --- begins a second document. Take it out";
    default:
      return message;
  }
}

/**
 * Explains a fault that the schema found: the member, its value, and what is allowed. `source`: its text in the file.
 */
export function explainFault(
  issue: z.core.$ZodIssue,
  input: unknown,
  source: (path: readonly (string | number)[]) => string | undefined,
): Explained[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const hours = explainHours(path, input, source);
  if (hours !== undefined) return [hours];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: explainUnknown([...path, key]) }));
  }
  const value = valueAt(input, path);
  const name = nameOf(path);
  if (value === undefined) return [{ path, message: `${name} is missing${exampleOf(path)}` }];
  if (value === null)
    return [
      { path, message: `${name} is empty${exampleOf(path)}. A text that begins with # or & needs quotation marks` },
    ];
  if (issue.code === "invalid_type" && issue.expected === "string" && typeof value !== "object") {
    const written = source(path) ?? String(value);
    const rule = { every: "an interval such as 6h", opens: OPENS, closes: OPENS }[String(path.at(-1))];
    if (rule !== undefined) return [{ path, message: `${name} is ${written}, but must be ${rule}` }];
    return [
      {
        path,
        message: `${name} is ${written}, but must be text: put it in quotation marks, ${JSON.stringify(written)}`,
      },
    ];
  }
  return [{ path, message: `${name} is ${quote(value)}${plainRule(issue, path, value)}` }];
}

/** Explains opening hours whose meaning is clear although they are written otherwise: what to write instead. */
function explainHours(
  path: readonly (string | number)[],
  input: unknown,
  source: (path: readonly (string | number)[]) => string | undefined,
): Explained | undefined {
  if (path[0] !== "opening_hours") return undefined;
  const advice = hoursAdvice(valueAt(input, ["opening_hours"]), path, source(path));
  if (advice === undefined) return undefined;
  const { at, rule } = advice;
  const value = valueAt(input, at);
  const shown = typeof value === "number" ? (source(at) ?? String(value)) : quote(value);
  return { path: at, message: `${nameOf(at)} is ${shown}, but ${rule}` };
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], input);
}

/** What is allowed, in the schema's own sentence if it has one. */
function plainRule(issue: z.core.$ZodIssue, path: readonly (string | number)[], value: unknown): string {
  if (issue.code === "invalid_type") {
    if (issue.expected === "array") return `, but must be a list${listOf(path, value)}`;
    if (issue.expected === "object") return `, but must be ${groupOf(path, value)}`;
    return `, but must be ${TYPES[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") return `, but must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" && issue.origin === "string") return ", but must not be empty";
  if (issue.code === "too_small" && issue.origin === "array") return ", but must have at least one entry";
  if (issue.code === "too_small" || issue.code === "too_big") {
    return `, but must be ${issue.code === "too_small" ? `${issue.minimum} or more` : `${issue.maximum} or less`}`;
  }
  if (issue.code === "invalid_format" && issue.format === "email")
    return ", but must be an address such as office@example.com";
  if (issue.code === "invalid_format" && issue.format === "url" && /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(String(value)))
    return `: ${issue.message.replace(/https:\/\/example\.com$/, `https://${String(value)}`)}`;
  if (path.at(-1) === "time_zone") return `: ${issue.message}${zonesLike(String(value))}`;
  return `: ${issue.message}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
};

const OPENS = `${TIME_RULE}, such as "08:00"`;
const HOURS = '{ days: [Monday, Tuesday], opens: "08:00", closes: "17:00" }';
const PLACE = '{ street: 1 Main St, locality: Springfield, region: IL, postal_code: "62701", country: US }';

/** How each group is written, by its name. */
const GROUPS: Readonly<Record<string, string>> = {
  address: PLACE,
  geo: "{ latitude: 39.8, longitude: -89.6 }",
  opening_hours: HOURS,
  services: "{ id: ac-repair, label: AC repair }",
  service_areas: "{ id: springfield, label: Springfield }",
  technicians: "{ id: dana, name: Dana Keller }",
  sources: "{ url: https://example.com/reviews.csv, every: 6h }",
  header: "{ name: Authorization, from_env: KEY_REVIEWS }",
  notices: "{ to: mailto:office@example.com, when: [poor, trouble], digest: weekly }",
};

/** An example line for a required member. */
function exampleOf(path: readonly (string | number)[]): string {
  const examples: Readonly<Record<string, string>> = {
    name: "name: Northside Cooling",
    time_zone: "time_zone: America/Chicago",
  };
  if (path.length === 1) {
    const example = examples[String(path[0])];
    return example === undefined ? "" : `: add a line such as ${example}`;
  }
  const group = GROUPS[String(path.findLast((key, index) => typeof key === "string" && index < path.length - 1))];
  return group === undefined ? "" : `: an entry looks like ${group}`;
}

/** `: write same_as: [https://example.com]` */
function listOf(path: readonly (string | number)[], value: unknown): string {
  const key = String(path.at(-1));
  const group = path.length === 1 ? GROUPS[key] : undefined;
  if (group !== undefined) return `, each line with a hyphen before it: - ${group}`;
  return typeof value === "object" ? ", such as [a, b]" : `: write ${key}: [${String(value)}]`;
}

/** Shows how a group is written, containing the value if its place is obvious. */
function groupOf(path: readonly (string | number)[], value: unknown): string {
  const name = String(path.findLast((key) => typeof key === "string"));
  if (typeof value === "string") {
    const id =
      value
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "") || "id";
    const label = JSON.stringify(value);
    if (name === "technicians") return `written with an id and a name: { id: ${id}, name: ${label} }`;
    if (name === "services" || name === "service_areas")
      return `written with an id and a label: { id: ${id}, label: ${label} }`;
    if (name === "sources") return `written with its parts: { url: ${value}, every: 6h }`;
    if (name === "notices") return `written with its parts: { to: ${value} }`;
  }
  return `written with its parts, such as ${GROUPS[name] ?? "name: value"}`;
}

/** Time zones of the city with that name. */
function zonesLike(word: string): string {
  const city = word.trim().toLowerCase().replaceAll(" ", "_");
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => zone.toLowerCase().endsWith(`/${city}`));
  return zones.length === 0 ? "" : `. Do you mean ${zones.join(" or ")}?`;
}

/** Other words for members, as people write them. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...{ phone: "telephone", tel: "telephone", website: "url", homepage: "url", web: "url", site: "url", mail: "email" },
  ...{ hours: "opening_hours", logo: "logo_url", colour: "color", timezone: "time_zone", zone: "time_zone" },
  ...{ areas: "service_areas", staff: "technicians", employees: "technicians", people: "technicians" },
  ...{ lat: "latitude", lon: "longitude", lng: "longitude", city: "locality", town: "locality", state: "region" },
  ...{ zip: "postal_code", zipcode: "postal_code", postcode: "postal_code", alias: "aliases", title: "name" },
  ...{ notice: "notices", notifications: "notices", secret: "secret_env", on: "when" },
  ...{ interval: "every", address: "url", env: "from_env", open: "opens", close: "closes", day: "days" },
};

function explainUnknown(path: readonly (string | number)[]): string {
  const key = String(path.at(-1));
  const plain = key.toLowerCase().replaceAll(/[^a-z]/g, "");
  const known = membersAt(path.slice(0, -1));
  const meant =
    known.find((name) => name.replaceAll("_", "") === plain) ??
    known.find((name) => name === OTHER_WORDS[plain]) ??
    known.find((name) => isNear(name.replaceAll("_", ""), plain));
  const hint = meant === undefined ? `. Known here: ${known.join(", ")}` : `. Do you mean ${meant}?`;
  return `${nameOf(path)} is not known here${hint}`;
}

/** The members that a group may have: those of the schema at its path. */
function membersAt(path: readonly (string | number)[]): string[] {
  let schema: unknown = businessFileSchema;
  for (const key of path) {
    schema = inner(schema);
    schema = typeof key === "number" ? (schema as z.ZodArray).element : (schema as z.ZodObject).shape[key];
  }
  return Object.keys((inner(schema) as z.ZodObject).shape ?? {});
}

/** The schema without wrappers for optional members. */
function inner(schema: unknown): unknown {
  let at = schema as { def?: { innerType?: unknown; type?: string } };
  while (at.def?.innerType !== undefined) at = at.def.innerType as typeof at;
  return at;
}

/** Whether two words differ by one letter: put in, left out, or another. */
function isNear(a: string, b: string): boolean {
  if (a.length < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
