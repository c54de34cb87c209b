/**
 * Histories of changes, across which published documents are compared: of the sample, of a real export and of invented
 * reviews. A step is one or a few commands; its imports follow from the files and from the published reviews.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { CSV_HEAD, csvOf, type InventedReview, inventedReview } from "../../bench/invented-reviews.ts";
import { type PublishedReview, spread } from "./public-documents.ts";

/** The published reviews and the folder that a step works with. */
export interface StepContext {
  /** The published reviews before the step, newest first. */
  readonly reviews: readonly PublishedReview[];
  /** Ids of reviews that a step removed, redacted or withdrew; their pages are read from then on. */
  readonly watched: Set<string>;
  /** Writes a file and returns its path. */
  write(name: string, content: string): string;
  /** A path in the temporary folder. */
  path(name: string): string;
}

interface Step {
  readonly name: string;
  /** The commands, each with its arguments. */
  readonly commands: (context: StepContext) => readonly (readonly string[])[];
  /** False if the step must not change published documents. */
  readonly isChange?: boolean;
  /** Whether the site is exported after it. */
  readonly isExported?: boolean;
}

export interface History {
  readonly name: string;
  readonly isLarge: boolean;
  /** The content of the imported files. If it changed, documents may differ from an earlier recording for that reason. */
  readonly input: string;
  readonly steps: readonly Step[];
}

const ROOT = join(import.meta.dirname, "..", "..");

const NOTHING: Step = { name: "nothing imported", commands: () => [], isChange: false, isExported: true };

/** The bundled sample, as it is without an import, and then imported in parts. */
export function sampleHistory(): History {
  const business = readFileSync(join(ROOT, "sample", "business.yaml"), "utf8");
  const content = readFileSync(join(ROOT, "sample", "reviews.jsonl"), "utf8");
  const lines = content.split("\n").filter((line) => line !== "");
  const edited = spread(lines, 16).map((line, at) => {
    const review = JSON.parse(line) as Record<string, unknown>;
    return JSON.stringify({ ...review, ...editOf(String(review.text ?? ""), at) });
  });
  return {
    name: "sample",
    isLarge: false,
    input: business + content,
    steps: [
      NOTHING,
      {
        name: "first import",
        commands: ({ write }) => [
          importOf(write("business.yaml", business), write("first.jsonl", lines.slice(0, 160).join("\n"))),
        ],
      },
      {
        name: "more reviews",
        commands: ({ write }) => [importOf(write("more.jsonl", lines.slice(120).join("\n")))],
        isExported: true,
      },
      { name: "the same again", commands: ({ path }) => [importOf(path("more.jsonl"))], isChange: false },
      { name: "edited reviews", commands: ({ write }) => [importOf(write("edited.jsonl", edited.join("\n")))] },
      ...changesOfOwner(business, { timeZone: "Pacific/Auckland" }),
      {
        name: "a complete export that lacks reviews",
        commands: ({ write }) => [
          [...importOf(write("lacking.jsonl", lines.slice(8).join("\n"))), "--complete", "--yes"],
        ],
      },
      { name: "undone again", commands: () => [["undo", "--yes"]] },
      ...lastChanges(business, (path) => [path("first.jsonl"), path("more.jsonl")]),
    ],
  };
}

const REAL_BUSINESS = `
name: The Banquet Hall
description: A hall for weddings, receptions and meetings.
category: EventVenue
url: https://banquet-hall.example.com/
time_zone: Asia/Kolkata
opening_hours:
  - { days: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday], opens: "09:00", closes: "23:00" }
service_areas:
  - { id: town, label: Town, aliases: [city, Hyderabad] }
services:
  - { id: catering, label: Catering, aliases: [food, dinner, lunch] }
  - { id: decoration, label: Decoration, aliases: [decor, decorations, lighting] }
  - { id: parking, label: Parking, aliases: [car park, valet] }
technicians:
  - { id: manager, name: The Manager, aliases: [manager] }
  - { id: staff, name: The Staff, aliases: [staff] }
verified_sources: [google]
taxonomy: general
`;

