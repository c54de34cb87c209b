/** Splits a text into clauses with one statement each, so that "but" keeps praise and blame apart. */
import { type Language, perLanguage, wordSet, wordsIn } from "./language-words.ts";
import { BREAK, type Tokens } from "./tokens.ts";
import { wordTable } from "./vocabulary.ts";

/** Sentence number and clause number of every word, both ascending. */
export interface Clauses {
  readonly sentence: readonly number[];
  readonly clause: readonly number[];
}

/** How a word opens clauses, as bits. Contrasting words such as "still" open one only after a pause: they are mostly adverbs. */
const OPENS = { contrast: 1, contrastAfterPause: 2, subject: 4, and: 8, subjectAfterAnd: 16 } as const;
/** All words that open clauses, with how they do. */
const openersOf = perLanguage(({ clauses }) => {
  const how = new Map<string, number>();
  const add = (list: readonly string[], bits: number) => {
    for (const word of wordsIn(list)) how.set(word, (how.get(word) ?? 0) | bits);
  };
  const [afterPause, notAfterAnd] = [wordSet(clauses.contrast_after_pause), wordSet(clauses.not_after_and)];
  for (const word of wordsIn(clauses.contrast))
    add([word], afterPause.has(word) ? OPENS.contrastAfterPause : OPENS.contrast);
  for (const word of wordsIn(clauses.subjects))
    add([word], notAfterAnd.has(word) ? OPENS.subject : OPENS.subject | OPENS.subjectAfterAnd);
  add(clauses.and, OPENS.and);
  return how;
});
const openers = wordTable(1, (rows, row, form, language) => {
  rows[row] = openersOf(language).get(form) ?? 0;
});

/** Splits a text into sentences and clauses. */
export function clausesOf(tokens: Tokens): Clauses {
  const { words, breaks } = tokens;
  const opens = openers(tokens);
  const sentence: number[] = [];
  const clause: number[] = [];
  let sentences = -1;
  let clauses = -1;
  for (let index = 0; index < words.length; index++) {
    if (breaks[index] === BREAK.sentence || index === 0) {
      sentences++;
      clauses++;
    } else {
      const how = opens[words[index] as number] as number;
      const next = index + 1 < words.length ? (opens[words[index + 1] as number] as number) : 0;
      if (how !== 0 && opensClause(how, next, breaks[index] === BREAK.pause)) clauses++;
    }
    sentence.push(sentences);
    clause.push(clauses);
  }
  return { sentence, clause };
}

/** Whether a word introduces a contrast to the preceding clause. */
export function isContrast(form: string, language: Language): boolean {
  return ((openersOf(language).get(form) ?? 0) & (OPENS.contrast | OPENS.contrastAfterPause)) !== 0;
}

function opensClause(how: number, next: number, afterPause: boolean): boolean {
  if ((how & OPENS.contrast) !== 0) return true;
  if ((how & OPENS.contrastAfterPause) !== 0) return afterPause;
  if ((how & OPENS.and) !== 0) return (next & OPENS.subjectAfterAnd) !== 0;
  return afterPause;
}
