/** Decodes a file's text as UTF-8 in a stream, and reports the position of an invalid byte. */
import { isUtf8 } from "node:buffer";
import { Invalid, quote } from "../../issue.ts";
import { type InputFile, MAX_FILE_BYTES } from "./input-file.ts";
import { likelyEncodings, strangeWords } from "./likely-encoding.ts";

const NEWLINE = 0x0a;

/**
 * The text in chunks, without a byte order mark.
 * @throws Invalid at the first byte that is not UTF-8.
 */
export async function* utf8Text(file: InputFile): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let [offset, line] = [0, 1];
  const decode = async (bytes: Buffer): Promise<string> => {
    if (!isUtf8(bytes)) throw await broken(file, bytes, { offset, line });
    const text = bytes.toString("utf8");
    const piece = offset === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
    offset += bytes.length;
    line += newlines(bytes);
    return piece;
  };
  for await (const chunk of file.bytes()) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    rest = bytes.subarray(end);
    if (end > 0) yield await decode(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield await decode(rest);
}

/**
 * The whole text.
 * @throws Invalid if the file may not be held in memory whole, or is not UTF-8.
 */
export async function wholeText(file: InputFile): Promise<string> {
  const { maxWholeBytes = MAX_FILE_BYTES } = file;
  const pieces: string[] = [];
  let size = 0;
  async function* bounded() {
    for await (const chunk of file.bytes()) {
      size += chunk.length;
      if (size > maxWholeBytes) throw tooLarge(file, maxWholeBytes);
      yield chunk;
    }
  }
  for await (const piece of utf8Text({ ...file, bytes: bounded })) pieces.push(piece);
  return pieces.join("");
}

function tooLarge({ name }: InputFile, maxBytes: number): Invalid {
  const message = `${name} has more than ${maxBytes / 1e6} MB, too much for JSON or a web page here: they are read at once. As a table (CSV) or as JSON Lines, with one review per line, it is read piece by piece`;
  return new Invalid([{ code: "size", path: [name], message }]);
}

/** The first bytes, at most `limit`. */
export async function firstBytes(file: InputFile, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.bytes()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** The number of bytes at the end that belong to a character that continues in the next chunk. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

async function broken(
  file: InputFile,
  bytes: Buffer,
  start: { readonly offset: number; readonly line: number },
): Promise<Invalid> {
  let at = 0;
  for (let length = 1; at < bytes.length; at += length) {
    length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(at, at + size)) && at + size <= bytes.length) ?? 0;
    if (length === 0) break;
  }
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, "0");
  const line = start.line + newlines(bytes.subarray(0, at));
  const place = `line ${line}, byte ${start.offset + at}`;
  const [likeliest] = likelyEncodings(await strangeWords(file));
  const { encoding = "windows-1252", words = "" } = likeliest ?? {};
  const reads = words === "" ? "" : `which reads ${quote(words)}; `;
  const message = `${file.name}, ${place}: the byte 0x${byte} is not UTF-8. If an older program wrote the file, as Excel does, import it with --encoding ${encoding} (${reads}for Western Europe windows-1252, for Polish, Czech and Hungarian windows-1250, for Cyrillic windows-1251, for Greek windows-1253, for Turkish windows-1254); otherwise save it as UTF-8`;
  return new Invalid([{ code: "encoding", path: [file.name, place], message }]);
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
