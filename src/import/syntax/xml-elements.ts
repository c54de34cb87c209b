/** Reads XML from an untrusted file as a stream of elements. Only what the reader takes is held in memory. */
import { SaxesParser } from "saxes";

export type XmlAttributes = Readonly<Record<string, string>>;

/** Called in document order. Elements have their local names, whatever the prefix of their namespace. */
export interface ElementReader {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Text or CDATA between two tags. */
  text(text: string): void;
}

/** No format that is read nests its elements deeper than a dozen levels. */
const MAX_DEPTH = 100;
/** More than any text, comment or tag of a spreadsheet has: a cell holds 32,767 characters. */
const MAX_CHARACTERS_BETWEEN_TAGS = 2_000_000;

/**
 * Passes the elements to the reader, and yields after each piece of the file. Entities that the document itself defines
 * are never expanded: they are faults.
 * @throws Error if the document is not UTF-8, is not well-formed or exceeds a limit; and whatever the reader throws.
 */
export async function* readElements(bytes: AsyncIterable<Buffer>, reader: ElementReader): AsyncGenerator<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = new SaxesParser();
  let depth = 0;
  let lastTag = 0;
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    lastTag = parser.position;
    reader.open(localName(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    lastTag = parser.position;
    reader.close(localName(name));
  });
  parser.on("text", reader.text);
  parser.on("cdata", reader.text);
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (parser.position - lastTag > MAX_CHARACTERS_BETWEEN_TAGS)
      throw new Error(`it has more than ${MAX_CHARACTERS_BETWEEN_TAGS} characters between two tags`);
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** The name without the prefix of its namespace. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
