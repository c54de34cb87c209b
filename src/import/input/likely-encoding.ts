/**
 * Judges in which encoding a text that is not UTF-8 is likeliest written: by how often the letters beyond ASCII that it then
 * has occur in the languages of that encoding. Only words with such letters are looked at.
 */
import { isUtf8 } from "node:buffer";
import { quote } from "../../issue.ts";
import type { InputFile } from "./input-file.ts";

/** The encodings of Windows, of old Macs and of East Asia, with the letters of each of their languages, the most frequent first. */
const LETTERS: readonly (readonly [encoding: string, ...languages: string[]])[] = [
  [
    "windows-1252",
    "äüöß",
    "éèàêçôîûâùëïœæü",
    "óáíéñúü",
    "ãçáéíóõêúâôà",
    "èàòùéìíó",
    "ëéïöèüáóê",
    "åäöé",
    "øåæéäö",
    "íáðóöþéúæý",
    "àéèíòóçúïü",
    "äõöü",
    "éäüöèáóàßíñçêãôúåøæâîûëïùìòõ",
  ],
  ["windows-1250", "óęłąśżćźń", "íáěéýžčřšůúťďňó", "áíéčľýžšťúôňäďóĺŕ", "éáóöőüíúű", "čšžćđ", "ăîţşâ"],
  [
    "windows-1251",
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "оаинвіеткрслудмпзяьбгйчхцжїшюєщфґ",
    "аиоетнрсвлкдмпзъугячбжщхцшйфьюђћљњјџ",
  ],
  ["windows-1253", "αοιετσνηυρπκμλςωάίόήέδθχγύφώβξζψ"],
  ["windows-1254", "ıüşçğöâîû"],
  ["windows-1257", "ėįšųąžūęč", "āīšēņļūžģķčš"],
  ["macintosh", "äüöß", "éèàêçôîûâùëïœ", "óáíéñúü", "ãçáéíóõêúâôà", "åäöé", "øåæ"],
  ["shift_jis"],
  ["gb18030"],
  ["big5"],
  ["euc-kr"],
];

const OF_ASIA = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}]/u;
/** What typing programs and people put beside letters of any language. */
const SIGNS = /[\s‘’“”„‚«»‹›–—…•·€£§©®™°²³½¼¾×¡¿ªº、。！？・「」（）ー～]/u;
/** How often what is none of a language's letters occurs, as an uppercase letter after a lowercase one, or a sign in a word. */
const [OF_NONE, OF_KANA, OF_HAN] = [Math.log(0.003), Math.log(1 / 80), Math.log(1 / 2_500)];
const [MAX_WORDS, MAX_BYTES] = [5_000, 4_000_000];
/** How much likelier another encoding must be than that of Western Europe, or than one that the owner has named. */
const MIN_LEAD = Math.log(4);

const SPACE = Buffer.from(" ");

/** An encoding, how likely it is (a logarithm), and the first words in it. */
export interface LikelyEncoding {
  readonly encoding: string;
  readonly likelihood: number;
  readonly words: string;
}

/** The encodings in which the bytes are text, the likeliest first; none for UTF-8 and for what has no letter beyond ASCII. */
export function likelyEncodings(words: readonly Buffer[]): LikelyEncoding[] {
  if (words.length === 0) return [];
  const bytes = Buffer.concat(words.flatMap((word) => [word, SPACE]));
  const all = LETTERS.flatMap(([encoding, ...languages]) => {
    const text = decodedBy(encoding, bytes);
    if (text === undefined) return [];
    const likelihood =
      languages.length === 0 ? ofAsia(text) : Math.max(...languages.map((each) => ofLetters(text, each)));
    return [{ encoding, likelihood, words: text.trim().split(" ").slice(0, 3).join(", ") }];
  });
  const western = all.find(({ encoding }) => encoding === "windows-1252");
  const lead = (each: LikelyEncoding) => each.likelihood + (each === western ? MIN_LEAD : 0);
  return all.toSorted((a, b) => lead(b) - lead(a));
}

