/** One sensible call of every tool, for whoever tries them all. */
import type { Edition } from "../../src/edition/edition.ts";

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Calls that all succeed, at least one for each tool. */
export function toolCalls(edition: Edition): ToolCall[] {
  const { insights, business } = edition;
  const newest = JSON.parse(Buffer.from(edition.search({ limit: 1, offset: 0 }).body).toString("utf8")).reviews[0]
    .id as string;
  return [
    { name: "get_business", arguments: {} },
    { name: "search_reviews", arguments: { min_rating: 4.5, limit: 3 } },
    { name: "get_review", arguments: { id: newest } },
    { name: "list_aspects", arguments: {} },
    { name: "get_aspect_sentiment", arguments: { aspect: insights.aspects[0]?.label } },
    ...business.technicians.slice(0, 1).map(({ name }) => ({ name: "get_technician", arguments: { name } })),
    ...business.services.slice(0, 1).map(({ id }) => ({ name: "get_service", arguments: { service: id } })),
    { name: "get_trends", arguments: { since: "2025-01-01" } },
    { name: "get_faq", arguments: { query: "price" } },
    { name: "get_summary", arguments: {} },
  ];
}
