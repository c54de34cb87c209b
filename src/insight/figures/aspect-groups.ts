/** The reviews that mention each aspect, found in one pass and shared by everything that asks for them. */
import type { AspectMention } from "../../insights-document.ts";
import type { Analysed } from "./analysed.ts";

/** The reviews that mention an aspect, and the mention of each, in the same order. */
export interface AspectGroup {
  readonly entries: readonly Analysed[];
  readonly mentions: readonly AspectMention[];
}

const NOBODY: AspectGroup = { entries: [], mentions: [] };

const known = new WeakMap<readonly Analysed[], ReadonlyMap<string, AspectGroup>>();

/** The reviews that mention the aspect with this id, in the order of `analysed`, a list that no longer changes. */
export function aspectGroup(analysed: readonly Analysed[], id: string): AspectGroup {
  return known.getOrInsertComputed(analysed, grouped).get(id) ?? NOBODY;
}

function grouped(analysed: readonly Analysed[]): Map<string, AspectGroup> {
  const groups = new Map<string, { entries: Analysed[]; mentions: AspectMention[] }>();
  for (const entry of analysed) {
    for (const mention of entry.analysis.aspects) {
      const group = groups.get(mention.id);
      if (group === undefined) groups.set(mention.id, { entries: [entry], mentions: [mention] });
      else if (group.entries.at(-1) !== entry) {
        group.entries.push(entry);
        group.mentions.push(mention);
      }
    }
  }
  return groups;
}
