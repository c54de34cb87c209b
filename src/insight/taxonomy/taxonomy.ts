/**
 * A trade's taxonomy, read from a file (`taxonomies/README.md`): aspects, problems and services, with the
 * patterns that detect them in reviews.
 */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { z } from "zod";
import { Invalid, type Issue, issuesOf, quote } from "../../issue.ts";
import type { Stance } from "../engine/clause-features.ts";
import { compileMatcher, type Matcher } from "../engine/matcher.ts";
import { indexPatterns, type PatternIndex } from "../engine/pattern-index.ts";
import { emptyScratch, type Scratch } from "../engine/scratch.ts";
import { type ModelFiles, parseModel, type TrainedModel } from "../engine/trained-model.ts";
import { ENGLISH, type Language, perLanguage } from "../text/language-words.ts";
import { type BusinessNames, nameMask } from "../text/name-mask.ts";
import { parsePattern } from "../text/pattern.ts";
import type { Tokens } from "../text/tokens.ts";

const id = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be small letters, digits, underscores or hyphens");
const label = z.string().trim().min(1);
/** Patterns as a list, or as text with one per line. Lines that begin with "# " are comments. */
const patterns = z
  .union([z.array(label), z.string().transform((text) => text.split("\n").map((line) => line.trim()))])
  .transform((list) => list.filter((line) => line !== "" && !line.startsWith("# ")))
  .default([]);

const STANCES = ["positive", "negative", "neutral", "open"] as const satisfies readonly Stance[];
/** Words that say it outright, and what they say: these count where the model is not sure. */
const PLAIN = { plain_positive: "positive", plain_negative: "negative" } as const;
const PLAIN_LISTS = Object.keys(PLAIN) as (keyof typeof PLAIN)[];
const SERVICE_LISTS = ["phrases", "alone", "except"] as const;

const aspectSchema = z.strictObject({
  id,
  label,
  question: label.describe("The FAQ's question about it"),
  praised_for: label.describe("Completes “customers praise …”, such as “arriving when promised”"),
  blamed_for: label.describe("Completes “customers complain about …”, such as “late arrivals”"),
  asked_unless: z
    .array(id)
    .default([])
    .describe("Other aspects: where more reviews speak of one of them, the FAQ does not ask about this one"),
  counts_as: z
    .record(id, z.array(z.string()).min(1))
    .default({})
    .describe("Another aspect, and the categories of the businesses for which a mention of this one is one of that"),
  claims_praise: z
    .boolean()
    .default(false)
    .describe("Whether a clause that praises it by a pattern must be surer to praise another aspect without one"),
  positive: patterns,
  negative: patterns,
  neutral: patterns,
  open: patterns,
  plain_positive: patterns.describe("Words that praise the aspect outright, whatever the model makes of the sentence"),
  plain_negative: patterns.describe("Words that blame it outright"),
  except: patterns.describe("Phrases that contain a pattern of this aspect but are not about it"),
});
const namedSchema = z.strictObject({ id, label, phrases: patterns });

const taxonomySchema = z.strictObject({
  format: z.literal(1).describe("Version of the file format"),
  version: z.int().min(1).describe("Increased when the meaning of an aspect changes"),
  label,
  classes: z.record(z.string().regex(/^[a-z][a-z_]*$/, "must be small letters and underscores"), patterns).default({}),
  ignore: patterns.describe("Phrases that contain a pattern but say nothing about the business"),
  rivals: patterns.describe("Phrases about another company"),
  aspects: z.array(aspectSchema).min(1),
  problems: z.array(namedSchema).default([]),
  services: z
    .array(
      z.strictObject({
        names: z.array(label).min(1),
        phrases: patterns,
        alone: patterns.describe("Phrases that name the service only if the review names no other service"),
        except: patterns.describe("Phrases that contain one of these but do not name the service"),
      }),
    )
    .default([])
    .describe("Synonyms for services of the trade, for businesses that offer a service with one of the names"),
});

type TaxonomyAspect = Readonly<Omit<z.infer<typeof aspectSchema>, Stance | keyof typeof PLAIN | "except">>;

/** The meaning of a match. */
type Meaning =
  | { readonly kind: "aspect"; readonly index: number; readonly stance: Stance; readonly ownNegation: boolean }
  | { readonly kind: "plain"; readonly index: number; readonly sentiment: "positive" | "negative" }
  | { readonly kind: "except"; readonly index: number }
  | { readonly kind: "problem"; readonly index: number }
  | { readonly kind: "ignore" | "rival" };

