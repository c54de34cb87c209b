/**
 * How well single clauses of the trade are read, aspect by aspect, on `bench/trade/clauses`. Half of them, by a hash
 * of their words, may be looked at while patterns are written; of the other half only the figures are printed.
 *
 *     node bench/clauses.ts [aspect]     with an aspect: what is missed and what is found by mistake in the open half
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTaxonomy } from "../src/insight/taxonomy/taxonomy.ts";
import { analyseText } from "../src/insight/text-analysis.ts";
import type { Sentiment } from "../src/insights.ts";
import { readTaxonomy } from "../src/store/taxonomy-files.ts";

interface Clause {
  readonly text: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: Sentiment }[];
}

/** Without stars to lean on: three of five. */
const NO_STARS = 3;

const folder = join(import.meta.dirname, "trade", "clauses");
const taxonomy = parseTaxonomy(readTaxonomy("home-services"), "home-services");
const asked = process.argv[2];

const clauses = globSync("*.jsonl", { cwd: folder }).flatMap((file) =>
  readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Clause),
);
const isOpen = ({ text }: Clause) => createHash("sha256").update(text).digest().readUInt8(0) % 2 === 0;
const read = clauses.map((clause) => ({
  clause,
  open: isOpen(clause),
  found: analyseText(clause.text, NO_STARS, taxonomy).aspects,
}));

function figures(rows: typeof read, id: string): string {
  let [hits, extra, missed, right] = [0, 0, 0, 0];
  for (const { clause, found } of rows) {
    const is = clause.aspects.find((aspect) => aspect.id === id);
    const said = found.find((aspect) => aspect.id === id);
    if (is !== undefined && said !== undefined) {
      hits++;
      if (is.sentiment === said.sentiment) right++;
    } else if (is !== undefined) missed++;
    else if (said !== undefined) extra++;
  }
  const part = (value: number, whole: number) => (whole === 0 ? "–" : (value / whole).toFixed(2)).padStart(5);
  return `F1 ${part(2 * hits, 2 * hits + extra + missed)}  precision ${part(hits, hits + extra)}  recall ${part(hits, hits + missed)}  polarity ${part(right, hits)}`;
}

for (const { id } of taxonomy.aspects) {
  console.log(
    `${id.padEnd(20)} open ${figures(
      read.filter(({ open }) => open),
      id,
    )}   kept ${figures(
      read.filter(({ open }) => !open),
      id,
    )}`,
  );
}

if (asked !== undefined) {
  for (const { clause, found } of read.filter(({ open }) => open)) {
    const is = clause.aspects.find((aspect) => aspect.id === asked)?.sentiment;
    const said = found.find((aspect) => aspect.id === asked);
    if (is !== said?.sentiment)
      console.log(
        `${(is ?? "–").padEnd(9)} ${(said?.sentiment ?? "–").padEnd(9)} ${clause.text}${said ? `   [${said.evidence}]` : ""}`,
      );
  }
}
