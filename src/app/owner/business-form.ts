/**
 * business.yaml as the fields of a form, and back: comments, the order of its members, and what the form does not know
 * stay as they are.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import { type BusinessFile, UNNAMED_BUSINESS, WEEKDAYS } from "../../business.ts";
import { businessIn, readBusinessDocument } from "../../import/business-file.ts";
import { readSpan } from "../../import/opening-hours.ts";
import { Invalid, type Issue, quote } from "../../issue.ts";
import { businessYaml, completedAnswer, idOf } from "../init/business-answers.ts";

/** Members with one value, by their paths. */
export const VALUES = [
  "name",
  "category",
  "time_zone",
  "language",
  "telephone",
  "url",
  "email",
  "description",
  "address.street",
  "address.locality",
  "address.region",
  "address.postal_code",
  "address.country",
  "price_range",
  "summary",
  "location",
] as const;

/** Lists, an entry on each line: a label, and behind `=` what customers call it too. The member with the label. */
export const LISTS = { services: "label", technicians: "name", service_areas: "label" } as const;

/** Lists of words, an entry on each line. */
export const WORDS = ["verified_sources"] as const;

/** The fields by their names: paths of values, lists, and `hours.Monday`. */
export type BusinessFields = Readonly<Record<string, string>>;

type Group = Readonly<Record<string, unknown>>;

const NAME = "business.yaml";

/** The fields that a business.yaml gives; what is not there is empty, and so is all of a text that cannot be read. */
export function businessFields(text: string): BusinessFields {
  return readBusinessForm(text).fields;
}

/** A business.yaml as fields and as a business, or what is wrong with it. */
interface ReadForm {
  readonly fields: BusinessFields;
  readonly business: BusinessFile | undefined;
  readonly issues: readonly Issue[];
}

/** Reads a business.yaml once: of the worst text, the parser takes a second. */
export function readBusinessForm(text: string): ReadForm {
  let fields = fieldsOf({});
  try {
    const read = readBusinessDocument(NAME, text);
    fields = fieldsOf(contentOf(read.document));
    return { fields, business: businessIn(read), issues: [] };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { fields, business: undefined, issues: error.issues };
  }
}

/** The fields of a business. */
export function fieldsOf(value: Group): BusinessFields {
  const at = (path: string) =>
    path.split(".").reduce<unknown>((group, key) => (group as Group | undefined)?.[key], value);
  const list = (name: string) => (Array.isArray(value[name]) ? (value[name] as unknown[]) : []);
  return {
    ...Object.fromEntries(VALUES.map((path) => [path, wordOf(at(path))])),
    ...Object.fromEntries(
      Object.entries(LISTS).map(([name, label]) => [
        name,
        list(name)
          .map((entry) => lineOf(entry, label))
          .join("\n"),
      ]),
    ),
    ...Object.fromEntries(
      WORDS.map((name) => [name, (name in value ? list(name) : UNNAMED_BUSINESS[name]).map(wordOf).join("\n")]),
    ),
    ...Object.fromEntries(WEEKDAYS.map((day) => [`hours.${day}`, hoursOf(list("opening_hours"), day)])),
  };
}

/**
 * The text with the fields in it; a new one without a text. Fields that are missing stay as they are.
 * @throws Invalid for a text or opening hours that cannot be read; other faults are found when what it returns is read.
 */
