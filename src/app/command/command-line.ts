/**
 * The program `goodword`: its commands, their options, and error handling. A command imports its modules when it runs,
 * so that a starting server does not load the import formats.
 */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type ColumnMapping, parseColumnMapping } from "../../import/format/column-mapping.ts";
import { API_VERSION } from "../../interface.ts";
import { readConfig } from "../config.ts";
import { faultLines } from "../fault-message.ts";
import { disconnectWorker, isWorker, reportFault } from "../server-processes.ts";
import { loadSettingsFile, type SettingsFile } from "../settings-file.ts";
import { chooseSite, type SiteFlags, siteAt } from "../sites/chosen-site.ts";
import { completionScript, SHELLS, type Shell } from "../terminal/shell-completion.ts";
import { describeStore, storeLine } from "../terminal/store-note.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { Declined } from "./confirmation.ts";
import type { DeskFlags } from "./desk-command.ts";
import type { ImportFlags } from "./import-command.ts";
import type { InitFlags } from "./init-command.ts";
import type { ServeFlags } from "./serve-command.ts";
import { addStoreCommands } from "./store-commands.ts";

const EXIT_FAULT = 1;
const EXIT_USAGE = 2;

/** Runs the command line and returns the exit code: 0 success, 1 invalid input or a runtime error, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", passOverClosedPipe);
  try {
    await program().parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    if (error instanceof Declined) process.stderr.write(`${error.message}\n`);
    else await report(error, argv[0] === "serve" && !process.stderr.isTTY);
    return EXIT_FAULT;
  }
}

/** A reader that has read enough, as `head` does, is no fault: what the command does goes on. */
function passOverClosedPipe(error: Error): void {
  if (!("code" in error && error.code === "EPIPE")) throw error;
}

