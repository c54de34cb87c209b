/**
 * Recognises Google's translations. They stand before or after the customer's words, under labels in brackets in the
 * language of whoever exports: "(Translated by Google) … (Original) …". There are as many labels as languages, so they are
 * known by their form: the first names Google, and the parts are in two languages or the labels in lines of their own.
 */
import { languageOf } from "../../insight/text/language.ts";
import { GOOGLE, MACHINE, ORIGINAL, REMARK, TRANSLATED } from "../words/translation-words.ts";

const GOOGLE_LABEL = new RegExp(`[(（[][^()（）[\\]\\n]{0,60}(?:${GOOGLE})[^()（）[\\]\\n]{0,60}[)）\\]]`, "i");
const LABEL = /[(（[][^()（）[\]\n]{1,40}[)）\]]/g;
const ORIGINAL_ALONE = /^[(（[]original[)）\]]$/i;
/** Marks of the writing's direction beside labels and the ends of lines, where texts from right to left have them. */
const BESIDE_LABEL =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+(?=\s*(?:[(（[\n]|$))|(?<=[)）\]\n]|^)[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Labels in brackets, or lines from the end, among which Google's is looked for. */
const MAX_LABELS = 30;

/** Google's label of the original where it stands first, in the languages that begin the word alike. */
const ORIGINAL_FIRST = /^\s*[(（[]orig\p{L}{2,10}[)）\]]\s*(?=\S)/iu;

/** The text without a translation by Google and the labels of both; the same text if it has no such labels. */
export function withoutTranslation(text: string): string {
  const own = originalOf(text);
  const label = ORIGINAL_FIRST.exec(own)?.[0] ?? "";
  const words = own.slice(label.length);
  // "(Original) parts" are a customer's own words.
  return own !== text || label.includes("\n") || /^\P{Ll}/u.test(words) ? words : own;
}

function originalOf(text: string): string {
  if (!GOOGLE_LABEL.test(text)) return betweenLabels(text) ?? text;
  const plain = text.replace(BESIDE_LABEL, "");
  const label = GOOGLE_LABEL.exec(plain);
  if (label === null) return text;
  const before = plain.slice(0, label.index);
  const after = plain.slice(label.index + label[0].length);
  const own = before.trim() === "" ? originalIn(after, label[0]) : originalBefore(before, after, label[0]);
  return own?.trim() ?? text;
}

/** The words behind the label of the original in `[Translated] … [Original] …`, which names no translator. */
function betweenLabels(text: string): string | undefined {
  const label = LABEL_FIRST.exec(text)?.[0];
  if (label === undefined) return undefined;
  for (const { 0: next, index } of text.slice(label.length).matchAll(LABEL).take(MAX_LABELS)) {
    if (!ORIGINAL_LABEL.test(next)) continue;
    const [from, to] = [label.length + index, label.length + index + next.length];
    const [translation, own] = [text.slice(label.length, from), text.slice(to)];
    // "(Advert) They kept the (original) parts" is a customer's own.
    const isOther = areTwoLanguages(translation, own) || (endsLine(translation) && startsLine(own));
    if (own.trim() !== "" && isOther) return own.trim();
  }
  return undefined;
}

const LABEL_FIRST = new RegExp(`^\\s*[(（[]\\p{L}{0,8}(?:${TRANSLATED.source})[^()（）[\\]\\n]{0,30}[)）\\]]`, "iu");
const ORIGINAL_LABEL = new RegExp(`^[(（[]\\s*(?:${ORIGINAL.source})[^()（）[\\]\\n]{0,20}[)）\\]]$`, "i");

/** Marks a text of which a service says in a member of its own that Google translated it. */
export const TRANSLATED_LABEL = "(Translated by Google)";
const MARKED = new RegExp(`^\\s*(?:${TRANSLATED.source})[^\\n.:：]{0,25}(?:${GOOGLE})[^\\n.:：]{0,25}[:：]`, "i");

/** Whether a text, without what `withoutTranslation` takes off, is Google's translation, and no word is the customer's. */
export function isTranslationAlone(given: string): boolean {
  const text = given.replace(BESIDE_LABEL, "");
  const label = GOOGLE_LABEL.exec(text);
  if (label === null) return MARKED.test(text);
  const [before, after] = [text.slice(0, label.index), text.slice(label.index + label[0].length)];
  return TRANSLATED.test(label[0]) && (before.trim() === "" || after.trim() === "");
}

const GOOGLE_NAME = new RegExp(GOOGLE, "i");
const TRANSLATOR = new RegExp(`(?:${TRANSLATED.source})[^\\n.]{0,25}(?:${GOOGLE})`, "i");

/** `Traducción: …` above `Original: …` */
const IN_TWO_LINES = new RegExp(
  `^\\s*(?:${TRANSLATED.source})\\p{L}{0,15}:[^\\0]{1,5000}\\n[ \\t]{0,8}orig\\p{L}{2,10}:`,
  "iu",
);

/** Whether a text still says that a machine translated it, in a form that is not known. */
export function namesTranslator(text: string): boolean {
  if (text.length < 20_000 && (MACHINE.test(text) || IN_TWO_LINES.test(text))) return true;
  return GOOGLE_NAME.test(text) && text.length < 20_000 && TRANSLATOR.test(text);
}

/** The customer's words in what follows the label of a translation: all after the label of the original. */
function originalIn(text: string, label: string): string | undefined {
  const isKnown = TRANSLATED.test(label);
  const parts = Array.from(text.matchAll(LABEL).take(MAX_LABELS), ({ 0: next, index }) => {
    const [translation, original] = [text.slice(0, index), text.slice(index + next.length)];
    return { next, translation, original, isAlone: endsLine(translation) && startsLine(original) };
  }).filter(({ original }) => original.trim() !== "");
  const areTwo = ({ translation, original }: (typeof parts)[number]) => areTwoLanguages(translation, original);
  const isOriginal = ({ next }: (typeof parts)[number]) => ORIGINAL.test(next);
  // "They used (original) parts" is of the translation, where a line of its own says where the original begins.
  const labelled =
    parts.find((part) => part.isAlone && isOriginal(part)) ?? parts.find((part) => part.isAlone || isOriginal(part));
  const isForm = !isKnown && !isRemark(label);
  const found =
    (isKnown ? labelled : undefined) ??
    parts.find((part) => (isKnown || (isForm && part.isAlone && !isRemark(part.next))) && areTwo(part));
  return found?.original;
}

/** The customer's words before the label of a translation that follows them, and those behind it. */
function originalBefore(original: string, translation: string, label: string): string | undefined {
  if (translation.trim() === "") return undefined;
  const [isAlone, isKnown] = [endsLine(original), TRANSLATED.test(label)];
  const behind = isKnown ? Array.from(translation.matchAll(LABEL).take(MAX_LABELS)) : [];
  const next = behind.find(({ 0: mark }) => ORIGINAL_ALONE.test(mark));
  if (next !== undefined) {
    const own = translation.slice(next.index + next[0].length).trim();
    return own.startsWith(original.trim()) ? own : `${original.trimEnd()}\n\n${own}`; // behind a title, which may repeat it
  }
  const isTranslation = isAlone && startsLine(translation) && isKnown;
  const areTwo = (isKnown || (isAlone && !isRemark(label))) && areTwoLanguages(original, translation);
  const isSure = label === TRANSLATED_LABEL && (isAlone || languageOf(original) === "und");
  return isTranslation || areTwo || isSure ? `${original.trimEnd()}${linesAfter(translation, original)}` : undefined;
}

/** The last lines of a translation that are in the language of the customer again, with the line's end before them. */
function linesAfter(translation: string, original: string): string {
  const [first = "", ...others] = translation.trim().split("\n");
  const own = languageOf(original);
  if (languageOf(first) === own) return "";
  const lines = others.slice(-MAX_LABELS);
  const from = lines.findLastIndex((line) => line.trim() !== "" && languageOf(line) !== own) + 1;
  const left = lines.slice(from).join("\n").trim();
  return left === "" ? "" : `\n${left}`;
}

/** Whether words in brackets are a customer's own: "(Found on Google)", "(PS)". Labels of Google have none of these. */
function isRemark(label: string): boolean {
  return REMARK.test(label);
}

/** "(Found on Google) Great! … (Update) …" is a customer's own: a translation is in another language. */
function areTwoLanguages(translation: string, original: string): boolean {
  return languageOf(translation) !== languageOf(original);
}

function endsLine(text: string): boolean {
  return text.slice(text.lastIndexOf("\n") + 1).trim() === "" && text.includes("\n");
}

function startsLine(text: string): boolean {
  const end = text.indexOf("\n");
  return end >= 0 && text.slice(0, end).trim() === "";
}
