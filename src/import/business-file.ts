/**
 * Reads `business.yaml`, and reports all its faults at once, with their lines. An import reads it first, because
 * the dates of all reviews depend on its time zone.
 */
import { isDeepStrictEqual } from "node:util";
import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  visit,
  YAMLParseError,
} from "yaml";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import { taxonomyNames } from "../insight/taxonomy/taxonomy-files.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { ownWords } from "../lib/own-words.ts";
import { type Explained, explainFault, explainYaml, nameOf, TOO_DEEP } from "./business-fault.ts";
import type { ImportCounts } from "./import-counts.ts";
import type { InputFile } from "./input/input-file.ts";
import { firstBytes, wholeText } from "./input/utf8-text.ts";

const HEAD_BYTES = 65_536;
/** A business with 3,000 areas has some 150 KB; of the worst text, the parser takes four seconds for three times this. */
const MAX_CHARACTERS = 256_000;
/** Faults of syntax that are explained: each is looked for in the whole text. */
const MAX_SYNTAX_FAULTS = 20;
const MEMBERS = Object.keys(businessFileSchema.shape);

/** Why a file that describes a business decides nothing where it is, and what to do if it should. */
export const MISPLACED_BUSINESS = ownWords`describes a business and is passed over: a business file counts only if you name its own path, as a .yaml file, or as the business.yaml at the top of a folder that you name. If you wrote it, import it by its own path`;

