/**
 * Finds the language of a text: by its script; where several languages share one, by the pieces of its words; and in most
 * English texts already by their frequent words.
 */
import { isWords } from "../../review.ts";
import { knownWords } from "./background-table.ts";
import { languageTable } from "./language-table.ts";
import { ENGLISH, type Language, languageNamed, perLanguage, READ_TAGS, wordSet, wordsIn } from "./language-words.ts";
import { type Tokens, tokenise } from "./tokens.ts";
import { wordTable } from "./vocabulary.ts";

/** The languages that the analyser reads. */
const READ_LANGUAGES: ReadonlySet<string> = new Set(READ_TAGS);
/** The language of a text that does not tell it, such as "OK 👍". It is read as English is. */
const UNDETERMINED = "und";

/** Whether the analyser reads texts in this language. Of a review without text, which has none, the stars are read. */
export function isReadLanguage(language: string | null): boolean {
  return language === null || language === UNDETERMINED || READ_LANGUAGES.has(language);
}

/** The beginning of a text tells its language. No word counts that may go on behind it. */
const [MAX_CHARACTERS, MAX_WORD_END] = [1_000, 950];
/** In English nearly half of the words are noted ones: with fewer, most of the text may be in another language. */
const [MIN_ENGLISH_WORDS, MIN_ENGLISH_SHARE] = [3, 0.25];
/** How far another language must be ahead of English: next to no English text may be lost. */
const MIN_LEAD = 40;
/** How far English must be ahead of the others to be named. */
const MIN_ENGLISH_LEAD = 20;
/** What a word of English alone counts for it; and against it a word that English lacks, and one with such a letter. */
const [ENGLISH_WORD, FOREIGN_WORD, FOREIGN_LETTER] = [190, 60, 30];
/** How far another that is read must be ahead of those that are not: next to no text in those may have a finding. */
const MIN_READ_LEAD = 30;
/** What a word that its neighbours lack counts for a language that is read, and a word that it lacks against it. */
const TELLING_WORD = 80;
/** A text of at most this many words is short: their pieces tell less than the words themselves. */
const MAX_SHORT = 7;
/** A text of at most this many words tells little, and how far its words must speak more for others than for English. */
const [MAX_FEW, MIN_LEAD_OF_FEW] = [4, 110];
/** How far a language that few customers write in must be ahead of the others. */
const RARE_HANDICAP = 40;
const RARE = new Set("az be bg ca eu et hr is ku lt lv mr sk sl sq sr tl yo".split(" "));

/** What is noted of a word: nothing, that English alone has it, that all languages do, or all but English. */
const [UNNOTED, IS_ENGLISH, IS_EVERYWHERE, IS_FOREIGN] = [0, 1, 2, 3];
const NOTED = new Map([
  ...wordsIn(ENGLISH.words.alone).map((word) => [word, IS_ENGLISH] as const),
  ...wordsIn(ENGLISH.words.all_languages).map((word) => [word, IS_EVERYWHERE] as const),
  ...wordsIn(ENGLISH.words.never).map((word) => [word, IS_FOREIGN] as const),
]);
/** The same by the number of a word in its vocabulary. */
const notedKinds = wordTable(1, (kinds, row, form) => {
  kinds[row] = NOTED.get(form) ?? UNNOTED;
});

/** The languages of each script but Latin. The table tells those of one script apart. */
const SCRIPTS = Object.entries({
  Cyrillic: "ru uk be bg sr",
  Arabic: "ar fa ur ku",
  Devanagari: "hi mr",
  Han: "zh",
  Hangul: "ko",
  Thai: "th",
  Greek: "el",
  Hebrew: "he",
  Armenian: "hy",
  Georgian: "ka",
  Bengali: "bn",
  Gujarati: "gu",
  Gurmukhi: "pa",
  Kannada: "kn",
  Malayalam: "ml",
  Oriya: "or",
  Sinhala: "si",
  Tamil: "ta",
  Telugu: "te",
  Ethiopic: "am",
  Khmer: "km",
  Lao: "lo",
  Mongolian: "mn",
  Myanmar: "my",
  Tibetan: "bo",
}).map(([script, languages]) => ({
  letters: new RegExp(`\\p{Script=${script}}`, "gu"),
  languages: languages.split(" "),
  // A character of Chinese or Korean stands for several letters.
  weight: script === "Han" ? 3 : script === "Hangul" ? 2 : 1,
}));
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const LATIN = /\p{Script=Latin}/gu;
const BEYOND_LATIN = /[\p{L}--\p{Script=Latin}]/v;
const NOT_ASCII = /[^ -~\n\t]/;

