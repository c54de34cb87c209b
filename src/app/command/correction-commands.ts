/** `goodword correct`, `corrections` and `uncorrect`: what the owner corrects of the findings in reviews. */
import {
  allCorrections,
  correctFinding,
  takeBackCorrection,
  type WantedCorrection,
} from "../../maintenance/corrections.ts";
import type { Config } from "../config.ts";
import { localTime, terminalText, textTable } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { withExistingStore } from "./existing-store.ts";

/** Corrects a finding. @throws Invalid if the review is not published, or nothing was found in it about the aspect. */
export async function correctCommand(config: Config, wanted: WantedCorrection): Promise<void> {
  await withExistingStore(config.DATABASE_URL, async (store) => {
    const options = { now: new Date(), model: config.ANALYZER_MODEL || undefined };
    const { correction, revision } = await correctFinding(store, wanted, options);
    const { id, aspect, was, is } = correction;
    const now = is === "none" ? "the review now counts as silent about it" : `it now counts as ${is}`;
    print(
      `Corrected ${aspect} in ${id}: the analysis found it ${was}, ${now}. Revision ${revision}.\nThe review stays as it is, and that you corrected something is counted in public. goodword uncorrect ${id} ${aspect} takes it back.`,
    );
  });
}

/** Lists corrections, newest first, as a table or as JSON. */
export async function correctionsCommand(databaseUrl: string, json: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const all = await allCorrections(store);
    if (json) return void process.stdout.write(`${JSON.stringify(all.map(({ correction }) => correction))}\n`);
    if (all.length === 0) return print("No finding was corrected.");
    const rows = all.map(({ correction: { id, aspect, was, is, at, note }, isInForce }) => [
      ...[id, aspect, was, is, localTime(at), isInForce ? "yes" : "no: the review has other words, or is not stored"],
      terminalText(note ?? ""),
    ]);
    print(textTable([["id", "aspect", "found", "corrected to", "when", "counts", "note"], ...rows]));
  });
}

/** Takes a correction back. @throws Invalid if there is none. */
export async function uncorrectCommand(
  databaseUrl: string,
  finding: Pick<WantedCorrection, "id" | "aspect">,
): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const { correction, revision } = await takeBackCorrection(store, finding, new Date());
    print(`Took back the correction of ${correction.aspect} in ${correction.id}. Revision ${revision}.`);
  });
}

function print(text: string): void {
  process.stdout.write(asTyped(`${text}\n`));
}
