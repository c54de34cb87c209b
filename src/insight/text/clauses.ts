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

/** Of each word whether it opens clauses at all. */
const openers = wordTable(1, (rows, row, form) => {
  rows[row] = CONTRAST.has(form) || SUBJECTS.has(form) ? 1 : 0;
});

/** Splits a text into sentences and clauses. */
export function clausesOf(tokens: Tokens): Clauses {
  const { forms, words, breaks } = tokens;
  const mayOpen = openers(tokens);
  const sentence: number[] = [];
  const clause: number[] = [];
  let sentences = -1;
  let clauses = -1;
  for (let index = 0; index < forms.length; index++) {
    if (breaks[index] === BREAK.sentence || index === 0) {
      sentences++;
      clauses++;
    } else if (
      mayOpen[words[index] as number] === 1 &&
      opensClause(forms[index] as string, breaks[index] === BREAK.pause, forms[index + 1])
    ) {
      clauses++;
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

function opensClause(form: string, afterPause: boolean, next: string | undefined): boolean {
  if (CONTRAST.has(form)) return afterPause || !CONTRAST_AFTER_PAUSE.has(form);
  if (form === "and") return next !== undefined && SUBJECTS.has(next) && next !== "a" && next !== "all";
  return afterPause && SUBJECTS.has(form);
}
