/** Reads a form with files (`multipart/form-data`, RFC 7578) piece by piece, however large its files are. */

/** One field of a form. Its content must be read to the end before the next part is asked for; what is left is skipped. */
export interface FormPart {
  readonly name: string;
  /** The name of the file as the client gives it, which may be anything; undefined for a plain field. */
  readonly file: string | undefined;
  readonly content: AsyncGenerator<Buffer>;
}

/** Thrown for a body that is no such form, or that ends too early. */
export class MalformedForm extends Error {
  override readonly name = "MalformedForm";
}

const MAX_HEADER_BYTES = 8 * 1024;
const HEADERS_END = Buffer.from("\r\n\r\n");

/** The boundary that a Content-Type names; undefined if it is no form with files (RFC 2046 §5.1.1). */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}

/** The parts of a form in their order. @throws MalformedForm */
export async function* formParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const chunks = body[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let unread = Buffer.from("\r\n"); // the first delimiter has no line before it

  async function readMore(): Promise<void> {
    const { done, value } = await chunks.next();
    if (done === true) throw new MalformedForm("The form ends too early");
    unread = Buffer.concat([unread, value]);
  }

  async function* untilDelimiter(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = unread.indexOf(delimiter);
      const sure = end === -1 ? unread.length - delimiter.length + 1 : end;
      if (sure > 0) {
        const piece = unread.subarray(0, sure);
        unread = unread.subarray(sure);
        yield piece;
      }
      if (end === -1) await readMore();
      else {
        unread = unread.subarray(delimiter.length);
        return;
      }
    }
  }

  async function readHeaders(): Promise<string> {
    for (;;) {
      const end = unread.indexOf(HEADERS_END);
      if (end > MAX_HEADER_BYTES || (end === -1 && unread.length > MAX_HEADER_BYTES))
        throw new MalformedForm("A part of the form has too long a head");
      if (end !== -1) {
        const head = unread.toString("utf8", 0, end);
        unread = unread.subarray(end + HEADERS_END.length);
        return head;
      }
      await readMore();
    }
  }

  for await (const _preamble of untilDelimiter());
  for (;;) {
    while (unread.length < 2) await readMore();
    if (unread.toString("latin1", 0, 2) === "--") return;
    const head = await readHeaders();
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? "";
    const parameter = (name: string) => new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
    const content = untilDelimiter();
    yield { name: unescaped(parameter("name") ?? ""), file: parameter("filename"), content };
    for await (const _rest of content);
  }
}

/** Browsers escape what would end a name (HTML, multipart/form-data encoding algorithm). */
function unescaped(name: string): string {
  return name.replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
}
