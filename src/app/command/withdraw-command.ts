/** `goodword withdraw`: withdraws all reviews from a source. */
import { countOfSource, withdrawSource } from "../../maintenance/withdrawal.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { plural, requireYes, withExistingStore } from "./existing-store.ts";

/** Withdraws a source's reviews after confirmation. @throws Invalid if there are none. */
export async function withdrawCommand(databaseUrl: string, source: string, yes: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const count = await countOfSource(store, source);
    await requireYes(yes, `This takes out ${plural(count, "review")} from ${source}.`);
    const { withdrawn, revision } = await withdrawSource(store, source, new Date());
    process.stdout.write(
      `Withdrew ${plural(withdrawn, "review")} from ${source}. Revision ${revision}.\nAn import of ${source} brings them back; ${asTyped("goodword undo does too")}.\n`,
    );
  });
}