export function withBusinessFields(text: string | undefined, fields: BusinessFields): string {
  const { name = "", category = "", time_zone = "" } = fields;
  const { document } = readBusinessDocument(
    NAME,
    text ??
      businessYaml({
        name,
        category: completedAnswer("category", category),
        time_zone: completedAnswer("time_zone", time_zone.trim()),
      }),
  );
  const before = businessFields(String(document));
  const contentBefore = contentOf(document);
  const faults: Issue[] = [];
  for (const path of VALUES) {
    const given = fields[path];
    if (given !== undefined && given.trim() !== before[path])
      setValue(document, path, completedAnswer(path, given.trim()));
  }
  for (const [name, label] of Object.entries(LISTS)) {
    const lines = linesOf(fields[name]);
    if (lines !== undefined && !isDeepStrictEqual(lines, linesOf(before[name])))
      setEntries(document, name, { label, lines });
  }
  for (const name of WORDS) {
    const lines = linesOf(fields[name]);
    if (lines === undefined || isDeepStrictEqual(lines, linesOf(before[name]))) continue;
    if (lines.length === 0) document.delete(name);
    else document.set(name, document.createNode(lines, { flow: true }));
  }
  setHours(document, { fields, before, faults });
  if (faults.length > 0) throw new Invalid(faults);
  if (text !== undefined && isDeepStrictEqual(contentOf(document), contentBefore)) return text;
  return document.toString({ lineWidth: 0 });
}

function contentOf(document: Document): Group {
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Group) : {};
}

function linesOf(text: string | undefined): string[] | undefined {
  return text?.split(/\r?\n/).flatMap((line) => line.trim() || []);
}

/** A value as a field shows it: a group in its place is none. */
function wordOf(value: unknown): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** `AC repair = air conditioner repair, cooling` */
function lineOf(entry: unknown, label: string): string {
  const { [label]: name, aliases = [] } = (entry ?? {}) as Group;
  const others = Array.isArray(aliases) ? aliases : [aliases];
  return others.length === 0 ? wordOf(name) : `${wordOf(name)} = ${others.map(wordOf).join(", ")}`;
}

function setValue(document: Document, path: string, value: string): void {
  const keys = path.split(".");
  const node: unknown = document.getIn(keys, true);
  if (value !== "") {
    if (isScalar(node)) node.value = value;
    else document.setIn(keys, value);
    return;
  }
  if (document.hasIn(keys)) document.deleteIn(keys);
  const group: unknown = keys.length > 1 ? document.get(keys[0]) : undefined;
  if (isMap(group) && group.items.length === 0) document.delete(keys[0]);
}

/** Replaces the entries of a list. An entry keeps its id and its comments while its label or its place stays. */
function setEntries(
  document: Document,
  name: string,
  { label, lines }: { readonly label: string; readonly lines: readonly string[] },
): void {
  const list: unknown = document.get(name);
  const nodes = isSeq(list) ? list.items.filter((item): item is YAMLMap => isMap(item)) : [];
  const wanted = lines.map((line) => {
    const [text = "", others = ""] = line.split(/(?<!\s)\s+=\s+/);
    return { text: text.trim(), aliases: others.split(",").flatMap((alias) => alias.trim() || []) };
  });
  const labelOf = (node: YAMLMap | undefined) => String(node?.get(label) ?? "");
  const kept = wanted.map(({ text }) => nodes.find((node) => labelOf(node) === text));
  const free = (node: YAMLMap | undefined) => (node === undefined || kept.includes(node) ? undefined : node);
  const ids = new Set(kept.flatMap((node) => (node === undefined ? [] : String(node.get("id")))));
  const entries = wanted.map(({ text, aliases }, place) => {
    const node = kept[place] ?? (wanted.length === nodes.length ? free(nodes[place]) : undefined);
    if (node === undefined) {
      const id = uniqueId(idOf(text), ids);
      return document.createNode({ id, [label]: text, ...(aliases.length > 0 && { aliases }) }, { flow: true });
    }
    ids.add(String(node.get("id")));
    if (labelOf(node) !== text) node.set(label, text);
    const before: unknown = (node.toJSON() as Group).aliases ?? [];
    if (aliases.length === 0) node.delete("aliases");
    else if (!isDeepStrictEqual(before, aliases)) node.set("aliases", document.createNode(aliases, { flow: true }));
    return node;
  });
  replaceItems(document, name, entries);
}

