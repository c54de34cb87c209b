/** Splits a text into clauses with one statement each, so that "but" keeps praise and blame apart. */
import { BREAK, type Tokens } from "./tokens.ts";
import { wordTable } from "./vocabulary.ts";

/** Sentence number and clause number of every word, both ascending. */
export interface Clauses {
  readonly sentence: readonly number[];
  readonly clause: readonly number[];
}

const CONTRAST = new Set(
  "but however although though yet while whereas except despite unfortunately sadly nevertheless otherwise still only".split(
    " ",
  ),
);
/** Contrasting words that open a clause only after a pause: "still" and "only" are mostly adverbs. */
const CONTRAST_AFTER_PAUSE = new Set(["still", "only", "otherwise", "while", "yet"]);
const SUBJECTS = new Set(
  `i we they he she it you the our my their his her this that these those which who there then so because as when after
  before if and or nor not no never a an everything everyone nobody someone somebody with without once until till
  all what every each both some`.split(/\s+/),
);

/** How a word opens clauses, as bits. */
const OPENS = { contrast: 1, contrastAfterPause: 2, subject: 4, and: 8, subjectAfterAnd: 16 } as const;

/** All words that open clauses: any other is looked up once. */
const OPENERS = new Map([...CONTRAST, ...SUBJECTS].map((form) => [form, howItOpens(form)]));

const openers = wordTable(1, (rows, row, form) => {
  rows[row] = OPENERS.get(form) ?? 0;
});

function howItOpens(form: string): number {
  const contrast = CONTRAST_AFTER_PAUSE.has(form) ? OPENS.contrastAfterPause : OPENS.contrast;
  const subject = form === "a" || form === "all" ? OPENS.subject : OPENS.subject | OPENS.subjectAfterAnd;
  return (CONTRAST.has(form) ? contrast : 0) | (SUBJECTS.has(form) ? subject : 0) | (form === "and" ? OPENS.and : 0);
}

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
export function isContrast(form: string): boolean {
  return CONTRAST.has(form);
}

function opensClause(how: number, next: number, afterPause: boolean): boolean {
  if ((how & OPENS.contrast) !== 0) return true;
  if ((how & OPENS.contrastAfterPause) !== 0) return afterPause;
  if ((how & OPENS.and) !== 0) return (next & OPENS.subjectAfterAnd) !== 0;
  return afterPause;
}