/**
 * The language in which most of a text is written, as a BCP 47 base tag; `und` where nothing tells it. `tokens` are those of
 * the text, if they are there already.
 */
export function languageOf(text: string, tokens: Tokens = tokenise(text.slice(0, MAX_CHARACTERS))): string {
  const beginning = text.slice(0, MAX_CHARACTERS);
  const languages = NOT_ASCII.test(beginning) ? languagesOfScript(beginning.normalize()) : undefined;
  if (languages?.length === 1) return languages[0] as string;
  if (languages !== undefined) return strongestNamed(weighWords(tokens).sums, languages);
  if (isPlainlyEnglish(tokens)) return "en";
  const weights = weighWords(tokens);
  const language = latinLanguage(weights, tokens);
  if (language !== "en" && tellsLittle(tokens, language)) return UNDETERMINED;
  const isOther =
    isReadLanguage(language) &&
    (isMostlyUnknown(tokens, languageNamed(language), weights) || isLookalike(tokens, languageNamed(language)));
  return isOther ? likeliestUnread(weights.sums) : language;
}

/** The language of a review's text; null without words. */
export function languageOfText(text: string | null): string | null {
  return isWords(text) ? languageOf(text) : null;
}

/** The languages of the script that most of the text is written in; undefined for Latin. */
function languagesOfScript(text: string): readonly string[] | undefined {
  if (!BEYOND_LATIN.test(text)) return undefined;
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  let most = count(LATIN);
  let languages: readonly string[] | undefined;
  const kana = count(KANA);
  for (const script of SCRIPTS) {
    const isHan = script.languages[0] === "zh";
    const letters = (count(script.letters) + (isHan ? kana : 0)) * script.weight;
    if (letters <= most) continue;
    most = letters;
    languages = isHan && kana > 0 ? ["ja"] : script.languages;
  }
  return languages;
}

/** Whether enough words are English ones for most of the text to be. Saves most texts the table. */
function isPlainlyEnglish(tokens: Tokens): boolean {
  const { words, ends } = tokens;
  const kinds = notedKinds(tokens);
  let [count, english, foreign] = [0, 0, 0];
  for (; count < words.length && (ends[count] as number) < MAX_WORD_END; count++) {
    const kind = kinds[words[count] as number];
    if (kind === IS_ENGLISH) english++;
    else if (kind === IS_FOREIGN) foreign++;
  }
  return english >= MIN_ENGLISH_WORDS && english >= count * MIN_ENGLISH_SHARE && foreign < english;
}

/** How strongly a text's words speak for each language of the table, and for English. */
interface Weights {
  readonly sums: Int32Array;
  readonly english: number;
}

function weighWords(tokens: Tokens): Weights {
  const { forms, words, ends } = tokens;
  const { firstSums, english, addWord } = tableByScript();
  const kinds = notedKinds(tokens);
  const sums = firstSums.slice();
  let noted = 0;
  for (let at = 0; at < words.length && (ends[at] as number) < MAX_WORD_END; at++) {
    const kind = kinds[words[at] as number];
    if (kind === IS_ENGLISH) noted += ENGLISH_WORD;
    else if (kind === IS_FOREIGN) noted -= FOREIGN_WORD;
    const form = forms[at] as string;
    if (kind === IS_ENGLISH || kind === IS_EVERYWHERE || !IS_WORD.test(form)) continue;
    addWord(Buffer.from(form.normalize()), sums);
    if (NOT_ASCII.test(form)) noted -= FOREIGN_LETTER;
  }
  return { sums, english: (sums[english] as number) + noted };
}

/** Letters, and no digits: "gr8" and "2nd" are not words that tell a language. */
const IS_WORD = /^['\p{M}]*\p{L}['\p{L}\p{M}]*$/u;