/** Defines the commands and their options. */
export function program(): Command {
  /** The files that settings were read from. */
  const files: SettingsFile[] = [];
  let folder = process.cwd();
  let isSite = false;
  const goodword = new Command("goodword")
    .description(
      "Publishes a local business's verified reviews to people, feed readers, programs, agents and subscribers.",
    )
    .version(API_VERSION)
    .helpCommand(false)
    .showHelpAfterError(asTyped("(goodword --help lists the commands and their options)"))
    .exitOverride()
    .hook("preAction", (_program, command) => {
      const name = command.name();
      const flags: SiteFlags & { places?: boolean } = command.opts();
      // The settings in a site's folder are those of the site, and not of the process.
      const isInSite = !WITHOUT_SITE.has(name) && siteAt(flags, process.env, process.cwd()) !== undefined;
      const own = isInSite ? undefined : loadSettingsFile(process.cwd(), process.env);
      if (own !== undefined) files.push(own);
      if (!WITHOUT_SITE.has(name)) {
        const use = { takesFolder: FOR_ALL_SITES.has(name) || flags.places === true, makesSite: name === "import" };
        const chosen = chooseSite(flags, use, process.env, process.cwd());
        isSite = chosen.folder !== undefined;
        folder = chosen.folder ?? folder;
        files.push(...chosen.settings);
      }
      for (const { path, of, passedOver } of files) {
        const kind = of === "site" ? "setting of a site" : "setting of goodword";
        const warning = `warning: ${path} holds what is no ${kind}, and is passed over: ${passedOver.join(", ")}\n`;
        if (passedOver.length > 0) process.stderr.write(warning);
      }
      if (flags.places !== true) printStore(name);
    });

  goodword
    .command("serve")
    .description("Serve the publication; with an empty store, the bundled sample business")
    .option("--port <number>", "port to listen on, over the setting PORT", portNumber)
    .option("--workers <number>", "processes on this machine, over the setting WORKERS")
    .option("--watch <folder>", "import the folder now, and again whenever it changes")
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import("./serve-command.ts");
      await serveCommand(flags, files);
    });

  goodword
    .command("desk")
    .description("Open your own pages in a browser on this machine: import, reviews, business, history, and more")
    .option("--port <number>", "port to listen on (default: 8090; 0: a free one, another at each start)", portNumber)
    .action(async (flags: DeskFlags) => {
      const { deskCommand } = await import("./desk-command.ts");
      await deskCommand(flags, folder);
    });

  const importing = goodword
    .command("import")
    .description("Import reviews and business.yaml: files, folders or .zip, recognised by content")
    .argument("<path...>", "what to import");
  withImportOptions(importing)
    .option("--complete", "this is the source's whole export: withdraw what it lacks")
    .option(
      "--yes",
      "with --complete: withdraw even more than a fifth of what is published, without asking; with --location: the place has another id now",
    )
    .option("--reviews-only", "refuse files that describe a business")
    .option("--as <name>", "name for the files in goodword history")
    .option("--dry-run", "say what would change, and write nothing")
    .option("--places", "with --sites: a site for each place in the files")
    .action(async (paths: string[], flags: ImportFlags & { readonly places?: boolean }) => {
      const config = readConfig(process.env);
      endOnSignalsInContainer();
      if (flags.places === true) {
        if (config.SITES === "") throw new Error("--places needs the folder of the sites: --sites FOLDER, or SITES");
        const { importPlacesCommand } = await import("./places-command.ts");
        return await importPlacesCommand(config.SITES, paths, flags);
      }
      const { importCommand } = await import("./import-command.ts");
      await importCommand(config, paths, flags);
    });

  const checking = goodword
    .command("check")
    .description("Validate reviews and business.yaml, and compare them with the store, without writing")
    .argument("<path...>", "what to check");
  withImportOptions(checking).action(async (paths: string[], flags: ImportFlags) => {
    const { checkCommand } = await import("./import-command.ts");
    await checkCommand(readConfig(process.env), paths, flags);
  });

  goodword
    .command("init")
    .description("Write a business.yaml: from questions, from the answers given as options, or from a Takeout")
    .argument("[folder]", "where to write it", ".")
    .option("--takeout <path>", "a Takeout's .zip or folder that describes the business")
    .option("--location <name or id>", "the place that the business is, where the Takeout holds several")
    .option("--name <text>", "name of the business; with this or any option below, nothing is asked")
    .option("--category <type>", "a schema.org type such as HVACBusiness or Plumber")
    .option("--time-zone <zone>", "an IANA time zone such as America/Chicago")
    .option(
      "--language <tag>",
      "language and country of your pages, such as en-IE or de: decides words, dates and clock",
    )
    .option("--url <address>", "the business's own site")
    .option("--telephone <number>")
    .option("--email <address>")
    .option("--services <list>", "services, separated by commas")
    .option("--technicians <list>", "technicians, separated by commas")
    .option("--areas <list>", "places served, separated by commas")
    .action(async (folder: string, flags: InitFlags) => {
      const { initCommand } = await import("./init-command.ts");
      await initCommand(folder, flags);
    });

  goodword
    .command("export")
    .description("Write the publication as static files")
    .argument("<folder>", "where to", folderName)
    .action(async (to: string) => {
      const { exportCommand } = await import("./export-command.ts");
      await exportCommand(readConfig(process.env), to, isSite);
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
    .command("sources")
    .description("List the addresses that business.yaml follows: last try, outcome, next try")
    .option("--fetch", "fetch and import all of them now, also those that are not due")
    .option("--json", "as JSON")
    .action(async (flags: { fetch?: boolean; json?: boolean }) => {
      const { sourcesCommand } = await import("./sources-command.ts");
      await sourcesCommand(readConfig(process.env), flags);
    });

  goodword
    .command("notices")
    .description("List the addresses that are told what is new: last message, outcome, next attempt")
    .option("--test", "send each a test now, and say what came back")
    .option("--json", "as JSON")
    .action(async (flags: { test?: boolean; json?: boolean }) => {
      const { noticesCommand } = await import("./notices-command.ts");
      await noticesCommand(readConfig(process.env), flags);
    });

  goodword
    .command("backup")
    .description("Write a consistent copy of the store to a file, while it is served")
    .argument("<file>", "where to; there must be no such file yet")
    .action(async (file: string) => {
      const { backupCommand } = await import("./store-copy-commands.ts");
      await backupCommand(readConfig(process.env).DATABASE_URL, file);
    });

  goodword
    .command("config")
    .description("Show every setting with its value and meaning, secrets hidden")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { configCommand } = await import("./config-command.ts");
      readConfig(process.env);
      configCommand(process.env, { json, settings: files });
    });

  goodword
    .command("sites")
    .description("List the sites of a folder: address, state, reviews")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { SITES } = readConfig({ ...process.env, BASE_URL: "" });
      if (SITES === "") throw new Error("Name the folder of the sites with --sites FOLDER, or set SITES");
      const { sitesCommand } = await import("./sites-command.ts");
      await sitesCommand(SITES, json);
    });

  addStoreCommands(goodword);
  for (const command of goodword.commands) {
    if (WITHOUT_SITE.has(command.name())) continue;
    command.option("--sites <folder>", "a folder of a folder for each business, over the setting SITES");
    if (!WITHOUT_ONE_SITE.has(command.name())) command.option("--site <name>", "work on this site of the folder");
  }

  goodword
    .command("completion")
    .description("Print a script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(completionScript(shell, goodword.commands)));

  for (const [name, examples] of Object.entries(EXAMPLES)) {
    const command = goodword.commands.find((each) => each.name() === name);
    command?.showHelpAfterError(asTyped(`(goodword ${name} --help shows its options and an example)`));
    command?.addHelpText("after", asTyped(`\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`));
  }
  goodword.addHelpText(
    "after",
    asTyped("\nExamples:\n  goodword init\n  goodword import business.yaml takeout.zip\n  goodword serve"),
  );
  return goodword;
}

