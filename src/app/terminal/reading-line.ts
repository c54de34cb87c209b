/** What a report says of how files were read: from where each field is, and some reviews as examples. */
import { type Examples, joinedExamples } from "../../import/example-reviews.ts";
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
  readonly examples: Readonly<Record<keyof Examples, string>>;
  /** `{which}` of the examples, `{author}`, `{stars}`, `{date}` and `{text}` */
  readonly example: string;
  /** `{text}`, and the owner's `{reply}`. */
  readonly replied: string;
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

/** `first: Anna Beispiel, 5 ★, 2025-03-01, "Prima.", reply "Danke!"`, and so for each example of these files. */
export function exampleLines(files: ImportReport["files"], words: ReadingWords): string[] {
  const all = files.map(({ examples }) => examples).filter((examples) => examples !== undefined);
  const [first, ...others] = all;
  if (first === undefined) return [];
  const examples = others.reduce(joinedExamples, first);
  return (["first", "lowest", "last"] as const).flatMap((which) => {
    const example = examples[which];
    if (example === undefined) return [];
    const { author, rating, date, text, reply } = example;
    const said = text === null ? "–" : JSON.stringify(text);
    return fill(words.example, {
      which: words.examples[which],
      author: author ?? "–",
      stars: `${rating} ★`,
      date,
      text: reply === null ? said : fill(words.replied, { text: said, reply: JSON.stringify(reply) }),
    });
  });
}