/** Latin letters: English unless another language is clearly ahead; of the others one that is read only if it is ahead. */
function latinLanguage({ sums, english }: Weights, tokens: Tokens): string {
  const { read, unread, languages } = tableByScript();
  const [ours, others] = [strongest(sums, read), strongest(sums, unread)];
  const lead = Math.max(ours.sum, others.sum) - english;
  if (lead <= MIN_LEAD) return -lead > MIN_ENGLISH_LEAD ? "en" : UNDETERMINED;
  const own = languages[ours.index] as string;
  const telling = tellingWords(tokens, own);
  if (ours.sum + TELLING_WORD * telling > others.sum + MIN_READ_LEAD) return own;
  const isSibling = frequentWords(languageNamed(own)).siblings.has(languages[others.index] as string);
  if (telling >= 0 && !isSibling && isShortAndKnown(tokens, languageNamed(own))) return own;
  return likeliestUnread(sums);
}

/** Whether a text is short, and all its words are a language's: of those that are not read only pieces of words are known. */
function isShortAndKnown({ forms }: Tokens, language: Language): boolean {
  return forms.length <= MAX_SHORT && forms.every((form) => !IS_WORD.test(form) || isOfLanguage(form, language));
}

/**
 * Whether too little tells the language of a few words: they are all known in English or speak hardly more for another.
 * Misspelt words and names look like those of many languages. One with a letter or a word that English lacks tells enough.
 * Beside words of all languages, in which an aspect may be found whatever the rest says, the doubt keeps a text unread.
 */
function tellsLittle({ text, forms, starts, ends }: Tokens, found: string): boolean {
  const places = [...forms.keys()].filter((at) => IS_WORD.test(forms[at] as string));
  if (places.length > MAX_FEW) return false;
  const words = places.map((at) => forms[at] as string);
  const tells = (form: string) =>
    NOT_ASCII.test(form) || [IS_FOREIGN, IS_EVERYWHERE].includes(NOTED.get(form) ?? UNNOTED);
  if (words.some(tells)) return false;
  const isRead = found !== UNDETERMINED && isReadLanguage(found);
  if (isRead && words.some((form) => isOfLanguage(form, languageNamed(found)))) return false;
  if (words.every((form) => isKnown(form, ENGLISH))) return true;
  // A later word with a capital may be a name, which tells nothing, and beside it others may be of one: each must tell enough.
  const isName = (at: number) => at > 0 && IS_NAME_LIKE.test(text.slice(starts[at], ends[at]));
  const leads = places.filter((at) => !isName(at)).map((at) => leadOf(forms[at] as string));
  const least = MIN_LEAD_OF_FEW * (leads.length < places.length ? Math.max(1, leads.length) : 1);
  return leads.reduce((sum, lead) => sum + lead, 0) < least;
}

/** How much more a word speaks for any other language than for English. */
function leadOf(form: string): number {
  const { languages, english, read, unread, addWord } = tableByScript();
  if (NOTED.get(form) === IS_ENGLISH) return -ENGLISH_WORD;
  const sums = new Int32Array(languages.length);
  addWord(Buffer.from(form), sums);
  return Math.max(strongest(sums, read).sum, strongest(sums, unread).sum) - (sums[english] as number);
}

/** The unread language in Latin letters that a text's words speak for most. */
function likeliestUnread(sums: Int32Array): string {
  const { unread, languages } = tableByScript();
  const language = languages[strongest(sums, unread).index] as string;
  return language === "ms" ? "id" : language; // the table has Malay, and most customers who seem to write it are Indonesian
}

/** Words that tell no language: "service", "super". */
const wordsOfAll = perLanguage((words) => wordSet([...words.all_languages, ...ENGLISH.words.all_languages]));

function isOfLanguage(form: string, language: Language): boolean {
  return frequentWords(language).alone.has(form) || knownWords(language).has(form);
}

/** Whether a word or what it is an inflection of is a language's. */
function isKnown(form: string, language: Language): boolean {
  return isOfLanguage(form, language) || isOfLanguage(form.replace(/(?:s|ed|ing)$/, ""), language);
}

/**
 * Whether a text only looks like a language, of which it has few words: Hindi in Latin letters beside "staff" and
 * "service", Haitian beside French, a dialect. The table of pieces lacks many languages.
 */
