/**
 * Makes customers' text safe for documents: removes characters that HTML or SVG forbids, and shortens text for lists.
 */

/** Characters that the HTML standard forbids in a document: controls except white space, and noncharacters. */
const FORBIDDEN = /[\0-\x08\v\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\p{Noncharacter_Code_Point}]/gu;

/** Replaces every character that the document may not contain with U+FFFD. */
export function withoutForbiddenCharacters(markup: string): string {
  return markup.toWellFormed().replace(FORBIDDEN, "\ufffd");
}

/**
 * A text's beginning, cut near `length` UTF-16 units, preferably at white space and never within a surrogate pair. A
 * text that exceeds `length` by at most a fifth is returned whole.
 */
export function beginning(text: string, length: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= length * 1.2) return { text, isCut: false };
  const head = text.slice(0, length);
  const space = head.search(/\s\S*$/);
  return {
    text: `${(space > length / 2 ? head.slice(0, space) : head).toWellFormed().replace(/\ufffd$/, "")}…`,
    isCut: true,
  };
}

/** Maximum length of a name in a list, in UTF-16 units. */
const NAME_LENGTH = 80;

/** An author's name for lists and links, cut if it is as long as a text. */
export function shownName(author: string): string {
  return beginning(author, NAME_LENGTH).text;
}

export interface Segment<Mark> {
  readonly text: string;
  /** The marks of all spans that cover the segment; empty for text between spans. */
  readonly marks: readonly Mark[];
}

/** Splits a text at spans that occur in it verbatim. Spans that do not occur are ignored. */
export function segments<Mark>(
  text: string,
  spans: readonly { readonly span: string; readonly mark: Mark }[],
): Segment<Mark>[] {
  const found = spans.flatMap(({ span, mark }) => {
    const start = span === "" ? -1 : text.indexOf(span);
    return start === -1 ? [] : [{ start, end: start + span.length, mark }];
  });
  const cuts = [...new Set([0, text.length, ...found.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((from, index) => ({
    text: text.slice(from, cuts[index + 1]),
    marks: found.filter(({ start, end }) => start <= from && from < end).map(({ mark }) => mark),
  }));
}
