/** `goodword restore`: replaces the store's contents with a backup, even while it is being served. */
import { prepareRestore } from "../owner/restoring.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { requireYes } from "./confirmation.ts";

/** Restores `file` after confirmation. @throws Error if it is not a backup, or is the store itself. */
export async function restoreCommand(
  databaseUrl: string,
  file: string,
  yes: boolean,
  memoryMb?: number,
): Promise<void> {
  await using restore = await prepareRestore(databaseUrl, file, { memoryMb });
  const { question, details } = restore;
  if (question !== undefined) await requireYes(yes, question, { details });
  process.stdout.write(asTyped(`${(await restore.apply(yes, new Date())).join("\n")}\n`));
}
