/**
 * The program `goodword`: its commands, their options, and what becomes of a fault. What a command needs is imported
 * when it runs: a server that starts does not wait for the readers of files.
 */
import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Logger } from "pino";
import { type ColumnMapping, parseColumnMapping } from "../../import/format/column-mapping.ts";
import { Invalid } from "../../issue.ts";
import { type Config, readConfig } from "../config.ts";
import { openLog } from "../log.ts";
import { isWorker, leave, superviseWorkers } from "../workers.ts";
import type { ImportFlags } from "./import-command.ts";

const EXIT_FAULT = 1;
const EXIT_USAGE = 2;

/** Runs the command line and gives the exit code: 0 done, 1 a fault in the input or at run time, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    await program().parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    report(error);
    return EXIT_FAULT;
  }
}

/** The commands and their options. */
export function program(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const goodword = new Command("goodword")
    .description(
      "Publishes a local business's verified reviews to people, feed readers, programs, agents and subscribers.",
    )
    .version(version)
    .helpCommand(false)
    .showHelpAfterError("(goodword --help lists the commands and their options)")
    .exitOverride();

  goodword
    .command("serve")
    .description("Serve the publication; with an empty store, the bundled sample business")
    .option("--port <number>", "port to listen on, over the setting PORT", portNumber)
    .option("--workers <number>", "processes on this machine, over the setting WORKERS")
    .option("--watch <folder>", "import the folder now, and again whenever it changes")
    .action(async (flags: ServeFlags) => await serveCommand(flags));

  const importing = goodword
    .command("import")
    .description("Bring reviews and business.yaml in: files, folders or .zip, recognised by content")
    .argument("<path...>", "what to import");
  withImportOptions(importing)
    .option("--complete", "this is the source's whole export: withdraw what it lacks")
    .option("--yes", "with --complete: withdraw even more than a fifth of what is published, without asking")
    .option("--dry-run", "say what would change, and write nothing")
    .action(async (paths: string[], flags: ImportFlags) => {
      const { importCommand } = await import("./import-command.ts");
      await importCommand(readConfig(process.env), paths, flags);
    });

  const checking = goodword
    .command("check")
    .description("Validate reviews and business.yaml as import would, without writing")
    .argument("<path...>", "what to check");
  withImportOptions(checking).action(async (paths: string[], flags: ImportFlags) => {
    const { checkCommand } = await import("./import-command.ts");
    await checkCommand(paths, flags);
  });

  goodword
    .command("export")
    .description("Write the publication as static files")
    .argument("<folder>", "where to")
    .action(async (folder: string) => {
      const { exportCommand } = await import("./export-command.ts");
      await exportCommand(readConfig(process.env), folder);
    });

  goodword
    .command("subscriptions")
    .description("List subscriptions: topic, callback host, state, lease end, failures")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { subscriptionsCommand } = await import("./subscriptions-command.ts");
      await subscriptionsCommand(readConfig(process.env).DATABASE_URL, json);
    });

  goodword
    .command("backup")
    .description("Write a consistent copy of the embedded store, while it is served")
    .argument("<file>", "where to; there must be no such file yet")
    .action(async (file: string) => {
      const { backupCommand } = await import("./backup-command.ts");
      await backupCommand(readConfig(process.env).DATABASE_URL, file);
    });

  goodword
    .command("config")
    .description("Show every setting with its value and meaning, secrets hidden")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { configCommand } = await import("./config-command.ts");
      readConfig(process.env);
      configCommand(process.env, json);
    });

  return goodword;
}

function withImportOptions(command: Command): Command {
  return command
    .option("--source <name>", "where the reviews were written, over what the files say", sourceName)
    .option("--columns <field=name,…>", 'which column of a table is which field, such as rating="Stars"', columnMapping)
    .addOption(new Option("--dates <order>", "day or month first, in dates that name no month").choices(["dmy", "mdy"]))
    .option("--encoding <name>", "encoding of files that are not UTF-8, such as windows-1252", encodingName)
    .option("--skip-invalid", "import what is valid although some records are refused")
    .option("--json", "print the report as one line of JSON");
}

interface ServeFlags {
  readonly port?: string;
  readonly workers?: string;
  readonly watch?: string;
}

async function serveCommand({ port, workers, watch }: ServeFlags): Promise<void> {
  const over = {
    ...(port === undefined ? {} : { PORT: port }),
    ...(workers === undefined ? {} : { WORKERS: workers }),
  };
  const config = readConfig({ ...process.env, ...over });
  const log = openLog(config.LOG_LEVEL, process.stderr.isTTY);
  const stop = new AbortController();
  // Not once: a supervisor signals the whole group and the first process its workers, and twice is not "at once".
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  const { serve } = await import("../serve.ts");
  if (isWorker()) {
    await serve(config, log, stop.signal);
    return leave();
  }
  const watching = watch === undefined ? undefined : watchInto(watch, log, stop.signal);
  if (config.WORKERS === 1) await serve(config, log, stop.signal);
  else await serveByWorkers(config, log, stop.signal);
  await watching;
}

async function watchInto(folder: string, log: Logger, stop: AbortSignal): Promise<void> {
  const { watchFolder } = await import("../watch.ts");
  await watchFolder(folder, log, stop);
}

/** Brings the store up to date once, before several workers open it. */
async function serveByWorkers(config: Config, log: Logger, stop: AbortSignal): Promise<void> {
  const { openStore } = await import("../../store/store.ts");
  await (await openStore(config.DATABASE_URL)).close();
  await superviseWorkers(config.WORKERS, log, stop);
}

function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a port, 0 to 65535.");
}

function sourceName(text: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be a word such as google, yelp or first_party.");
}

function columnMapping(text: string, before: ColumnMapping | undefined): ColumnMapping {
  try {
    return parseColumnMapping(text, before);
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
}

function encodingName(text: string): string {
  try {
    new TextDecoder(text);
    return text;
  } catch {
    throw new InvalidArgumentError("It must be an encoding such as windows-1252, utf-16le or macintosh.");
  }
}

/** Says on stderr what went wrong: each issue on its line; for anything else its message, the stack only for debugging. */
function report(error: unknown): void {
  if (error instanceof Invalid) {
    for (const issue of error.issues) process.stderr.write(`error: ${issue.message}\n`);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  if (process.env.LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