/** Whether a file seems to describe a business, by its name or content. It counts only by its place. */
export async function seemsBusinessFile(file: InputFile): Promise<boolean> {
  if (/(^|[\\/!])business\.ya?ml$/i.test(file.name)) return true;
  const head = (await firstBytes(file, HEAD_BYTES)).toString("utf8");
  if (/^\s*[[{<]/.test(head) || head.includes("\0")) return false;
  const found = MEMBERS.filter((name) => new RegExp(`^${name}[ \\t]*:(\\s|$)`, "m").test(head));
  return found.includes("name") && (found.includes("time_zone") || (/\.ya?ml$/i.test(file.name) && found.length > 2));
}

/** A business and the file that describes it. */
export interface ImportedBusiness {
  readonly file: InputFile;
  readonly business: BusinessFile;
}

/** Reads the business that the business files describe; undefined without such a file. */
export async function readImportedBusiness(
  files: readonly InputFile[],
  counts: ImportCounts,
): Promise<ImportedBusiness | undefined> {
  const found: ImportedBusiness[] = [];
  for (const file of files) {
    try {
      found.push({ file, business: await readBusinessFile(file) });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      counts.refuseFile(error.issues);
    }
  }
  const [first, ...others] = found;
  for (const { file, business } of others) {
    if (isDeepStrictEqual(business, first?.business)) continue;
    const message = `${file.name} describes another business than ${first?.file.name}, but a run imports one`;
    counts.refuseFile([{ code: "business", path: [file.name], message }]);
  }
  return first;
}

/**
 * Reads the business that a file describes.
 * @throws Invalid with every fault, each message naming file and line.
 */
async function readBusinessFile(file: InputFile): Promise<BusinessFile> {
  return parseBusinessFile(file.name, await wholeText(file));
}

/**
 * Reads the YAML of a description of a business, which may be anybody's, in time that grows with it.
 * @throws Invalid if it is none, or more than one has.
 */
export function readBusinessDocument(name: string, text: string) {
  if (text.length > MAX_CHARACTERS) {
    const message = `${name} has more than ${MAX_CHARACTERS / 1000} KB, the most that a description of a business may have. Take out what does not belong here`;
    throw new Invalid([{ code: "size", path: [name], message }]);
  }
  const marks = tooManyMarks(text);
  if (marks !== undefined) {
    const line = text.slice(0, marks.offset).split("\n").length;
    const plain = ownWords`line ${line}: its description of a business is not valid`;
    throw new Invalid([{ code: "business", path: [name, line], message: `${name}:${line}: ${marks.message}`, plain }]);
  }
  const lines = new LineCounter();
  const document = parseYaml(text, lines);
  const issue = (offset: number, path: readonly (string | number)[], message: string): Issue => {
    const { line } = lines.linePos(offset);
    const plain = ownWords`line ${line}: its description of a business is not valid`;
    return { code: "business", path: [name, line, ...path], message: `${name}:${line}: ${message}`, plain };
  };
  const large = checkMembers(document);
  if (large !== undefined) throw new Invalid([issue(large.offset, [], large.message)]);
  if (document.errors.length > 0) {
    const faults = document.errors
      .slice(0, MAX_SYNTAX_FAULTS)
      .map((error) => issue(error.pos[0], [], explainYaml(error, text)));
    throw new Invalid([...new Map(faults.map((fault) => [fault.message, fault])).values()]);
  }
  /** YAML reads a text that begins with * as a reference to an anchor (&). */
  const explainAlias = ({ message }: Error): Issue => {
    const name = /: (\S+)$/.exec(message)?.[1];
    const offset = name === undefined ? -1 : text.indexOf(`*${name}`);
    if (offset === -1) return issue(0, [], TOO_MANY_ALIASES);
    return issue(offset, [], `a text may not begin with "*". Put the text in quotation marks`);
  };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { document, value, issue };
  } catch (error) {
    throw new Invalid([explainAlias(error as Error)]);
  }
}

/**
 * Where there are more references or types, or more open brackets, than in any description: each costs the parser as much
 * as a page of words.
 */
function tooManyMarks(text: string): { readonly offset: number; readonly message: string } | undefined {
  const counts = { "*": 0, "&": 0, "!": 0 };
  let [offset, depth] = [0, 0];
  let isText = false; // what follows SCALAR is one, whatever it begins with
  for (const lexeme of new Lexer().lex(text)) {
    const mark = isText ? "" : lexeme[0];
    if ((mark === "*" || mark === "&" || mark === "!") && ++counts[mark] > MAX_MARKS)
      return { offset, message: mark === "!" ? TOO_MANY_TYPES : TOO_MANY_ALIASES };
    if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return { offset, message: TOO_DEEP };
    isText = lexeme === SCALAR;
    if (!WITHOUT_TEXT.has(lexeme)) offset += lexeme.length;
  }
  return undefined;
}

/** Lexemes of yaml that stand for no characters of the text: the begin of a document, the end of a list, a scalar. */
const SCALAR = "\x1f";
const WITHOUT_TEXT = new Set(["\x02", "\x18", SCALAR]);

/** Parses YAML, of which the first document counts. */
function parseYaml(text: string, lines: LineCounter): Document.Parsed {
  // yaml's own look for keys that are given twice takes minutes for a megabyte of them.
  const composer = new Composer({ prettyErrors: false, stringKeys: true, uniqueKeys: false });
  const tokens = new Parser(lines.addNewLine).parse(text);
  const [document, other] = composer.compose(withFewFaults(tokens), true, text.length);
  if (document === undefined) throw new Error("YAML has a document even of an empty text");
  if (other !== undefined)
    document.errors.push(
      new YAMLParseError([other.range[0], other.range[1]], "MULTIPLE_DOCS", "Source contains multiple documents"),
    );
  return document;
}

/** The tokens up to more faults and directives than are explained: a text of nothing else takes ten times as long as another. */
function* withFewFaults(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let count = 0;
  for (const token of tokens) {
    if ((token.type === "error" || token.type === "directive") && ++count > MAX_SYNTAX_FAULTS) return;
    yield token;
  }
}

/**
 * Reads the business that a YAML text describes. Messages use `name` for the file.
 * @throws Invalid with every fault.
 */
export function parseBusinessFile(name: string, text: string): BusinessFile {
  return businessIn(readBusinessDocument(name, text));
}

/**
 * The business that a document describes.
 * @throws Invalid with every fault.
 */
export function businessIn({ document, issue, ...read }: ReturnType<typeof readBusinessDocument>): BusinessFile {
  let { value } = read;
  if (!isMap(document.contents)) {
    const found = document.contents === null ? "it is empty" : "it describes no business";
    throw new Invalid([
      issue(0, [], `${found}. It needs lines such as "name: Northside Cooling" and "time_zone: America/Chicago"`),
    ]);
  }
  const sourceOf = (path: readonly (string | number)[]) => {
    const node: unknown = document.getIn([...path], true);
    return isScalar(node) ? node.source : undefined;
  };
  // An id of digits is a text, and too long for a number.
  const { location } = value as { location?: unknown };
  if (typeof location === "number") value = { ...(value as object), location: sourceOf(["location"]) };
  const parsed = businessFileSchema.safeParse(value);
  const at = (path: readonly PropertyKey[]) => offsetOf(document, path);
  const faults = parsed.success
    ? []
    : [...firstFaults(parsed.error.issues, (one) => explainFault(one, value, sourceOf)), ...repeatedIds(value)];
  const unique = new Map(faults.map((fault) => [`${fault.path.join()} ${fault.message}`, fault])).values();
  const issues = [...unique].map(({ path, message }) => issue(at(path), path, message));
  const { taxonomy } = value as { taxonomy?: unknown };
  if (typeof taxonomy === "string" && !taxonomyNames().includes(taxonomy)) {
    const message = `taxonomy is ${quote(taxonomy)}, but must be one of ${taxonomyNames().join(", ")}`;
    issues.push(issue(at(["taxonomy"]), ["taxonomy"], message));
  }
  for (const { path, message } of unusable(value)) issues.push(issue(at(path), path, message));
  if (!parsed.success || issues.length > 0)
    throw new Invalid(issues.toSorted((a, b) => Number(a.path[1]) - Number(b.path[1])));
  return parsed.data;
}

/** No group of a description has as many members or references, and no list as many entries. */
const [MAX_MEMBERS, MAX_MARKS, MAX_ENTRIES] = [100, 100, 5_000];
/** So deep does no description nest. What visits a text's nodes copies the way to each of them. */
const MAX_DEPTH = 100;
/** Further faults are explained once these are corrected. */
const MAX_FAULTS = 200;

/** Adds an error for each key that is given twice. Returns where there is more of something than in any description. */
function checkMembers({
  contents,
  errors,
}: Document.Parsed<ParsedNode>): { offset: number; message: string } | undefined {
  let large: { offset: number; message: string } | undefined;
  const breakAt = ({ range }: Node, message: string) => {
    large = { offset: range?.[0] ?? 0, message };
    return visit.BREAK;
  };
  visit(contents, {
    Map(_, map, path) {
      if (path.length > MAX_DEPTH) return breakAt(map, TOO_DEEP);
      const { items } = map;
      if (items.length > MAX_MEMBERS)
        return breakAt(
          map,
          `more than ${MAX_MEMBERS} members stand in one group. Take out those that do not belong here`,
        );
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = start] = key.range ?? [];
        if (seen.has(key.value))
          errors.push(new YAMLParseError([start, end], "DUPLICATE_KEY", "Map keys must be unique"));
        seen.add(key.value);
      }
      return undefined;
    },
    Seq(_, list, path) {
      if (path.length > MAX_DEPTH) return breakAt(list, TOO_DEEP);
      if (list.items.length <= MAX_ENTRIES) return undefined;
      return breakAt(
        list,
        `more than ${MAX_ENTRIES.toLocaleString("en")} entries stand in one list. Take out those that do not belong here`,
      );
    },
  });
  return large;
}