interface TakeoutPage {
  readonly reviews: readonly (Record<string, unknown> & { readonly comment?: string; readonly name: string })[];
}

/** A real Takeout and the same reviews as a table, which lie outside the project and are read in place. */
export function realHistory(data: string): History {
  const takeout = join(data, "takeout-sv");
  const table = join(data, "sv-reviews.csv");
  const pages = readdirSync(takeout, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(takeout, name))
    .sort();
  const contents = pages.map((page) => readFileSync(page, "utf8"));
  const reviews = contents.flatMap((content) => (JSON.parse(content) as TakeoutPage).reviews ?? []);
  const edited = spread(reviews, 24).map((review, at) => {
    const { text, owner_reply: reply } = editOf(review.comment ?? "", at);
    return {
      ...review,
      comment: text,
      updateTime: "2025-09-01T08:00:00.5Z",
      ...(reply && { reviewReply: { comment: reply.text, updateTime: `${reply.date}T20:00:00Z` } }),
    };
  });
  return {
    name: "real export",
    isLarge: false,
    input: [...contents, readFileSync(table, "utf8")].join("\n"),
    steps: [
      {
        name: "first import",
        commands: ({ write }) => [importOf(write("business.yaml", REAL_BUSINESS), ...pages.slice(0, 12))],
      },
      { name: "more reviews", commands: () => [importOf(takeout)], isExported: true },
      { name: "the same again", commands: () => [importOf(takeout)], isChange: false },
      {
        name: "edited reviews",
        commands: ({ write }) => [importOf(write("reviews-edited.json", JSON.stringify({ reviews: edited })))],
      },
      ...changesOfOwner(REAL_BUSINESS, { timeZone: "America/Chicago" }),
      { name: "the same as a table", commands: () => [[...importOf(table), "--source", "google"]], isChange: false },
      ...lastChanges(REAL_BUSINESS, () => [takeout]),
    ],
  };
}

const INVENTED = 100_000;
const INVENTED_FIRST = 90_000;

/** 100,000 invented reviews: lists are large, and imports analyse on several threads. */
export function inventedHistory(): History {
  const business = readFileSync(join(ROOT, "sample", "business.yaml"), "utf8");
  const more = csvOf(INVENTED_FIRST, INVENTED - INVENTED_FIRST);
  const google = (file: string) => [...importOf(file), "--source", "google"];
  const edited = Array.from({ length: 300 }, (_, at): InventedReview => {
    const review = inventedReview(at * 331);
    const { text, owner_reply: reply } = editOf(review.text, at);
    return { ...review, text, ...(reply && { reply: reply.text, replied: `${reply.date}T12:00:00.000Z` }) };
  });
  return {
    name: "invented reviews",
    isLarge: true,
    input: business + more,
    steps: [
      {
        name: "first import",
        commands: ({ write }) => [
          [...google(write("first.csv", csvOf(0, INVENTED_FIRST))), write("business.yaml", business)],
        ],
      },
      { name: "more reviews", commands: ({ write }) => [google(write("more.csv", more))] },
      { name: "the same again", commands: ({ path }) => [google(path("more.csv"))], isChange: false },
      { name: "edited reviews", commands: ({ write }) => [google(write("edited.csv", inventedTable(edited)))] },
      ...changesOfOwner(business, {}),
    ],
  };
}

function inventedTable(reviews: readonly InventedReview[]): string {
  return `${[CSV_HEAD, ...reviews.map((review) => tableRow(Object.values(review)))].join("\n")}\n`;
}

