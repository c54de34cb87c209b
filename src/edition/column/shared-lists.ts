/**
 * Lists of words that analyses have in common. Most of an analysis's lists are empty or name one topic; an object for each
 * would take more memory than all that is quoted.
 */
import type { Analysis } from "../../insights-document.ts";

/** When there are more different lists than this, those so far are forgotten. */
const MOST_LISTS = 10_000;

const lists = new Map<string, string[]>();

/** The analysis with lists that others have too. They do not change. */
export function withSharedLists(analysis: Analysis): Analysis {
  const { sentiment, score, aspects, technicians, services, problems, service_areas, topics } = analysis;
  // Spread members would be kept outside the object, which takes twice the memory.
  return {
    sentiment,
    score,
    aspects: aspects.length === 0 ? NONE : aspects,
    technicians: shared(technicians),
    services: shared(services),
    problems: shared(problems),
    service_areas: shared(service_areas),
    topics: shared(topics),
  };
}

const NONE: Analysis["aspects"] = [];

function shared(list: string[]): string[] {
  if (lists.size > MOST_LISTS) lists.clear();
  return lists.getOrInsert(list.join("\n"), list);
}
