/** Assigns mentions to the aspect under which they count for this business: a cleaning firm's clean house is its work. */
import type { Taxonomy } from "../taxonomy/taxonomy.ts";

/** The mentions in taxonomy order. One that counts as another aspect is left out where that aspect has its own. */
export function countedMentions<Mention extends { readonly id: string }>(
  mentions: readonly Mention[],
  { aspects, countsAs }: Pick<Taxonomy, "aspects" | "countsAs">,
): readonly Mention[] {
  if (countsAs === undefined) return mentions;
  const byId = new Map<string, Mention>();
  for (const mention of mentions) if (countsAs[mention.id] === undefined) byId.set(mention.id, mention);
  for (const mention of mentions) {
    const id = countsAs[mention.id];
    if (id !== undefined && !byId.has(id)) byId.set(id, { ...mention, id });
  }
  return aspects.flatMap(({ id }) => byId.get(id) ?? []);
}