const TOO_MANY_ALIASES = "it repeats itself too often by references (& and *). Write it out";
const TOO_MANY_TYPES = "it names more than 100 types (!). Take them out";

function firstFaults<Fault>(issues: readonly Fault[], explain: (issue: Fault) => Explained[]): Explained[] {
  const faults: Explained[] = [];
  for (const one of issues) if (faults.length < MAX_FAULTS) faults.push(...explain(one));
  return faults;
}

/** Finds values that are valid but would not have the intended effect. */
function unusable(value: unknown): Explained[] {
  const { verified_sources: sources, language, telephone } = value as Readonly<Record<string, unknown>>;
  const faults: Explained[] = [];
  if (typeof telephone === "string" && telephone.trim() !== "" && !/\d/.test(telephone)) {
    const message = `telephone is ${quote(telephone)}: must be a number, with country code, such as +353 1 555 0142`;
    faults.push({ path: ["telephone"], message });
  }
  for (const [index, source] of (Array.isArray(sources) ? sources : []).entries()) {
    if (typeof source !== "string" || /^[a-z0-9][a-z0-9_.-]{0,63}$/.test(source)) continue;
    const path = ["verified_sources", index];
    const word = source
      .toLowerCase()
      .replace(/ (maps|reviews|my business)$/, "")
      .replaceAll(/[^a-z0-9_.-]+/g, "_")
      .replace(/^[_.-]+/, "")
      .slice(0, 64);
    faults.push({
      path,
      message: `${nameOf(path)} is ${quote(source)}: must be the word of a source, such as ${word || "google"}`,
    });
  }
  if (typeof language === "string" && /^[A-Za-z]{4,}/.test(language)) {
    const message = `language is ${quote(language)}: must be the short tag of a language, such as en, de or pt-BR`;
    faults.push({ path: ["language"], message });
  }
  return faults;
}

/** Finds duplicate ids, which the schema checks only in lists without other faults. */
function repeatedIds(value: unknown): Explained[] {
  const lists = { services: "service", technicians: "technician", service_areas: "service area" };
  return Object.entries(lists).flatMap(([list, label]) => {
    const entries: unknown = (value as Readonly<Record<string, unknown>>)[list];
    if (!Array.isArray(entries)) return [];
    const ids = entries.map((entry: unknown) => (entry as { id?: unknown } | null)?.id);
    const seen = new Set<string>();
    return ids.flatMap((id, index): Explained[] => {
      if (typeof id !== "string" || !seen.has(id)) {
        if (typeof id === "string") seen.add(id);
        return [];
      }
      const path = [list, index, "id"];
      return [{ path, message: `${nameOf(path)} is ${quote(id)}: ${label} id ${JSON.stringify(id)} is given twice` }];
    });
  });
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