/** The likeliest encoding, if it is clearly likelier than `given` and gives other words; undefined if not. */
function likelierThan(given: string, words: readonly Buffer[]): LikelyEncoding | undefined {
  const all = likelyEncodings(words);
  const name = new TextDecoder(given).encoding;
  const own = all.find(({ encoding }) => encoding === name);
  const [best] = all;
  if (best === undefined || own === undefined || best.words === own.words) return undefined;
  return best.likelihood - own.likelihood > MIN_LEAD ? best : undefined;
}

/** What to say of a file that is read in an encoding in which it is hardly written; undefined if nothing is against it. */
export async function encodingDoubt(file: InputFile, given: string): Promise<string | undefined> {
  const words = await strangeWords(file);
  const likelier = likelierThan(given, words);
  if (likelier === undefined) return undefined;
  const own = new TextDecoder(given).decode(Buffer.concat(words.slice(0, 3).flatMap((word) => [word, COMMA])));
  return `is read as ${given} (${quote(own.replace(/, $/, ""))}), but seems to be ${likelier.encoding} (${quote(likelier.words)}): if it is, take the import back with goodword undo and use --encoding ${likelier.encoding}`;
}

const COMMA = Buffer.from(", ");

/** The first different words of a text with a letter beyond ASCII; none if it is UTF-8 or no text. */
export async function strangeWords(file: Pick<InputFile, "bytes">): Promise<Buffer[]> {
  const words = new Set<string>();
  let rest = "";
  let size = 0;
  for await (const chunk of file.bytes()) {
    if (size === 0 && chunk.subarray(0, 4_096).includes(0)) return [];
    size += chunk.length;
    const pieces = (rest + chunk.toString("latin1")).split(BETWEEN);
    rest = (pieces.pop() ?? "").slice(-100);
    for (const piece of pieces) if (STRANGE.test(piece)) words.add(piece);
    if (words.size >= MAX_WORDS || size > MAX_BYTES) break;
  }
  if (STRANGE.test(rest)) words.add(rest);
  const found = [...words].map((word) => Buffer.from(word, "latin1"));
  return found.every((word) => isUtf8(word)) ? [] : found;
}

/** No byte of these is part of a character in any of the encodings. */
const BETWEEN = /[\s,;:"'.!?()/<>-]+/;
const STRANGE = /[\x80-\xff]/;

function decodedBy(encoding: string, bytes: Buffer): string | undefined {
  const text = new TextDecoder(encoding).decode(bytes);
  return /[\ufffd\u0080-\u009f\ue000-\uf8ff]/.test(text) ? undefined : text;
}

function ofAsia(text: string): number {
  let sum = 0;
  for (const letter of text)
    if (letter > "\u007f")
      sum += !OF_ASIA.test(letter) ? (SIGNS.test(letter) ? OF_HAN / 2 : OF_NONE * 2) : letter < "㐀" ? OF_KANA : OF_HAN;
  return sum;
}

/** How likely the letters of a text are in a language, by a rule of thumb: the one at place n is 1/n as frequent as the first. */
function ofLetters(text: string, letters: string): number {
  const all = letters.length;
  const sums = Math.log(Array.from({ length: all }, (_, at) => 1 / (at + 1)).reduce((sum, part) => sum + part, 0));
  let sum = 0;
  let before = " ";
  for (const letter of text) {
    const lower = letter.toLowerCase();
    if (letter > "\u007f") {
      const at = letters.indexOf(lower === "i̇" ? "ı" : lower);
      if (SIGNS.test(letter)) sum += IN_WORD.test(before) && !/[’‘”“…–—»°]/.test(letter) ? OF_NONE : OF_NONE / 4;
      else sum += at === -1 ? OF_NONE : -Math.log(at + 1) - sums;
    }
    if (lower !== letter && before !== before.toUpperCase() && (letter > "\u007f" || before > "\u007f")) sum += OF_NONE;
    before = letter;
  }
  return sum;
}

const IN_WORD = /\p{L}/u;