/**
 * What a pattern says of the service with this index: it is named, or named if no other one is (`alone`), or something
 * else is named that only resembles it (`except`).
 */
export interface ServiceMeaning {
  readonly service: number;
  readonly kind: (typeof SERVICE_LISTS)[number];
}

export interface Taxonomy {
  readonly name: string;
  /** The language of the texts that its patterns and its model read. */
  readonly language: Language;
  /** The same taxonomy for texts in another language, read when the first text needs it; undefined if there is none. */
  readonly translated: (language: Language) => Taxonomy | undefined;
  readonly label: string;
  readonly version: number;
  readonly aspects: readonly TaxonomyAspect[];
  readonly problems: readonly { readonly id: string; readonly label: string }[];
  readonly services: readonly { readonly names: readonly string[] }[];
  /** Matcher for the services' phrases; a match's `pattern` is an index into `serviceMeanings`. */
  readonly serviceMatcher: Matcher;
  readonly serviceMeanings: readonly ServiceMeaning[];
  readonly classes: Readonly<Record<string, readonly string[]>>;
  /** Matcher for all patterns; a match's `pattern` is an index into `meanings`. */
  readonly matcher: Matcher;
  readonly meanings: readonly Meaning[];
  /** The model that classifies matches; unpacked when the first text is read. */
  readonly model: TrainedModel;
  /** Whether the model was trained for these aspects. For others it only distinguishes praise from blame. */
  readonly isModelled: boolean;
  /** Memory that is reused for every text. */
  readonly scratch: Scratch;
  /** Replaces the names of the business and its people with neutral words, so that they do not count as praise. */
  readonly maskNames?: (tokens: Tokens) => Tokens;
  /** For this business, a mention of the first aspect counts as one of the second, by id. */
  readonly countsAs?: Readonly<Record<string, string>>;
  /** Hash of the file and the model, part of every analysis's cache key. */
  readonly fingerprint: string;
}

export interface TaxonomyOptions {
  readonly isTested?: boolean;
  readonly model?: ModelFiles;
  readonly compiled?: string | undefined;
  /** The language of its patterns. */
  readonly language?: Language;
  readonly translated?: Taxonomy["translated"];
  /** What changes when a translation does, for the fingerprint: it is not read before a text needs it. */
  readonly translations?: string;
}

/**
 * Parses a taxonomy from YAML. `name` is the file name without its extension. Patterns are compiled when a text is
 * first matched: a server whose texts are all analysed never needs them. `isTested` skips the check of the patterns, for
 * files that come with the program. So does `compiled`, the result of `compileTaxonomy` for the same YAML, which saves
 * reading YAML and patterns; it is ignored if it was made from other YAML. Without `model`, the taxonomy cannot be used to analyse reviews.
 * @throws Invalid with every fault in the file.
 */
export function parseTaxonomy(
  yamlText: string,
  name: string,
  {
    isTested = false,
    model,
    compiled,
    language = ENGLISH,
    translated = () => undefined,
    translations = "",
  }: TaxonomyOptions = {},
): Taxonomy {
  const precompiled = compiled === undefined ? undefined : readCompiled(compiled, yamlText);
  const file = precompiled?.file ?? read(yamlText, name);
  const faults = isTested || precompiled !== undefined ? [] : patternFaults(file, language);
  if (faults.length > 0) throw new Invalid(faults);
  const [rows, serviceRows] = [rowsOf(file, language), serviceRowsOf(file)];
  let matcher: Matcher | undefined;
  let serviceMatcher: Matcher | undefined;
  let unpacked: TrainedModel | undefined;
  let isModelled: boolean | undefined;
  let files = model; // a megabyte of text, not needed once it is unpacked
  return {
    name,
    language,
    translated,
    label: file.label,
    version: file.version,
    aspects: file.aspects.map(
      ({ id, label, question, praised_for, blamed_for, asked_unless, counts_as, claims_praise }) => {
        return { id, label, question, praised_for, blamed_for, asked_unless, counts_as, claims_praise };
      },
    ),
    problems: file.problems.map(({ id, label }) => ({ id, label })),
    services: file.services.map(({ names }) => ({ names })),
    classes: file.classes,
    get matcher() {
      matcher ??= compileMatcher(patternsOf(rows), file.classes, language, precompiled?.index);
      return matcher;
    },
    meanings: meaningsOf(rows),
    get serviceMatcher() {
      serviceMatcher ??= compileMatcher(patternsOf(serviceRows), file.classes, language, precompiled?.serviceIndex);
      return serviceMatcher;
    },
    serviceMeanings: meaningsOf(serviceRows),
    get model() {
      if (unpacked !== undefined) return unpacked;
      if (files === undefined) throw new Error(`The taxonomy ${quote(name)} was parsed without a model`);
      unpacked = parseModel(files.weights, files.vectors, language);
      files = undefined;
      return unpacked;
    },
    get isModelled() {
      const { aspects } = this.model;
      isModelled ??= aspects.length === file.aspects.length && file.aspects.every(({ id }, at) => id === aspects[at]);
      return isModelled;
    },
    scratch: emptyScratch(),
    fingerprint: fingerprintOf(yamlText, model?.weights ?? "", model?.vectors ?? "", translations),
  };
}

