/** Restoring a backup, as commands and the desk do it: what it would do, and what it has done. */
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { openRestore, type RestoreEffects, type RestoreReport } from "../../maintenance/restore.ts";
import { localeOf } from "../../page/text/locale.ts";
import { COMMAND_LANGUAGE, ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import { deleteEditionCache } from "../../publication/edition-cache.ts";
import { isStoreThere, storeFileOf } from "../../store/engine/store-url.ts";
import { openStore } from "../../store/store.ts";
import { faultAfter } from "../fault-message.ts";
import { eraseRemovedWords } from "../removed-words.ts";
import { describeStore } from "../terminal/store-note.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { fieldLines } from "./business-difference.ts";
import { ownerTime } from "./owner-time.ts";
import { type BusinessFileState, movingReviews } from "./undoing.ts";

/** A backup that was opened and checked. */
export interface PreparedRestore extends AsyncDisposable {
  /** What the owner is asked; undefined if there is nothing to lose. */
  readonly question: string | undefined;
  /** The fields of the business that change, and what the backup decides otherwise than the store, besides words. */
  readonly details: readonly string[];
  /** Those of them that hold words of the backup or the store. */
  readonly foreign: readonly string[];
  /** What was asked for confirmation. */
  readonly confirmed: RestoreEffects;
  /** Restores it, and says what that did. `saysEffects`: the owner has not seen them. */
  apply(saysEffects: boolean, now: Date): Promise<string[]>;
}

export interface RestoreOptions {
  readonly memoryMb?: number | undefined;
  /** Its name for messages. */
  readonly name?: string;
  /** What the owner has confirmed already. */
  readonly confirmed?: RestoreEffects | undefined;
  /** BCP 47 tag of the language of what it says. */
  readonly language?: string;
  /** Of the times; that of this machine unless given. */
  readonly timeZone?: string;
  /** What a field of business.yaml is called. */
  readonly label?: (field: string) => string;
  /** Runs the restore, and has business.yaml follow it where that is right. */
  following?<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly file: BusinessFileState }>;
}

/** Opens a backup. @throws Error if it is not a backup, or is the store itself. */
export async function prepareRestore(
  databaseUrl: string,
  file: string,
  {
    memoryMb,
    name = file,
    confirmed: seen,
    language = COMMAND_LANGUAGE,
    timeZone,
    label = (field) => field,
    following = async (work) => ({ result: await work(), file: "stays" }),
  }: RestoreOptions = {},
): Promise<PreparedRestore> {
  requireBackup(databaseUrl, file, name);
  await using opening = new AsyncDisposableStack();
  const restoring = opening.adopt(
    await openRestore(realpathSync(file), {
      ...{ memoryMb, name: name === file ? realpathSync(file) : name },
      inThisProcess: process.permission?.has("child") === false, // whoever runs the command can end it
    }),
    (opened) => opened.close(),
  );
  const open = async () => stack.use(await openStore(databaseUrl));
  const present = isStoreThere(databaseUrl) ? opening.use(await openStore(databaseUrl)) : undefined;
  const confirmed = seen ?? (await restoring.effects(present));
  const effects = linesOf(confirmed, language);
  const said = ownerWordsFor(language);
  const replaces = fill(said.replaces, { store: describeStore(databaseUrl).location, file: name });
  const { from, to } = confirmed.business ?? {};
  const isNew = present === undefined;
  const fields = isNew ? [] : fieldLines(from, to, { differs: said.goesBack, nothing: said.nothing, label });
  const asked = [
    ...[replaces, isNew ? "" : pagesOf(confirmed, language), fields.length === 0 ? "" : said.putsBack],
    ...(fields.length > 0 || effects.length === 0 ? [] : [` ${said.onlyKnown}`]),
  ];
  const stack = opening.move();
  return {
    question: isNew && effects.length === 0 ? undefined : asked.join(""),
    details: [...fields, ...(fields.length > 0 && effects.length > 0 ? [said.onlyKnown] : []), ...effects],
    foreign: [...fields, ...confirmed.powers],
    confirmed,
    async apply(saysEffects, now) {
      const store = present ?? (await open());
      const { result: report, file: businessFile } = await following(() => restoring.apply(store, now, confirmed));
      try {
        deleteEditionCache(databaseUrl);
        await eraseRemovedWords(databaseUrl, store);
      } catch (error) {
        throw faultAfter(`${name} was restored, as revision ${report.revision}`, error);
      }
      const changed = [...confirmed.powers, ...correctionLines(confirmed, language)].map(
        (effect) => `Changed: ${effect}`,
      );
      const words = [
        ...wordsOf(report, name, { language, timeZone, businessFile }),
        ...(saysEffects ? [...changed, ...memoryLines(confirmed)] : []),
      ];
      return words.map(terminalText);
    },
    [Symbol.asyncDispose]: async () => await stack.disposeAsync(),
  };
}

