/** Chooses the language of the desk's strings: that of the business if there is a translation, otherwise English. */
import { DESK_GERMAN } from "./desk-words-de.ts";
import { DESK_ENGLISH, type DeskWords } from "./desk-words-en.ts";

export type { DeskWords } from "./desk-words-en.ts";

/** The strings for a BCP 47 tag. */
export function deskWordsFor(tag: string): DeskWords {
  return tag.toLowerCase().split("-")[0] === "de" ? DESK_GERMAN : DESK_ENGLISH;
}
