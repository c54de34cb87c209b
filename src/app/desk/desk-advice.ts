/** What commands say, in the words of the desk: options become fields, and commands pages. */
import { WEEKDAYS } from "../../business.ts";
import type { ImportReport } from "../../import/importer.ts";
import { unreadSentence } from "../../insight/prose/unread-sentence.ts";
import { plainLine } from "../../lib/printable-text.ts";
import { type DeskWords, translatedMessage } from "../../page/text/desk-words.ts";
import type { Locale } from "../../page/text/locale.ts";
import { fill } from "../../page/text/words.ts";
import { faultLines } from "../fault-message.ts";

/** A longer message has names of a stranger's, as an archive gives them: it is cut in the middle before patterns look at it. */
const MAX_CHARACTERS = 2_000;

/** Where a text is not UTF-8, and which encodings there are: on the desk, their words are looked at. */
const NOT_UTF8 =
  /, line \d+, byte \d+: the byte \S+ is not UTF-8\. If an older program .*?; otherwise save it as UTF-8/;

function shortened(message: string): string {
  const half = MAX_CHARACTERS / 2;
  return plainLine(message.length <= MAX_CHARACTERS ? message : `${message.slice(0, half)} … ${message.slice(-half)}`);
}

/** What stands between marks that no message has is put back, as it was, when the rest has been put into words. */
const [BEGIN, END] = ["\uE000", "\uE001"];
const MARKS = /[\uE000\uE001]/g;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const MASKED = new RegExp(`${BEGIN}(\\d+)${END}`, "g");
/** Shorter ones are words of messages themselves, such as "Verified buyer". */
const MAX_OWN_QUOTATION = 17;

/**
 * A short message without what files say in it, so that no words of theirs are taken for the program's own: a name that is
 * given, which is never cut, and quotations. `restored` puts these back.
 */
function masked(message: string, given: string): { text: string; restored: (said: string) => string } {
  const kept: string[] = [];
  const mask = (foreign: string) => `${BEGIN}${kept.push(foreign) - 1}${END}`;
  const [clean, name] = [message.replaceAll(MARKS, ""), given.replaceAll(MARKS, "")];
  const named = name === "" ? clean : clean.replaceAll(name, () => mask(name));
  const text = shortened(named).replaceAll(QUOTED, (quoted) =>
    quoted.length > MAX_OWN_QUOTATION && quoted.includes(" ") ? `"${mask(quoted.slice(1, -1))}"` : quoted,
  );
  const put = (said: string) => said.replaceAll(MASKED, (_all, at: string) => kept[Number(at)] ?? "");
  return { text, restored: (said) => plainLine(put(put(said)).replaceAll(MARKS, "")) }; // a quotation may hold the name
}

/** A line of a difference, such as `sources, new: https://…`: what a file says stands there as it is, and whole. */
export function differenceAdvice(line: string, words: DeskWords): string {
  const at = line.indexOf(": ") + 2;
  return `${deskAdvice(line.slice(0, at), words)}${plainLine(line.slice(at))}`;
}

/** What is asked before a change, and a line for each thing that it does. `foreign`: those that hold words of a file. */
export function questionAdvice({ question, details, foreign, name }: AskedLines, words: DeskWords): string[] {
  const advice = (line: string) => deskAdvice(line, words, name);
  return [
    advice(question),
    ...details.map((line) => (foreign.includes(line) ? differenceAdvice(line, words) : advice(line))),
  ];
}

interface AskedLines {
  readonly question: string;
  readonly details: readonly string[];
  readonly foreign: readonly string[];
  /** That of a file, or of several as they stand there. */
  readonly name: string;
}

/**
 * The message of a command with the names of the desk's fields in place of options, and of its pages in place of commands.
 * `fileName`: one that stands in it.
 */