/** A parsed taxonomy with the index of its patterns, as `compileTaxonomy` writes it. */
interface CompiledTaxonomy {
  readonly format: typeof COMPILED_FORMAT;
  /** Hash of the YAML that it was made from. */
  readonly source: string;
  readonly file: File;
  readonly index: PatternIndex;
  readonly serviceIndex: PatternIndex;
}

/** Raised with every change to the format of compiled taxonomies. */
const COMPILED_FORMAT = 5;

/**
 * Reads a taxonomy and indexes its patterns, for `compiled` of `parseTaxonomy`: the start is then several times as fast.
 * @throws Invalid with every fault in the file.
 */
export function compileTaxonomy(yamlText: string, name: string, language: Language = ENGLISH): string {
  const file = read(yamlText, name);
  const faults = patternFaults(file, language);
  if (faults.length > 0) throw new Invalid(faults);
  const [index, serviceIndex] = [rowsOf(file, language), serviceRowsOf(file)].map((rows) =>
    indexPatterns(patternsOf(rows), file.classes, language),
  ) as [PatternIndex, PatternIndex];
  const source = fingerprintOf(yamlText);
  const compiled: CompiledTaxonomy = { format: COMPILED_FORMAT, source, file, index, serviceIndex };
  return `${JSON.stringify(compiled)}\n`;
}

/** The contents, unless they were made from another file or by another version of the program. */
function readCompiled(json: string, yamlText: string): CompiledTaxonomy | undefined {
  const compiled = JSON.parse(json) as CompiledTaxonomy;
  return compiled.format === COMPILED_FORMAT && compiled.source === fingerprintOf(yamlText) ? compiled : undefined;
}

interface Row<M> {
  readonly pattern: string;
  readonly meaning: M;
}

const patternsOf = (rows: readonly Row<unknown>[]) => rows.map(({ pattern }) => pattern);
const meaningsOf = <M>(rows: readonly Row<M>[]) => rows.map(({ meaning }) => meaning);

/** The patterns of a file's services, in the order of their numbers, and what each means. */
function serviceRowsOf(file: File): Row<ServiceMeaning>[] {
  return file.services.flatMap((entry, service) =>
    SERVICE_LISTS.flatMap((kind) => entry[kind].map((pattern) => ({ pattern, meaning: { service, kind } }))),
  );
}

/** All other patterns of a file, in the order of their numbers, and what each means. */
function rowsOf(file: File, language: Language): Row<Meaning>[] {
  const negation = ownNegation(language);
  const rows: Row<Meaning>[] = [];
  const add = (list: readonly string[], meaning: (pattern: string) => Meaning) => {
    for (const pattern of list) rows.push({ pattern, meaning: meaning(pattern) });
  };
  for (const [index, aspect] of file.aspects.entries()) {
    for (const stance of STANCES) {
      add(aspect[stance], (pattern) => ({ kind: "aspect", index, stance, ownNegation: negation.test(pattern) }));
    }
    for (const list of PLAIN_LISTS) add(aspect[list], () => ({ kind: "plain", index, sentiment: PLAIN[list] }));
    add(aspect.except, () => ({ kind: "except", index }));
  }
  for (const [index, { phrases }] of file.problems.entries()) add(phrases, () => ({ kind: "problem", index }));
  add(file.ignore, () => ({ kind: "ignore" }));
  add(file.rivals, () => ({ kind: "rival" }));
  return rows;
}

/**
 * The same taxonomy for one business: the names of the business and its people are masked before a text is read, and
 * its category may have one aspect count as another.
 */