/** What becomes of the pages. */
function pagesOf({ published }: RestoreEffects, language: string): string {
  const { added, changed, withdrawn, removed } = published;
  const moving = movingReviews({ leaving: withdrawn + removed, returning: added }, language);
  const change = localeOf(language).counted(ownerWordsFor(language).pagesChange, changed);
  return `${moving}${changed === 0 ? "" : change}`;
}

function requireBackup(databaseUrl: string, file: string, given: string): void {
  const name = JSON.stringify(given);
  const place = isAbsolute(file) ? "" : ` in ${process.cwd()}`;
  if (!existsSync(file))
    throw new Error(
      `There is no file ${name}${place}. A backup lies where goodword backup was run, unless you moved it. Nothing was changed.`,
    );
  if (!statSync(file).isFile() || !isDatabase(file))
    // a pipe would be waited for
    throw new Error(`${name} is no backup: name the file that goodword backup wrote. Nothing was changed.`);
  const path = storeFileOf(databaseUrl);
  if (path !== undefined && existsSync(path) && realpathSync(path) === realpathSync(file)) {
    throw new Error(`${name} is the store itself, not a backup of it. Nothing was changed.`);
  }
}

/** Whether the file begins as SQLite's files do. Checked first, so that a wrong file makes no empty store. */
function isDatabase(file: string): boolean {
  const opened = openSync(file, "r");
  try {
    const head = Buffer.alloc(DATABASE_MAGIC.length);
    readSync(opened, head);
    return head.toString("latin1") === DATABASE_MAGIC;
  } finally {
    closeSync(opened);
  }
}

const DATABASE_MAGIC = "SQLite format 3\0";

interface RestoredWording {
  readonly language: string;
  readonly timeZone: string | undefined;
  readonly businessFile: BusinessFileState;
}

function wordsOf(report: RestoreReport, file: string, { language, timeZone, businessFile }: RestoredWording): string[] {
  const { added, changed, withdrawn, isBusinessChanged, isListChanged, isNew, removals, revision, backedUpAt } = report;
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  const count = added + changed + withdrawn + removals + correctionLines(report, language).length;
  const isSame = count === 0 && !isBusinessChanged && !isListChanged;
  const erased = erasedLines(report, language);
  const values = { file, revision: String(revision), time: ownerTime(backedUpAt.toISOString(), language, timeZone) };
  if (isSame) return [fill(said.restoredSame, values)];
  const counts = { changed: locale.number(changed), withdrawn: locale.number(withdrawn) };
  return [
    fill(said.restored, { ...values, ...counts, added: locale.counted(said.reviews, added) }),
    ...(isBusinessChanged ? [`${said.businessRestored}${said.businessFile[businessFile]}`] : []),
    isNew ? said.subscriptionsTaken : said.subscriptionsStay,
    ...(removals === 0 ? [] : [locale.counted(said.inForceAgain, removals)]),
    ...erased,
    erased.length === 0 ? said.undoAll : said.undoRest,
  ];
}

/** The effects, as the question shows them. */
function linesOf(effects: RestoreEffects, language: string): string[] {
  const { removals } = ownerWordsFor(language).effects;
  const count = localeOf(language).number(effects.removals);
  return [
    ...[...effects.powers, ...correctionLines(effects, language), ...memoryLines(effects)],
    ...(effects.removals === 0 ? [] : [fill(removals, { count })]),
    ...erasedLines(effects, language),
  ];
}

function memoryLines({ memory }: RestoreEffects): string[] {
  return memory === undefined ? [] : [`warning: ${memory}`];
}

/** What corrections of the backup do to what is found in its reviews. */
function correctionLines({ corrections }: Pick<RestoreEffects, "corrections">, language: string): string[] {
  const { hidden_criticism, hidden_praise, changed, resting } = corrections;
  if (hidden_criticism + hidden_praise + changed + resting === 0) return [];
  const [said, { number }] = [ownerWordsFor(language).effects, localeOf(language)];
  const rest = resting === 0 ? "" : fill(said.rest, { count: number(resting) });
  const counts = { criticism: number(hidden_criticism), praise: number(hidden_praise), changed: number(changed) };
  return [fill(said.corrections, { ...counts, rest })];
}

/** What removals do to the reviews of the store. */
function erasedLines({ deleted, redacted }: Pick<RestoreEffects, "deleted" | "redacted">, language: string): string[] {
  const [said, locale] = [ownerWordsFor(language).effects, localeOf(language)];
  const parts = [
    [said.deleted, deleted],
    [said.redacted, redacted],
  ] as const;
  return parts
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => {
      const more = ids.length > MAX_IDS ? fill(said.more, { count: locale.number(ids.length - MAX_IDS) }) : "";
      return fill(locale.counted(what, ids.length), { ids: `${ids.slice(0, MAX_IDS).join(", ")}${more}` });
    });
}

const MAX_IDS = 20;
