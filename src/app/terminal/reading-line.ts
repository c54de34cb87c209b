/** What a report says of how files were read: from where each field is, and the first review as an example. */
import type { ImportReport } from "../../import/importer.ts";
import { READ_FIELDS, type ReadField, type ReadFrom } from "../../import/review/read-from.ts";
import { quote } from "../../issue.ts";
import { fill } from "../../page/text/words.ts";

/** The words of such lines. */
interface ReadingWords {
  /** `{field}` and `{names}`. */
  readonly from: string;
  /** `{text}` with where it is from, and that of the title above it. */
  readonly under: string;
  /** `{author}`, `{stars}`, `{date}` and `{text}` */
  readonly first: string;
  readonly fields: Readonly<Record<ReadField, string>>;
}

/** `rating from "Sterne" (1 to 5), author from "Kunde", …`; empty where nothing is told. `say` gives a note in the language. */
export function readingLine(readFrom: ReadFrom, words: ReadingWords, say = (note: string): string => note): string {
  const { text, title } = readFrom;
  const names = (field: ReadField) => {
    const { from = [], note } = readFrom[field] ?? {};
    return `${from.map((name) => quote(name)).join(", ")}${note === undefined ? "" : ` (${say(note)})`}`;
  };
  const isTitled = text !== undefined && title !== undefined;
  return READ_FIELDS.flatMap((field) => {
    if (readFrom[field] === undefined || (field === "title" && isTitled)) return [];
    const from = fill(words.from, { field: words.fields[field], names: names(field) });
    return [field === "text" && isTitled ? fill(words.under, { text: from, title: names("title") }) : from];
  }).join(", ");
}

type First = NonNullable<ImportReport["files"][number]["first"]>;

/** `first: Anna Beispiel, 5 ★, 2025-03-01, "Prima."` */
export function firstLine({ author, rating, date, text }: First, words: ReadingWords): string {
  return fill(words.first, {
    author: author ?? "–",
    stars: `${rating} ★`,
    date,
    text: text === null ? "–" : quote(text),
  });
}
