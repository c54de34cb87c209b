/**
 * Reads an analysis as the store has it without parsing it: of very many new reviews, making objects of their analyses
 * and JSON of these again would take longer than reading the reviews. What is published is the stored text with the names
 * put in, and figures need no evidence.
 */
import { SENTIMENTS } from "../../insight/figures/analysed-reviews.ts";
import type { Analysis, AspectMention, Sentiment } from "../../insights-document.ts";

/** What an edition needs of an analysis: all but the evidence, and the whole as JSON. */
export interface AnalysisToPublish extends Omit<Analysis, "aspects" | "problems" | "topics"> {
  readonly aspects: readonly Pick<AspectMention, "id" | "sentiment">[];
  readonly problems: readonly string[];
  readonly topics: readonly string[];
  /** If it is missing, the analysis has its evidence and becomes JSON. */
  readonly json?: string;
}

/** Names found in the text. */
export type Names = Pick<Analysis, "technicians" | "services" | "service_areas">;

/** By their names: comparing a part of a text with one after the other takes longer. */
const SENTIMENT_OF: ReadonlyMap<string, Sentiment> = new Map(SENTIMENTS.map((sentiment) => [sentiment, sentiment]));
const [SENTIMENT, SCORE, ASPECTS] = ['{"sentiment":"', '","score":', ',"aspects":['];
const [ID, MOOD, EVIDENCE] = ['{"id":"', '","sentiment":"', '","evidence":"'];
const [PROBLEMS, TOPICS, END] = [',"problems":[', ',"topics":[', "]}"];

/**
 * The analysis in a text that is JSON of `sentiment`, `score`, `aspects`, `problems` and `topics`, in this order and
 * without white space, as imports write it. Undefined if it is written in another way: then it must be parsed.
 */
export function readStored(body: string, names: Names): AnalysisToPublish | undefined {
  if (body.includes("\\") && /\\[u/]/.test(body)) return undefined; // characters that may be written in another way
  const sentimentEnd = body.indexOf('"', SENTIMENT.length);
  const aspectsAt = body.indexOf(ASPECTS, sentimentEnd);
  if (aspectsAt < 0 || !body.startsWith(SENTIMENT) || !body.startsWith(SCORE, sentimentEnd)) return undefined;
  const sentiment = SENTIMENT_OF.get(body.slice(SENTIMENT.length, sentimentEnd));
  const score = scoreIn(body.slice(sentimentEnd + SCORE.length, aspectsAt));
  if (score === undefined || sentiment === undefined) return undefined;
  const aspects: Mention[] = [];
  const problemsAt = readAspects(body, aspectsAt + ASPECTS.length, aspects);
  // A quote inside a string is escaped, so this cannot be part of an id.
  const topicsAt = body.indexOf(TOPICS, problemsAt);
  if (!body.startsWith(PROBLEMS, problemsAt) || topicsAt < 0 || !body.endsWith(END)) return undefined;
  const problems = idsIn(body, problemsAt + PROBLEMS.length, topicsAt - 1);
  const topics = idsIn(body, topicsAt + TOPICS.length, body.length - END.length);
  if (problems === undefined || topics === undefined) return undefined;
  const { technicians, services, service_areas } = names;
  const people = `,"technicians":${listOf(technicians)},"services":${listOf(services)}`;
  const areas = `,"service_areas":${listOf(service_areas)}`;
  const json = body.slice(0, problemsAt) + people + body.slice(problemsAt, topicsAt) + areas + body.slice(topicsAt);
  return { sentiment, score, aspects, technicians, services, problems, service_areas, topics, json };
}

function listOf(ids: readonly string[]): string {
  return ids.length === 0 ? "[]" : JSON.stringify(ids);
}

/** Reads the mentions in the list whose contents begin at a place, and returns where it has ended; -1 if it cannot be read. */
function readAspects(body: string, from: number, into: Mention[]): number {
  let at = from;
  while (body.startsWith(ID, at)) {
    const moodAt = body.indexOf(MOOD, at + ID.length);
    const moodEnd = body.indexOf('"', moodAt + MOOD.length);
    const mention = moodAt < 0 ? undefined : mentionIn(body.slice(at + ID.length, moodEnd));
    if (mention === undefined || !body.startsWith(EVIDENCE, moodEnd)) return -1;
    into.push(mention);
    const evidenceEnd = endOfString(body, moodEnd + EVIDENCE.length);
    if (!body.startsWith('"}', evidenceEnd)) return -1;
    at = evidenceEnd + 2;
    if (body.startsWith(',{"', at)) at++;
  }
  return body[at] === "]" && body[at - 1] !== "," ? at + 1 : -1;
}

type Mention = AnalysisToPublish["aspects"][number];

/** Scores, mentions and lists of ids by how they are written: there are few, which come again and again. */
const scores = new Map<string, number>();
const mentions = new Map<string, Mention>();
const lists = new Map<string, readonly string[]>();
const MOST_KEPT = 5_000;

function kept<Kept>(all: Map<string, Kept>, written: string, one: Kept): Kept {
  if (all.size < MOST_KEPT) all.set(written, one);
  return one;
}

/** The number that is written like this. */
function scoreIn(written: string): number | undefined {
  const known = scores.get(written);
  if (known !== undefined) return known;
  const score = Number(written);
  return String(score) === written ? kept(scores, written, score) : undefined;
}

/** The mention of which an id and a sentiment are written like this, from the first character of the id on. */
function mentionIn(written: string): Mention | undefined {
  const known = mentions.get(written);
  if (known !== undefined) return known;
  const [id = "", sentiment, ...more] = written.split(MOOD);
  if (!SENTIMENTS.includes(sentiment as Sentiment) || more.length > 0 || /["\\]/.test(id)) return undefined;
  return kept(mentions, written, { id, sentiment: sentiment as Sentiment });
}

const BACKSLASH = 0x5c;

/** Where a string ends that begins before a place: at the first quote that is not escaped. */
function endOfString(body: string, from: number): number {
  for (let end = body.indexOf('"', from); end >= 0; end = body.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && body.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** The strings in a list's contents; undefined if one has anything that is escaped. */
function idsIn(body: string, from: number, to: number): readonly string[] | undefined {
  if (from === to) return NONE;
  const written = body.slice(from, to);
  const known = lists.get(written);
  if (known !== undefined && body[to] === "]") return known;
  const ids = written.slice(1, -1);
  if (ids.includes("\\") || written[0] !== '"' || !written.endsWith('"') || body[to] !== "]") return undefined;
  const list = ids.split('","');
  return list.some((id) => id.includes('"')) ? undefined : kept(lists, written, list);
}

const NONE: readonly string[] = [];