export function deskAdvice(message: string, words: DeskWords, fileName = ""): string {
  const { importing, history, reviews, navigation, findings } = words;
  const name = (text: string) => fill(words.quoted, { text });
  const column = (field: string) => name(importing.columns[field as keyof typeof importing.columns] ?? field);
  const { text, restored } = masked(message, fileName);
  const said = translatedMessage(text.replace(NOT_UTF8, importing.notUtf8), words)
    .replace(/ Revision \d+\.$/, "") // that of the store: the history has numbers of its own
    .replaceAll(/ Only if the file is wrong: --override-source \S+\.|, or set verified on the rows/g, "")
    .replaceAll(/; or take the old reviews out with goodword withdraw --source \S+(?=\. )/g, "")
    .replace(/(with )?--dates dmy \(day first\) or --dates mdy \(month first\)/, `$1${name(importing.dates)}`)
    .replace(/--dates dmy(?! or)/, name(importing.dates))
    .replace(/If other columns hold them, name these: --columns .*$/, importing.chooseColumns)
    .replaceAll(/--columns ((?:\w+=(?:"[^"]*"|…),?)+)/g, (_all, pairs: string) =>
      pairs
        .replaceAll(
          /(\w+)=("[^"]*"|…),?/g,
          (_pair, field: string, value: string) => `${column(field)}${value === "…" ? "" : ` ${value}`} `,
        )
        .trim(),
    )
    .replaceAll(/import it with --encoding [\w-]+(?:; otherwise|, or) save it as UTF-8/g, importing.chooseEncoding)
    .replaceAll(/--encoding/g, name(importing.encoding))
    .replaceAll(
      /, such as --location (?:"[^"]*"|\S+), or with the line location: ID in business\.yaml, which goes for followed addresses and watched folders too/g,
      "",
    )
    .replaceAll(/--location (?:"[^"]*"|\S+)( --yes)?/g, name(importing.location))
    .replaceAll(/--source ([a-z0-9_-]+)/g, `${name(importing.source)}: $1`)
    .replaceAll(/--source/g, name(importing.source))
    .replaceAll(/--complete/g, name(importing.complete))
    .replaceAll(/--skip-invalid/g, name(importing.leaveOut))
    .replaceAll(/do it by hand with --yes/g, name(importing.confirm))
    .replaceAll(/(?:confirm )?(?:it )?with --yes/g, importing.confirmBelow)
    .replaceAll(
      /verified_sources in business\.yaml/g,
      `${name(words.business.labels.verified_sources)} (${navigation.business})`,
    )
    .replace(/^(verified_sources|location)(?=, )/, (_all, member: "verified_sources" | "location") =>
      name(words.business.labels[member]),
    )
    .replace("add it to the aliases of that service in business.yaml", words.business.addAlias)
    .replace(/a business file counts only if you name its own path.*$/, words.business.openItself)
    .replace("name the file that goodword backup wrote", history.chooseBackup)
    .replaceAll(/goodword vanished/g, name(reviews.vanished))
    .replaceAll(/goodword undo/g, name(history.undo))
    .replaceAll(/goodword removed/g, name(reviews.removed))
    .replaceAll(/goodword readmit(?: ID)?/g, name(reviews.allow))
    .replaceAll(/goodword remove(?: ID)?/g, name(reviews.remove))
    .replaceAll(/goodword redact --text/g, name(reviews.hideWords))
    .replaceAll(/goodword corrections/g, name(findings.corrected))
    .replaceAll(/goodword uncorrect(?: [0-9A-Z]{26} \S+)?/g, name(findings.takeBack))
    .replaceAll(/goodword init/g, name(navigation.business))
    .replaceAll(/goodword (?:import|check)/g, name(navigation.import));
  return restored(said);
}

/** As many as anybody reads. A file of somebody else's may be at fault in each of its lines. */
const MAX_LINES = 100;

/** What was wrong, in the words of the desk. */
export function faultAdvice(error: unknown, words: DeskWords): string[] {
  return faultLines(error)
    .slice(0, MAX_LINES)
    .map((line) => deskAdvice(line, words));
}

/** Whether the folder that the desk has written is what is published. */
export function folderLine(
  { start }: DeskWords,
  { address, isOlder }: { readonly address: string; readonly isOlder: boolean },
): string {
  return fill(isOlder ? start.folderOlder : start.folderCurrent, { address });
}

/** What the form of the business calls a field of business.yaml. */
export function labelOf({ words, locale }: DeskLanguage, name: string): string {
  const { labels } = words.business;
  const day = WEEKDAYS.findIndex((each) => name === `hours.${each}`);
  return day === -1 ? (labels[name as keyof typeof labels] ?? name) : locale.weekday(day);
}

interface DeskLanguage {
  readonly words: DeskWords;
  readonly locale: Locale;
}

/** The warnings of a report in the language of the desk. */
export function warningLines(report: ImportReport, { words, locale }: DeskLanguage): string[] {
  const inEnglish = unreadSentence(report);
  const unread = unreadSentence(report, locale.languageName) ?? "";
  return report.warnings.map((line) => deskAdvice(line === inEnglish ? unread : line, words));
}
