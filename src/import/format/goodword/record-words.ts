/** A record's words: those of the first column of a field that has any, without what spreadsheets and programs left. */

import { withoutEscapes } from "../../review/escaped-text.ts";
import { plainText } from "../../review/html-text.ts";
import { isOfficeNote } from "../../review/office-note.ts";
import type { Picks } from "../../review/read-from.ts";
import type { OwnField } from "../../words/column-words.ts";
import { withoutLastButtons } from "../../words/page-buttons.ts";
import { NO_REPLY } from "../../words/reply-words.ts";
import { EMPTY_RECORD, NO_TITLE, NO_WORDS, PROGRAM_NOTHING, REPLY_MARK } from "../../words/row-words.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import { isEmpty, LOST_WORDS, type RecordValues } from "./record-list.ts";

type WordField = "text" | "title" | "reply";

/** Reads the words of a field: undefined if it has no column, null if the customer wrote none. */
export type WordReader = (field: WordField, value: RecordValues) => unknown;

export function makeWordReader(
  columns: ReadonlyMap<OwnField, readonly string[]>,
  { notes, picks, apart }: { notes: ReadingNotes; picks: Picks; apart: ReadonlySet<string> },
): WordReader {
  const of = (field: OwnField) => columns.get(field) ?? [];
  /** A record with words in two members keeps those of one. Where they begin alike, one is an excerpt of the other. */
  function noteOtherWords(field: OwnField, name: string, text: unknown, value: RecordValues): void {
    const start = String(text).trim().slice(0, 20);
    for (const other of of(field).slice(of(field).indexOf(name) + 1)) {
      const words = value(other);
      if (typeof words !== "string" || isEmpty(words) || words.trim().startsWith(start)) continue;
      if (text === words || String(text).startsWith(words.trim().slice(0, 20))) continue;
      notes.countPair("otherWords", name, other);
    }
  }
  return (field, value) => {
    const names = of(field);
    /** The first one that is there and empty, where others hold other words than it. */
    let empty: string | undefined;
    for (const name of names) {
      const given = value(name);
      const found = isFormula(given) ? shownBy(given) : withoutGuard(given);
      if (found !== given && found === "") notes.count("formula");
      if (typeof found === "string" && LOST_WORDS.test(found)) notes.count("lostWords");
      if (isNothing(field, found)) notes.count("nothing");
      else if (isNoReply(field, found)) continue;
      else if (field === "reply" && isOfficeNote(found)) notes.count("officeNote");
      else if (!isEmpty(found) && empty !== undefined && apart.has(name)) {
        notes.countPair("wordsElsewhere", empty, name);
        return null;
      } else if (!isEmpty(found)) {
        const plain = typeof found === "string" ? withoutEscapes(found) : found;
        if (plain !== found) notes.count("escapes");
        const inPage = plainText(plain);
        if (inPage !== plain) notes.count("markup");
        const text = typeof inPage === "string" ? withoutLastButtons(inPage) : inPage;
        if (text !== inPage) notes.count("buttons");
        picks.note(field === "reply" ? "owner_reply_text" : field, name);
        if (field === "text" && typeof found === "string") notes.noteEnd(found);
        if (field !== "reply") noteOtherWords(field, name, text, value);
        return text;
      }
      if (found !== undefined && apart.has(name) && !/original/i.test(name)) empty ??= name;
    }
    return names.length === 0 ? undefined : null;
  };
}

/** `N/A`, `not yet answered` */
export function isNoReply(field: WordField, found: unknown): boolean {
  return field === "reply" && typeof found === "string" && NO_REPLY.test(found);
}

/** Whether a cell or member is what a program writes where there are no words of this field. */
export function isNothing(field: WordField, found: unknown): boolean {
  if (field === "text" && found === 0) return true;
  if (typeof found !== "string") return false;
  if (PROGRAM_NOTHING.test(found) || EMPTY_RECORD.test(found)) return true;
  if (field === "reply") return REPLY_MARK.test(found);
  return (
    found.length < MAX_NOTHING &&
    (NO_WORDS.test(found) || (field === "title" && (NO_REPLY.test(found) || NO_TITLE.test(found))))
  );
}

const MAX_NOTHING = 100;

/** Words without the sign that exports put before them, so that no spreadsheet takes them for a formula: `'=Great`. */
function withoutGuard(value: unknown): unknown {
  return typeof value === "string" && /^'[=+@-]/.test(value) ? value.slice(1) : value;
}

/** A spreadsheet's formula, and the text that two of them show: `="007"`, `=HYPERLINK("https://…","See it")`. */
const FORMULA = /^=\s*(?:[A-Z][A-Z.]{0,30}\(.*\)|\$?[A-Z]{1,3}\$?\d+(?:\s*[-+*/&:!].*)?|\d[-\d.,\s+*/^()]*|"[^"]*")$/s;
const SHOWN = /^=\s*(?:HYPERLINK\(\s*"[^"]*"\s*[,;]\s*)?"([^"]*)"\s*\)?$/i;

function isFormula(value: unknown): value is string {
  return typeof value === "string" && value.includes("=") && FORMULA.test(value.trim());
}

function shownBy(formula: string): string {
  return SHOWN.exec(formula.trim())?.[1]?.trim() ?? "";
}