function isMostlyUnknown(tokens: Tokens, language: Language, { sums, english }: Weights): boolean {
  const { text, forms, starts, ends } = tokens;
  const everywhere = wordsOfAll(language);
  const isName = (at: number) => language === ENGLISH && at > 0 && IS_CAPITAL.test(text.charAt(starts[at] as number));
  let [count, telling, unknown] = [0, 0, 0];
  for (let at = 0; at < forms.length && (ends[at] as number) < MAX_WORD_END; at++) {
    const form = forms[at] as string;
    if (!IS_WHOLE_WORD.test(form)) continue;
    count += 1;
    if (everywhere.has(form)) continue;
    telling += 1;
    if (language === ENGLISH && NOTED.get(form) === IS_FOREIGN) unknown += 2;
    else if (!isKnown(form, language) && !isName(at)) unknown += 1;
  }
  const { share, leadPerWord } = language === ENGLISH ? MOSTLY_UNKNOWN.english : MOSTLY_UNKNOWN.others;
  if (unknown < MIN_UNKNOWN || unknown < telling * share) return false;
  const { read, unread } = tableByScript();
  const own = language === ENGLISH ? english : strongest(sums, read).sum;
  const lead = own - strongest(sums, unread).sum;
  return lead < leadPerWord * count || (language !== ENGLISH && tellingWords(tokens, language.tag) < 0);
}
const IS_WHOLE_WORD = /^\p{L}[\p{L}\p{M}]+$/u;
const IS_CAPITAL = /^\p{Lu}/u;
const IS_NAME_LIKE = /^\p{Lu}.*\p{Ll}/u;
const MIN_UNKNOWN = 2;
/** From which share of unknown words on a language must be ahead, and how far for each word of the text. */
const MOSTLY_UNKNOWN = { english: { share: 0.5, leadPerWord: 35 }, others: { share: 0.4, leadPerWord: 40 } };

const frequentWords = perLanguage(({ alone, never, lookalikes, siblings, stems }) => {
  return {
    siblings: wordSet(siblings),
    alone: wordSet(alone),
    never: wordSet([...never, ...lookalikes]),
    lookalikes: wordSet(lookalikes),
    letters: new RegExp(`^(?:${stems.letters}|')+$`, "u"),
  };
});

/** Whether more words are those of languages that the table of pieces lacks than a language's own: Afrikaans beside Dutch. */
function isLookalike({ forms, ends }: Tokens, language: Language): boolean {
  const { alone, lookalikes } = frequentWords(language);
  let lead = 0;
  for (let at = 0; lookalikes.size > 0 && at < forms.length && (ends[at] as number) < MAX_WORD_END; at++) {
    const form = forms[at] as string;
    if (lookalikes.has(form)) lead += 1;
    else if (alone.has(form)) lead -= 1;
  }
  return lead > 0;
}

/** The number of words that a language has and its neighbours lack, less the number of those that it lacks. */
function tellingWords({ forms, ends }: Tokens, language: string): number {
  const { alone, never, letters } = frequentWords(languageNamed(language));
  let count = 0;
  for (let at = 0; at < forms.length && (ends[at] as number) < MAX_WORD_END; at++) {
    const form = forms[at] as string;
    if (alone.has(form)) count += 1;
    else if (never.has(form) || (IS_WORD.test(form) && !letters.test(form.normalize()))) count -= 1;
  }
  return count;
}

/** The greatest of some languages' sums. */
function strongest(sums: Int32Array, among: readonly number[]): { readonly index: number; readonly sum: number } {
  let best = among[0] as number;
  for (const index of among) if ((sums[index] as number) > (sums[best] as number)) best = index;
  return { index: best, sum: sums[best] as number };
}

/** Which of the named languages has the greatest sum. */
function strongestNamed(sums: Int32Array, names: readonly string[]): string {
  const { languages } = tableByScript();
  return languages[
    strongest(
      sums,
      names.map((name) => languages.indexOf(name)),
    ).index
  ] as string;
}

/** The table with the indexes of its languages in Latin letters, and the sums that a text begins with. */
function loadTable() {
  const table = languageTable();
  const others = new Set(["en", ...SCRIPTS.flatMap(({ languages }) => languages)]);
  const latin = [...table.languages.keys()].filter((index) => !others.has(table.languages[index] as string));
  const isRead = (index: number) => READ_LANGUAGES.has(table.languages[index] as string);
  return {
    ...table,
    english: table.languages.indexOf("en"),
    read: latin.filter(isRead),
    unread: latin.filter((index) => !isRead(index)),
    firstSums: Int32Array.from(table.languages, (language) => (RARE.has(language) ? -RARE_HANDICAP : 0)),
  };
}
let loaded: ReturnType<typeof loadTable> | undefined;

function tableByScript() {
  loaded ??= loadTable();
  return loaded;
}
