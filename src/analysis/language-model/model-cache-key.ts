/**
 * Under which key a language model's analysis of a text is kept. It changes with the text, the stars, the model, and
 * all that the model is told; what it is told follows from the version of the instruction and the taxonomy's subjects.
 */
import { createHash } from "node:crypto";

/** Raised with every change of the instruction, so that all texts are put to the model again. */
export const INSTRUCTION_VERSION = 1;

/** What of a taxonomy a model is told: not the lexicon's patterns, so that tuning them asks nothing twice. */
export interface Subjects {
  readonly label: string;
  readonly aspects: readonly { readonly id: string; readonly label: string; praised_for: string; blamed_for: string }[];
  readonly problems: readonly { readonly id: string; readonly label: string }[];
  readonly topics: readonly { readonly id: string; readonly label: string }[];
}

/** What tells one reader of reviews from another: 16 hexadecimal digits. */
export function readerTag(model: string, { label, aspects, problems, topics }: Subjects): string {
  const told = [
    INSTRUCTION_VERSION,
    model,
    label,
    aspects.map(({ id, label, praised_for, blamed_for }) => [id, label, praised_for, blamed_for]),
    ...[problems, topics].map((list) => list.map(({ id, label }) => [id, label])),
  ];
  return sha256(JSON.stringify(told)).slice(0, 16);
}

/** The key of a reader's analysis of a text with its stars: `TEXT.READER`. The part before the dot is the text's own. */
export function modelAnalysisKey(text: string, rating: number, tag: string): string {
  return `${textTag(text, rating)}.${tag}`;
}

/** The part of such keys that is the same for all readers. */
export function textTag(text: string, rating: number): string {
  return sha256(`${rating}\0${text}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
