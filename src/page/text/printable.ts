/** Customers' words made fit for a document: nothing that HTML or SVG cannot hold, and nothing endless in a list. */

/** Characters that the HTML standard forbids in a document, apart from white space: controls, noncharacters. */
const FORBIDDEN = /[\0-\x08\v\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\p{Noncharacter_Code_Point}]/gu;

/** The document with U+FFFD in the place of every character that it may not hold. */
export function withoutForbiddenCharacters(markup: string): string {
  return markup.toWellFormed().replace(FORBIDDEN, "\ufffd");
}

/** The beginning of a text, cut between characters near `length`; the whole where it is not much longer. */
export function beginning(text: string, length: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= length * 1.2) return { text, isCut: false };
  const head = text.slice(0, length);
  const space = head.search(/\s\S*$/);
  return {
    text: `${(space > length / 2 ? head.slice(0, space) : head).toWellFormed().replace(/\ufffd$/, "")}…`,
    isCut: true,
  };
}

export interface Segment<Mark> {
  readonly text: string;
  /** What the segment is evidence for; empty for the words in between. */
  readonly marks: readonly Mark[];
}

/** Cuts a text at the spans that are verbatim parts of it. A span that the text does not hold is passed over. */
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
