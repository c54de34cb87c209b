/**
 * The documents that depend on the business only. They stay the same from one edition to the next while the business and the tools for
 * agents do, and what renders them is only loaded when they must be made.
 */
import { createHash } from "node:crypto";
import type { Document } from "../../edition/document.ts";
import type { Edition } from "../../edition/edition.ts";

export interface LastingDocuments {
  /** What they were made of: `lastingKey`. */
  readonly key: string;
  readonly baseUrl: string;
  readonly documents: readonly Document[];
}

/**
 * A hash of everything but the origin and the program that these documents depend on. The tools' descriptions name what
 * the business offers and the aspects in their order.
 */
function lastingKey(edition: Edition): string {
  const { business, color, language, sample, isStatic, insights } = edition;
  const aspects = insights.aspects.map(({ id, label }) => [id, label]);
  const inputs = [business, color ?? null, language, sample, isStatic ?? false, aspects];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("base64url");
}

/** These documents for an edition: the `known` ones if they are of the same inputs, otherwise newly made. */
export async function lastingDocuments(
  edition: Edition,
  known: LastingDocuments | undefined,
): Promise<LastingDocuments> {
  const { baseUrl } = edition;
  const key = lastingKey(edition);
  if (known?.key === key && known.baseUrl === baseUrl) return known;
  const { renderLastingPages } = await import("../../page/lasting-pages.ts");
  const { mcpReference } = await import("../../mcp/reference-samples.ts");
  return { key, baseUrl, documents: renderLastingPages(edition, mcpReference(edition)) };
}