function uniqueId(base: string, ids: Set<string>): string {
  let id = base;
  for (let count = 2; ids.has(id); count += 1) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

/** Replaces the items of a list in the file; without any, the list is deleted. */
export function replaceItems(document: Document, name: string, items: readonly Node[]): void {
  const list: unknown = document.get(name);
  if (items.length === 0) return void document.delete(name);
  if (isSeq(list)) list.items = [...items];
  else {
    const made = document.createNode([]) as YAMLSeq;
    made.items = [...items];
    document.set(name, made);
  }
}

/** `08:00–12:00, 13:00–17:00`; empty for a day that is closed. */
function hoursOf(entries: readonly unknown[], day: string): string {
  const spans = entries.flatMap((entry) => {
    const { days, opens, closes } = (entry ?? {}) as Group;
    return Array.isArray(days) && days.includes(day) ? [`${wordOf(opens)}–${wordOf(closes)}`] : [];
  });
  return spans.join(", ");
}

/** Times in quotation marks: older programs read others as numbers. */
function hoursNode(document: Document, entry: Group): Node {
  const node = document.createNode(entry, { flow: true }) as YAMLMap;
  for (const { value } of node.items) if (isScalar(value)) value.type = "QUOTE_DOUBLE";
  return node;
}

/** `1-5` behind `8-12` is in the afternoon. Undefined where that is no time behind `end` either. */
function inTheAfternoon({ opens, closes }: Span, end: string): Span | undefined {
  const later = (time: string) => `${Number(time.slice(0, 2)) + 12}${time.slice(2)}`;
  const from = later(opens);
  const to = closes > from || closes < opens ? closes : later(closes); // `1 - 5 pm` has said it
  return from >= end && from < "24:00" && to <= "24:00" ? { opens: from, closes: to } : undefined;
}

type Span = NonNullable<ReturnType<typeof readSpan>>;

/** Sets the opening hours if a day has others now: days with the same hours are one entry. */
function setHours(
  document: Document,
  given: { readonly fields: BusinessFields; readonly before: BusinessFields; readonly faults: Issue[] },
): void {
  const { fields, before, faults } = given;
  const days = WEEKDAYS.map((day) => ({ day, text: fields[`hours.${day}`]?.trim() ?? before[`hours.${day}`] ?? "" }));
  if (days.every(({ day, text }) => text === before[`hours.${day}`])) return;
  const entries = new Map<string, { readonly opens: string; readonly closes: string; readonly days: string[] }>();
  for (const { day, text } of days) {
    const isClosed = /^(?:closed|geschlossen|-|–)?$/i.test(text);
    const isNew = text !== before[`hours.${day}`];
    let end = "";
    for (const part of isClosed ? [] : text.split(/(?:(?<!\s)\s+)?(?:,|;|&|\+|\bund\b|\band\b)\s*/i)) {
      const read = readSpan(part);
      const span = read && isNew && read.opens < end ? (inTheAfternoon(read, end) ?? read) : read;
      if (span === undefined) {
        const message = `${quote(text)} are no opening hours: write them as 08:00–17:00, or 08:00–12:00, 13:00–17:00; empty for a day on which you are closed`;
        faults.push({ code: "business", path: ["business.yaml", 0, `hours.${day}`], message });
        break;
      }
      end = span.closes;
      const key = `${span.opens} ${span.closes}`;
      const entry = entries.get(key) ?? { ...span, days: [] };
      entry.days.push(day);
      entries.set(key, entry);
    }
  }
  if (faults.length > 0) return;
  const list: unknown = document.get("opening_hours");
  const nodes = isSeq(list) ? list.items : [];
  const items = [...entries.values()].map(({ days: open, opens, closes }) => {
    const same = nodes.find((node) => isMap(node) && isDeepStrictEqual(node.toJSON(), { days: open, opens, closes }));
    return (same as Node | undefined) ?? hoursNode(document, { days: open, opens, closes });
  });
  replaceItems(document, "opening_hours", items);
}
