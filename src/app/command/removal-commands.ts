/** `goodword remove`, `redact`, `readmit` and `removed`: permanent removals by the owner. */
import { readmitReviews } from "../../maintenance/removal.ts";
import { listRemovals, type Removal } from "../../store/history/removal-rows.ts";
import { removalLines, removeForGood } from "../owner/removing.ts";
import { localTime, plural, textTable } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { withExistingStore } from "./existing-store.ts";

/** Removes reviews permanently. @throws Invalid if one of them is not published. */
export async function removeCommand(databaseUrl: string, ids: readonly string[]): Promise<void> {
  await takeOut(databaseUrl, ids, ["review"]);
}

/** Removes names or texts from reviews permanently. @throws Invalid if one of them is not published. */
export async function redactCommand(
  databaseUrl: string,
  ids: readonly string[],
  { author, text }: { readonly author: boolean; readonly text: boolean },
): Promise<void> {
  await takeOut(databaseUrl, ids, [...(author ? ["author" as const] : []), ...(text ? ["text" as const] : [])]);
}

async function takeOut(databaseUrl: string, ids: readonly string[], what: readonly Removal["what"][]): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    print(removalLines(await removeForGood({ databaseUrl, store, now: new Date() }, ids, what), what));
  });
}

/** Revokes removals and redactions. @throws Invalid if one of the ids was never removed. */
export async function readmitCommand(databaseUrl: string, given: readonly string[]): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const ids = await readmitReviews(store, given, new Date());
    print([
      `Allowed ${plural(ids.length, "review")} again. Import the export that has ${ids.length === 1 ? "it" : "them"} to publish it whole again.`,
    ]);
  });
}

/** Lists removals and redactions, as a table or as JSON. */
export async function removedCommand(databaseUrl: string, json: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const removals = (await listRemovals(store.database)).map(({ id, what, at }) => ({ id, what, at }));
    if (json) print([JSON.stringify(removals)]);
    else if (removals.length === 0) print(["Nothing was removed or redacted."]);
    else print([textTable([["id", "what", "when"], ...removals.map(({ id, what, at }) => [id, what, localTime(at)])])]);
  });
}

function print(lines: readonly string[]): void {
  process.stdout.write(asTyped(`${lines.join("\n")}\n`));
}