/** Examples for each command, printed at the end of its help. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    "goodword serve",
    "goodword serve --port 8081",
    "BASE_URL=https://reviews.example.com goodword serve --workers 2",
    "goodword serve --watch incoming",
    "goodword serve --sites /srv/reviews",
  ],
  desk: ["goodword desk", "goodword desk --sites /srv/reviews", "goodword desk --sites /srv/reviews --site leeds"],
  sites: ["goodword sites --sites /srv/reviews"],
  import: [
    "goodword import business.yaml takeout.zip",
    "goodword import reviews.csv --source google",
    "goodword import takeout.zip --complete --dry-run",
    "goodword import takeout.zip --places --sites /srv/reviews",
  ],
  check: ["goodword check business.yaml takeout.zip"],
  init: [
    "goodword init",
    "goodword init --takeout takeout.zip",
    'goodword init --name "Northside Cooling" --category HVACBusiness --time-zone America/Chicago',
  ],
  export: ["BASE_URL=https://reviews.example.com goodword export public"],
  remove: ["goodword remove 01K4Z6V2X3Y4W5A6B7C8D9E0F1"],
  redact: ["goodword redact 01K4Z6V2X3Y4W5A6B7C8D9E0F1 --author"],
  readmit: ["goodword readmit 01K4Z6V2X3Y4W5A6B7C8D9E0F1"],
  removed: ["goodword removed --json"],
  correct: [
    'goodword correct 01K4Z6V2X3Y4W5A6B7C8D9E0F1 pricing none --note "It speaks of another company"',
    "goodword correct 01K4Z6V2X3Y4W5A6B7C8D9E0F1 honesty positive",
  ],
  corrections: ["goodword corrections --json"],
  uncorrect: ["goodword uncorrect 01K4Z6V2X3Y4W5A6B7C8D9E0F1 pricing"],
  digest: ["goodword digest", "goodword digest --print > week.html", "goodword digest --month --json"],
  vanished: ["goodword vanished", "goodword vanished --appeal", "goodword vanished --csv > vanished.csv"],
  withdraw: ["goodword withdraw --source yelp"],
  history: ["goodword history"],
  undo: ["goodword undo"],
  "migrate-store": ["goodword migrate-store sqlite:data/goodword.db postgres://goodword@db.example/goodword"],
  restore: ["goodword restore backup-2026-11-21.db"],
  sources: ["goodword sources", "goodword sources --fetch"],
  subscriptions: ["goodword subscriptions --json"],
  notices: ["goodword notices", "goodword notices --test"],
  backup: ["goodword backup backup-2026-11-21.db"],
  config: ["goodword config", "PORT=8081 goodword config --json"],
  completion: [
    'eval "$(goodword completion bash)"',
    "goodword completion fish > ~/.config/fish/completions/goodword.fish",
  ],
};

/**
 * Signals end an import by the system's own action, which waits for no code: it ends even one that computes. For the first
 * process of a container there is no such action.
 */
