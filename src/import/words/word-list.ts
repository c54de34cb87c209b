/** Words of several languages as data, and how they are compared: without regard to case, accents and signs. */
import { normalForm } from "../../lib/normal-form.ts";

/** Words or beginnings of words, separated by blanks, by language. What several languages share stands with one of them. */
type ByLanguage = Readonly<Record<string, string>>;

const LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", ı: "i", đ: "d", æ: "ae", œ: "oe", ß: "ss" };

/** `Publié` as `publie`, `Veröffentlicht` as `veroffentlicht`, `En attente` as `en_attente`. */
export function foldedWord(text: string): string {
  const plain = text.toLowerCase().trim();
  if (ASCII.test(plain)) return plain.replace(/[\s-]+/g, "_");
  return normalForm(normalForm(plain, "NFD").replace(/\p{M}/gu, ""), "NFC")
    .replace(/[łøıđæœß]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\s-]+/g, "_");
}

const ASCII = /^[ -~]*$/;

/** All words of all languages, folded. */
export function wordSet(lists: ByLanguage): ReadonlySet<string> {
  return new Set(Object.values(lists).flatMap((list) => list.split(/\s+/).filter(Boolean).map(foldedWord)));
}

/** Matches folded words that begin with one of these, or are it, where it ends with `$`. */
export function beginnings(lists: ByLanguage): RegExp {
  return new RegExp(`^(?:${[...wordSet(lists)].join("|")})`, "u");
}