/** A changed business, a second source and removals, after the reviews were imported. */
function changesOfOwner(business: string, { timeZone }: { readonly timeZone?: string }): Step[] {
  const watch = ({ watched }: StepContext, ...ids: string[]) => {
    for (const id of ids) watched.add(id);
    return ids;
  };
  return [
    {
      name: "changed business",
      commands: ({ write }) => [importOf(write("changed/business.yaml", changedBusiness(business, { timeZone })))],
    },
    {
      name: "second source",
      commands: (context) => {
        const file = context.write("yelp.csv", secondSource(context.reviews));
        return [[...importOf(file), "--source", "yelp"]];
      },
    },
    {
      name: "removed reviews",
      commands: (context) => [["remove", ...watch(context, idAt(context, 0), idAt(context, 0.4))]],
    },
    {
      name: "redacted reviews",
      commands: (context) => [
        ["redact", ...watch(context, idAt(context, 0.1)), "--author"],
        ["redact", ...watch(context, idAt(context, 0.2)), "--text"],
        ["redact", ...watch(context, idAt(context, 0.3)), "--author", "--text"],
      ],
    },
    {
      name: "withdrawn source",
      commands: (context) => {
        const yelp = context.reviews.filter(({ author }) => author.startsWith(YELP_AUTHOR));
        watch(context, ...yelp.slice(0, 3).map(({ id }) => id));
        return [["withdraw", "--source", "yelp", "--yes"]];
      },
    },
    { name: "undone withdrawal", commands: () => [["undo", "--yes"]] },
  ];
}

/** Changes of several commands, too slow for large stores. */
function lastChanges(business: string, all: (path: StepContext["path"]) => readonly string[]): Step[] {
  return [
    {
      name: "readmitted reviews",
      commands: ({ watched, path }) => [["readmit", ...[...watched].slice(0, 3)], importOf(...all(path))],
    },
    {
      name: "another language",
      commands: ({ path, write }) => [
        ["backup", path("before.db")],
        importOf(write("german/business.yaml", changedBusiness(business, { language: "de" }))),
      ],
      isExported: true,
    },
    { name: "restored backup", commands: ({ path }) => [["restore", path("before.db"), "--yes"]], isExported: true },
  ];
}

function importOf(...paths: readonly string[]): string[] {
  return ["import", ...paths];
}

/** The text and the reply of an edited review, which vary with its number. */
function editOf(text: string, number: number) {
  const edited = number % 4 === 3 ? text : `${text} Edited: they came back, and the price was fair.`.trim();
  if (number % 2 === 0) return { text: edited };
  return { text: edited, owner_reply: { text: `We are glad of it, customer ${number}.`, date: "2025-10-02" } };
}

function changedBusiness(
  business: string,
  { timeZone, language = "en" }: { readonly timeZone?: string | undefined; readonly language?: string },
): string {
  const file = parse(business) as Record<string, unknown> & { readonly technicians: readonly object[] };
  return stringify({
    ...file,
    name: `${file.name} & Daughters`,
    summary: "We have done this since 1987, and answer the telephone ourselves.",
    color: "#7a2e0e",
    language,
    verified_sources: ["google", "yelp"],
    ...(timeZone === undefined
      ? {}
      : { time_zone: timeZone, technicians: [...file.technicians.slice(1), { id: "new-one", name: "Newton Owen" }] }),
  });
}

const YELP_AUTHOR = "Yelp customer";
const MAX_YELP_REVIEWS = 2_000;

/** Reviews of another site: some are published already, word for word, and some are new. */
function secondSource(reviews: readonly PublishedReview[]): string {
  const rows = spread(reviews, Math.min(MAX_YELP_REVIEWS, Math.floor(reviews.length / 5))).map((review, at) => {
    const { author, rating, date, text } = review;
    const isRepeated = at % 3 === 0;
    const words = isRepeated ? text : `${text ?? "Nice."} I say so here too.`;
    return [`yelp-${at}`, isRepeated ? author : `${YELP_AUTHOR} ${at}`, rating, date, words ?? ""];
  });
  return `${["id,author,rating,date,text", ...rows.map(tableRow)].join("\n")}\n`;
}

function tableRow(values: readonly unknown[]): string {
  return values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(",");
}

/** The id of the review at this part of the list, from 0, the newest, to 1. */
function idAt({ reviews }: StepContext, part: number): string {
  const review = reviews[Math.floor((reviews.length - 1) * part)];
  if (review === undefined) throw new Error("Nothing is published, so no review can be chosen");
  return review.id;
}
