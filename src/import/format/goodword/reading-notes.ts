/** What is noticed over all records of a file: counted while they are read, and told at the end. */
import { quote } from "../../../issue.ts";
import { REPLY_IN_TEXT } from "../../review/reply-in-text.ts";
import type { ColumnChoice } from "./column-choice.ts";

/** What happens to records because two columns differ. `{first}` and `{other}` are the columns. */
const PAIRS = {
  dayOfOther: { one: "1 review is", many: "reviews are", told: "{first} gives no day; {n} dated by {other} instead" },
  earlierDay: {
    one: "1 review is",
    many: "reviews are",
    told: "{first} is later than {other}; {n} dated by {other} instead",
  },
  otherDay: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} a day in {first}, which is read, and another in {other}, which is not",
  },
  otherWords: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} words in {first}, which are read, and others in {other}, which are not",
  },
  otherNames: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} a name in {first}, which is read, and another in {other}, which is not",
  },
  otherLinks: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} a link in {first}, which is read, and another in {other}, which is not",
  },
  wordsElsewhere: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} no words in {first}, which is read, and some in {other}, which is not: if those are the customers', copy them into {first}",
  },
} as const;

/** What happens to texts, names and replies. `{columns}` are those of the choice that say so. */
const NOTES = {
  nothing: {
    one: "1 text or name is",
    many: "texts and names are",
    told: '{n} a word such as "nan", "undefined" or "no comments", which stands for nothing: left out',
  },
  hiddenReply: {
    one: "1 reply is",
    many: "replies are",
    told: "{n} left out, because {columns} says that it is not public",
    columns: ({ replyStates }: ColumnChoice) => replyStates.map(({ name }) => name),
  },
  replyOfCustomer: {
    one: "1 reply is",
    many: "replies are",
    told: "{n} by customers, and not by the business: left out",
  },
  officeNote: {
    one: "1 reply is",
    many: "replies are",
    told: '{n} a note such as "Email sent" or a day, and no words to the customer: left out',
  },
  replyInText: REPLY_IN_TEXT,
  formula: {
    one: "1 text is a formula",
    many: "texts are formulas",
    told: "{n} of a spreadsheet, and no customer's words: left out. Save the table with values",
  },
  hiddenName: {
    one: "1 name is",
    many: "names are",
    told: "{n} left out, because {columns} says that it is not public",
    columns: ({ nameStates }: ColumnChoice) => nameStates.map(({ name }) => name),
  },
  translation: {
    one: "1 review are",
    many: "reviews are",
    told: "the words of {n} left out: {columns} says that they are a translation, and the customers' own are not in the file",
    columns: ({ translated }: ColumnChoice) => translated,
  },
  noSite: {
    one: "1 review has",
    many: "reviews have",
    told: "{n} no name of a site in {columns}, which names those of others: taken to be from where you say that the reviews are. If it names their site, too, --columns source={columns}",
    columns: ({ sites }: ColumnChoice) => sites,
  },
  lostWords: {
    one: "1 text is",
    many: "texts are",
    told: '{n} "#NAME?", by which the spreadsheet replaced the words: import the file from which it was made',
  },
  rankTitle: {
    one: "1 title is",
    many: "titles are",
    told: '{n} the rank of a customer, such as "Local Guide" or "Verified buyer", and no title: left out',
  },
  starTitle: { one: "1 title gives", many: "titles give", told: "{n} nothing but the stars: left out" },
  markup: { one: "1 text has", many: "texts have", told: "{n} tags of HTML, BBCode or WordPress, which are left out" },
  buttons: {
    one: "1 text ends",
    many: "texts end",
    told: '{n} with buttons of a page ("Read more"), which are left out',
  },
  escapes: {
    one: "1 text has",
    many: "texts have",
    told: '{n} codes such as "=E2=80=99" or "\\n" in the place of characters: they are read as these characters',
  },
} as const;

/** From which length, and how often, the same greatest length is no chance. */
const [MIN_CUT, MIN_ALIKE] = [80, 3];
const ENDED = /[.!?…)"'’”»]\s*$|\p{Emoji_Presentation}\s*$/u;

type PairKind = keyof typeof PAIRS;
type NoteKind = keyof typeof NOTES;

export interface ReadingNotes {
  count(kind: NoteKind): void;
  countPair(kind: PairKind, first: string, other: string): void;
  /** Notes a customer's words, for where they end. */
  noteEnd(text: string): void;
  /** A sentence for each kind that was counted, and for each pair of columns. */
  told(): string[];
}

export function openReadingNotes(choice: ColumnChoice): ReadingNotes {
  const counts = new Map<NoteKind, number>();
  const pairs = new Map<PairKind, Map<string, { first: string; other: string; count: number }>>();
  const longest = { length: MIN_CUT, count: 0 };
  return {
    noteEnd(text) {
      if (text.length > longest.length) Object.assign(longest, { length: text.length, count: 0 });
      if (text.length === longest.length && !ENDED.test(text.slice(-4))) longest.count += 1;
    },
    count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    countPair(kind, first, other) {
      const ofKind = pairs.getOrInsertComputed(kind, () => new Map());
      ofKind.getOrInsert(`${first}\0${other}`, { first, other, count: 0 }).count += 1;
    },
    told() {
      const ofPairs = Object.entries(PAIRS).flatMap(([kind, note]) =>
        [...(pairs.get(kind as PairKind)?.values() ?? [])].map(({ first, other, count }) =>
          tell(note, count, { first: quote(first), other: quote(other) }),
        ),
      );
      const ofAll = Object.entries(NOTES).flatMap(([kind, note]) => {
        const count = counts.get(kind as NoteKind) ?? 0;
        const columns = "columns" in note ? namesOfColumns(note.columns(choice)) : "";
        return count === 0 ? [] : tell(note, count, { columns });
      });
      const { length, count } = longest;
      const cut = `${count} texts have exactly ${length} characters, none has more, and they end within a sentence: they seem to be cut there. Export the reviews whole`;
      return [...ofPairs, ...ofAll, ...(count < MIN_ALIKE ? [] : [cut])];
    },
  };
}

/** Names of columns, quoted. */
export function namesOfColumns(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(", ");
}

interface Note {
  readonly one: string;
  readonly many: string;
  readonly told: string;
}

function tell({ one, many, told }: Note, count: number, values: Readonly<Record<string, string>>): string {
  const filled: Readonly<Record<string, string>> = { ...values, n: count === 1 ? one : `${count} ${many}` };
  return told.replaceAll(/\{(\w+)\}/g, (all, name: string) => filled[name] ?? all);
}
