/**
 * Reads an analysis as the store has it without parsing it: of very many new reviews, making objects of their analyses
 * and JSON of these again would take longer than reading the reviews. What is published is the stored text with the names
 * put in, and figures need no evidence.
 */
import { SENTIMENTS } from "../../insight/figures/analysed-reviews.ts";
import type { Analysis, AspectMention, Sentiment } from "../../insights-document.ts";

/** What an edition needs of an analysis: all but the evidence, and the whole as JSON. */
export interface AnalysisToPublish extends Omit<Analysis, "aspects"> {
  readonly aspects: readonly Pick<AspectMention, "id" | "sentiment">[];
  /** If it is missing, the analysis has its evidence and becomes JSON. */
  readonly json?: string;
}

/** Names found in the text. */
export type Names = Pick<Analysis, "technicians" | "services" | "service_areas">;

const [SENTIMENT, SCORE, ASPECTS] = ['{"sentiment":"', '","score":', ',"aspects":['];
const [ID, MOOD, EVIDENCE] = ['{"id":"', '","sentiment":"', '","evidence":"'];
const [PROBLEMS, TOPICS, END] = [',"problems":[', ',"topics":[', "]}"];

/**
 * The analysis in a text that is JSON of `sentiment`, `score`, `aspects`, `problems` and `topics`, in this order and
 * without white space, as imports write it. Undefined if it is written in another way: then it must be parsed.
 */
export function readStored(body: string, names: Names): AnalysisToPublish | undefined {
  if (body.includes("\\u") || body.includes("\\/")) return undefined; // characters that may be written in another way
  // A quote inside a string is escaped, so none of these can be part of an evidence.
  const [problemsAt, topicsAt] = [body.lastIndexOf(PROBLEMS), body.lastIndexOf(TOPICS)];
  const sentimentEnd = body.indexOf('"', SENTIMENT.length);
  const aspectsAt = body.indexOf(ASPECTS, sentimentEnd);
  if (!body.startsWith(SENTIMENT) || !body.startsWith(SCORE, sentimentEnd) || !body.endsWith(END)) return undefined;
  if (aspectsAt < 0 || problemsAt < aspectsAt || topicsAt < problemsAt) return undefined;
  const sentiment = body.slice(SENTIMENT.length, sentimentEnd) as Sentiment;
  const scoreText = body.slice(sentimentEnd + SCORE.length, aspectsAt);
  const score = Number(scoreText);
  const aspects = aspectsIn(body, aspectsAt + ASPECTS.length, problemsAt);
  const problems = idsIn(body, problemsAt + PROBLEMS.length, topicsAt - 1);
  const topics = idsIn(body, topicsAt + TOPICS.length, body.length - END.length);
  if (!SENTIMENTS.includes(sentiment) || String(score) !== scoreText) return undefined;
  if (aspects === undefined || problems === undefined || topics === undefined) return undefined;
  const { technicians, services, service_areas } = names;
  const people = `,"technicians":${listOf(technicians)},"services":${listOf(services)}`;
  const areas = `,"service_areas":${listOf(service_areas)}`;
  const json = body.slice(0, problemsAt) + people + body.slice(problemsAt, topicsAt) + areas + body.slice(topicsAt);
  return { sentiment, score, aspects, technicians, services, problems, service_areas, topics, json };
}

function listOf(ids: readonly string[]): string {
  return ids.length === 0 ? "[]" : JSON.stringify(ids);
}

/** The mentions in the list whose contents begin at a place, if it ends right before another. */
function aspectsIn(body: string, from: number, to: number): AnalysisToPublish["aspects"] | undefined {
  const aspects: Pick<AspectMention, "id" | "sentiment">[] = [];
  let at = from;
  while (body.startsWith(ID, at)) {
    const idEnd = body.indexOf('"', at + ID.length);
    const id = body.slice(at + ID.length, idEnd);
    if (id.includes("\\") || !body.startsWith(MOOD, idEnd)) return undefined;
    const moodEnd = body.indexOf('"', idEnd + MOOD.length);
    const sentiment = body.slice(idEnd + MOOD.length, moodEnd) as Sentiment;
    if (!SENTIMENTS.includes(sentiment) || !body.startsWith(EVIDENCE, moodEnd)) return undefined;
    const evidenceEnd = endOfString(body, moodEnd + EVIDENCE.length);
    if (!body.startsWith('"}', evidenceEnd)) return undefined;
    aspects.push({ id, sentiment });
    at = evidenceEnd + 2;
    if (body[at] === "," && at + 1 < to) at++;
  }
  return at === to - 1 && body[at] === "]" ? aspects : undefined;
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
function idsIn(body: string, from: number, to: number): string[] | undefined {
  if (from === to) return [];
  const ids = body.slice(from + 1, to - 1);
  if (ids.includes("\\") || body[from] !== '"' || body[to - 1] !== '"' || body[to] !== "]") return undefined;
  const list = ids.split('","');
  return list.some((id) => id.includes('"')) ? undefined : list;
}
