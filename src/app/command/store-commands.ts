/**
 * Registers the commands that maintain the store's contents: removals, corrections, withdrawals, history, undo and
 * restore. What each one does is in a file of its own, which is loaded when the command runs.
 */
import { Argument, type Command, Option } from "commander";
import { CORRECTED, type Correction } from "../../correction.ts";
import { isPostgres, isSqlite, withoutPassword } from "../../store/engine/store-url.ts";
import { readConfig } from "../config.ts";
import type { DigestFlags } from "./digest-command.ts";
import type { VanishedFlags } from "./vanished-command.ts";

/** Adds the commands to the program. */
export function addStoreCommands(goodword: Command): void {
  const databaseUrl = () => readConfig(process.env).DATABASE_URL;

  goodword
    .command("remove")
    .description("Remove published reviews permanently, from every document and from the store")
    .argument("<id...>", "ids of the reviews, or the addresses of their pages")
    .action(async (ids: string[]) => {
      const { removeCommand } = await import("./removal-commands.ts");
      await removeCommand(databaseUrl(), ids);
    });

  goodword
    .command("redact")
    .description("Publish reviews without their author's name, their words or both")
    .argument("<id...>", "ids of the reviews, or the addresses of their pages")
    .option("--author", "take out the author's name, picture and link")
    .option("--text", "take out the words")
    .action(async (ids: string[], { author = false, text = false }: RedactFlags, command: Command) => {
      if (!author && !text) command.error("error: name what to remove: --author, --text or both");
      const { redactCommand } = await import("./removal-commands.ts");
      await redactCommand(databaseUrl(), ids, { author, text });
    });

  goodword
    .command("readmit")
    .description("Forget a removal or redaction: the next import brings the review back whole")
    .argument("<id...>", "ids that goodword removed lists")
    .action(async (ids: string[]) => {
      const { readmitCommand } = await import("./removal-commands.ts");
      await readmitCommand(databaseUrl(), ids);
    });

  goodword
    .command("removed")
    .description("List what was removed or redacted, and when")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { removedCommand } = await import("./removal-commands.ts");
      await removedCommand(databaseUrl(), json);
    });

  goodword
    .command("correct")
    .description("Say what a review does, or does not, say about an aspect that was found in it")
    .argument("<id>", "id of the review, or the address of its page")
    .argument("<aspect>", "an aspect that was found in it, such as pricing")
    .addArgument(new Argument("<finding>", "what counts instead").choices(CORRECTED))
    .option("--note <text>", "why, for yourself; it is never published")
    .action(async (id: string, aspect: string, is: Correction["is"], { note }: { note?: string }) => {
      const { correctCommand } = await import("./correction-commands.ts");
      await correctCommand(readConfig(process.env), { id, aspect, is, note });
    });

  goodword
    .command("corrections")
    .description("List your corrections of findings: what was found, what counts instead, and since when")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { correctionsCommand } = await import("./correction-commands.ts");
      await correctionsCommand(databaseUrl(), json);
    });

  goodword
    .command("uncorrect")
    .description("Take a correction back: what the analysis finds counts again")
    .argument("<id>", "id of the review, or the address of its page")
    .argument("<aspect>", "the corrected aspect")
    .action(async (id: string, aspect: string) => {
      const { uncorrectCommand } = await import("./correction-commands.ts");
      await uncorrectCommand(databaseUrl(), { id, aspect });
    });

  goodword
    .command("vanished")
    .description(
      "List the reviews that vanished at their source: when an import had them last, and when one lacked them",
    )
    .option("--json", "as JSON")
    .addOption(new Option("--csv", "as a table").conflicts("json"))
    .addOption(new Option("--appeal", "as the text of an appeal to the platform").conflicts(["json", "csv"]))
    .action(async (flags: VanishedFlags) => {
      const { vanishedCommand } = await import("./vanished-command.ts");
      await vanishedCommand(readConfig(process.env), flags);
    });

  goodword
    .command("digest")
    .description("Show the last seven days against the four weeks before: poor reviews without a reply first")
    .option("--month", "the last month against the three before")
    .option("--print", "as a page (HTML) that prints to one sheet of A4")
    .addOption(new Option("--json", "as JSON").conflicts("print"))
    .action(async (flags: DigestFlags) => {
      const { digestCommand } = await import("./digest-command.ts");
      await digestCommand(readConfig(process.env), flags);
    });

  goodword
    .command("withdraw")
    .description("Withdraw every review of one source")
    .requiredOption("--source <name>", "the source, as the reviews name it")
    .option("--yes", "do it without asking")
    .action(async ({ source, yes = false }: { source: string; yes?: boolean }) => {
      const { withdrawCommand } = await import("./history-commands.ts");
      await withdrawCommand(databaseUrl(), source, yes);
    });

  goodword
    .command("history")
    .description("List the changes of the store, newest first")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { historyCommand } = await import("./history-commands.ts");
      await historyCommand(databaseUrl(), json);
    });

  goodword
    .command("undo")
    .description("Undo the last import, withdrawal or restore")
    .option("--yes", "do it without asking")
    .action(async ({ yes = false }: { yes?: boolean }) => {
      const { undoCommand } = await import("./history-commands.ts");
      const { DATABASE_URL, MEMORY_MB } = readConfig(process.env);
      await undoCommand(DATABASE_URL, yes, MEMORY_MB);
    });

  goodword
    .command("restore")
    .description("Replace the contents of the store by a backup, even while it is served")
    .argument("<file>", "a file that goodword backup wrote")
    .option("--yes", "do it without asking")
    .action(async (file: string, { yes = false }: { yes?: boolean }) => {
      const { restoreCommand } = await import("./restore-command.ts");
      const { DATABASE_URL, MEMORY_MB } = readConfig(process.env);
      await restoreCommand(DATABASE_URL, file, yes, MEMORY_MB);
    });

  goodword
    .command("migrate-store")
    .description("Copy a store to another engine, with everything that it holds; the target must be empty")
    .argument("<from>", "address of the store, as DATABASE_URL has it: sqlite:… or postgres://…")
    .argument("<to>", "address of an empty database, or of a file that is not there yet")
    .action(async (from: string, to: string) => {
      const { migrateStoreCommand } = await import("./store-copy-commands.ts");
      const { MEMORY_MB } = readConfig(process.env);
      await migrateStoreCommand(storeAddress(from, goodword), storeAddress(to, goodword), MEMORY_MB);
    });
}

/** Refuses an invalid store address, and hides its password, which commander's own message would show. */
function storeAddress(text: string, command: Command): string {
  if (isSqlite(text) || isPostgres(text)) return text;
  return command.error(
    `error: ${withoutPassword(text)} is not the address of a store: sqlite:PATH, or postgres://USER:PASSWORD@HOST/NAME, in whose password # is %23 and / is %2F`,
  );
}

interface RedactFlags {
  readonly author?: boolean;
  readonly text?: boolean;
}