function endOnSignalsInContainer(): void {
  if (process.pid !== 1) return;
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
}

function withImportOptions(command: Command): Command {
  return command
    .option("--source <name>", "where the reviews were written that name no source themselves", sourceName)
    .option("--override-source <name>", "where all reviews were written, whatever the files name", sourceName)
    .option("--location <name or id>", "the place whose reviews to take, where the files hold those of several")
    .option("--columns <field=name,…>", 'which column of a table is which field, such as rating="Stars"', columnMapping)
    .addOption(new Option("--dates <order>", "day or month first, in dates that name no month").choices(["dmy", "mdy"]))
    .option("--encoding <name>", "encoding of files that are not UTF-8, such as windows-1252", encodingName)
    .option("--skip-invalid", "import what is valid although some records are refused")
    .option("--list", "list the reviews that are added, changed or withdrawn")
    .option("--json", "print the report as one line of JSON");
}

function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a port, 0 to 65535.");
}

function folderName(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must name the folder to write to, such as public.");
}

function sourceName(text: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be one word in small letters, such as google, yelp or first_party.");
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

/** Commands that work on no site. */
const WITHOUT_SITE = new Set(["completion", "init", "migrate-store"]);
/** Commands that work on a folder of sites. */
const FOR_ALL_SITES = new Set(["serve", "desk", "sites"]);
const WITHOUT_ONE_SITE = new Set(["serve", "sites"]);

/** Commands that use no store, or print its location themselves. */
const WITHOUT_STORE_LINE = new Set(["serve", "desk", "sites", "completion", "config", "init", "migrate-store"]);

/** Commands that do not create a missing store. */
const NOT_CREATING_STORE = new Set(["check"]);

/** Commands that cannot do anything without a store. */
const REQUIRING_STORE = new Set([
  ...["backup", "sources", "subscriptions", "remove", "redact", "readmit", "removed", "withdraw", "history", "undo"],
  ...["correct", "corrections", "uncorrect", "vanished", "digest", "notices"],
]);

/**
 * Prints the location of a command's store to stderr, so that a wrong store is noticed.
 * @throws Error if the command needs a store and there is none.
 */
function printStore(command: string): void {
  if (WITHOUT_STORE_LINE.has(command)) return;
  const note = describeStore(readConfig(process.env).DATABASE_URL);
  if (note.isNew && REQUIRING_STORE.has(command))
    throw new Error(`There is no store at ${note.location}. Run goodword in its folder, or set DATABASE_URL`);
  const isCreating = !NOT_CREATING_STORE.has(command);
  process.stderr.write(`${storeLine(note, { isCreating })}\n`);
  // A restore names its backup, and an import usually has a business file nearby: no warning for these.
  const isMeant =
    note.nearby !== undefined && (command === "restore" || (command === "import" && note.nearby === "a business file"));
  if (isCreating && !isMeant && note.warning !== undefined) process.stderr.write(asTyped(`warning: ${note.warning}\n`));
}

/**
 * Prints faults to stderr, one per line, with the stack only for debugging; a server whose log is read by programs, as
 * lines of its log. A worker reports to its supervisor instead.
 */
async function report(error: unknown, isLogged: boolean): Promise<void> {
  const lines = faultLines(error);
  if (isWorker()) {
    await reportFault(lines.join("\n"));
    return disconnectWorker();
  }
  if (isLogged) {
    const { openLog } = await import("../terminal/log.ts");
    const log = openLog("fatal", false);
    const cause = process.env.LOG_LEVEL === "debug" ? { err: error } : {};
    for (const line of lines) log.fatal(cause, asTyped(terminalText(line)));
    return;
  }
  for (const line of lines) process.stderr.write(asTyped(`error: ${terminalText(line)}\n`));
  if (process.env.LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