export function forBusiness(taxonomy: Taxonomy, names: BusinessNames, category: string): Taxonomy {
  const countsAs = Object.fromEntries(
    taxonomy.aspects.flatMap(({ id, counts_as }) =>
      Object.entries(counts_as).flatMap(([other, categories]) => (categories.includes(category) ? [[id, other]] : [])),
    ),
  );
  const isOther = Object.keys(countsAs).length > 0;
  const parts = isOther ? [names, countsAs] : [names];
  return Object.create(taxonomy, {
    maskNames: { value: nameMask(names, taxonomy.language), enumerable: true },
    translated: {
      value: perLanguage((_, language) => {
        const translation = taxonomy.translated(language);
        return translation === undefined ? undefined : forBusiness(translation, names, category);
      }),
      enumerable: true,
    },
    ...(isOther ? { countsAs: { value: countsAs, enumerable: true } } : {}),
    fingerprint: {
      value: fingerprintOf(taxonomy.fingerprint, ...parts.map((part) => JSON.stringify(part))),
      enumerable: true,
    },
  }) as Taxonomy;
}

/** The taxonomy for texts in a language; undefined if it has no words of it. */
export function inLanguage(taxonomy: Taxonomy, language: Language): Taxonomy | undefined {
  return language === taxonomy.language ? taxonomy : taxonomy.translated(language);
}

/** A short hash of everything that affects how a text is read. */
function fingerprintOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0"), "utf8").digest("hex").slice(0, 16);
}

/** Patterns that begin with a negation are not reversed by a preceding one. */
const ownNegation = perLanguage(({ own_negation }) => new RegExp(own_negation));

type File = z.infer<typeof taxonomySchema>;

function read(yamlText: string, name: string): File {
  let input: unknown;
  try {
    const { parse } = createRequire(import.meta.url)("yaml") as typeof import("yaml"); // not needed for a compiled one
    input = parse(yamlText);
  } catch (error) {
    const message = `Cannot read taxonomy ${quote(name)}: ${error instanceof Error ? error.message : String(error)}`;
    throw new Invalid([{ code: "not_yaml", path: [name], message }]);
  }
  const parsed = taxonomySchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Invalid(issuesOf(parsed.error, input).map((issue) => ({ ...issue, path: [name, ...issue.path] })));
}

/** All invalid patterns, unknown or recursive classes, and duplicate ids. */
function patternFaults(file: File, language: Language): Issue[] {
  const issues: Issue[] = [];
  const fault = (path: (string | number)[], message: string) => issues.push({ code: "pattern", path, message });
  const check = (list: readonly string[], path: readonly (string | number)[]) => {
    for (const [index, pattern] of list.entries()) {
      try {
        parsePattern(pattern, language);
        for (const [, used = ""] of pattern.matchAll(/\{([a-z_]+)\}/g)) {
          if (file.classes[used] === undefined) fault([...path, index], `${quote(pattern)}: {${used}} is not a class`);
        }
      } catch (error) {
        fault([...path, index], `${quote(pattern)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  for (const [name, list] of Object.entries(file.classes)) {
    check(list, ["classes", name]);
    if (reaches(file, name, name, new Set())) fault(["classes", name], `{${name}} holds itself`);
  }
  check(file.ignore, ["ignore"]);
  check(file.rivals, ["rivals"]);
  for (const [index, aspect] of file.aspects.entries()) {
    for (const list of [...STANCES, ...PLAIN_LISTS, "except"] as const) check(aspect[list], ["aspects", index, list]);
    for (const other of Object.keys(aspect.counts_as)) {
      if (other === aspect.id || !file.aspects.some(({ id }) => id === other)) {
        fault(["aspects", index, "counts_as"], `${quote(other)} is not another aspect`);
      }
    }
  }
  for (const [index, service] of file.services.entries()) {
    for (const list of SERVICE_LISTS) check(service[list], ["services", index, list]);
  }
  for (const [index, { phrases }] of file.problems.entries()) check(phrases, ["problems", index, "phrases"]);
  for (const kind of ["aspects", "problems"] as const) {
    const seen = new Set<string>();
    for (const [index, { id }] of file[kind].entries()) {
      if (seen.has(id)) fault([kind, index, "id"], `${quote(id)} is given twice`);
      seen.add(id);
    }
  }
  return issues;
}

function reaches(file: File, from: string, target: string, seen: Set<string>): boolean {
  for (const pattern of file.classes[from] ?? []) {
    for (const [, used = ""] of pattern.matchAll(/\{([a-z_]+)\}/g)) {
      if (used === target) return true;
      if (seen.has(used)) continue;
      seen.add(used);
      if (reaches(file, used, target, seen)) return true;
    }
  }
  return false;
}
