/** Converts files in another encoding to UTF-8 (`--encoding`). */
import { isUtf8 } from "node:buffer";
import { Invalid } from "../../issue.ts";
import type { InputFile } from "./input-file.ts";
import { encodingDoubt } from "./likely-encoding.ts";

const HEAD_BYTES = 4096;

/** Whether Node can decode this encoding (WHATWG Encoding §4.2). */
export function isEncoding(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

/** A view of the file with its text decoded from `encoding`. UTF-8 and binary files are unchanged. */
export function decodedFile(file: InputFile, encoding: string): InputFile {
  const isWide = new TextDecoder(encoding).encoding.startsWith("utf-16");
  let isDecoded: Promise<boolean> | undefined;
  return {
    ...file,
    encodingDoubt: () => encodingDoubt(file, encoding),
    async *bytes() {
      isDecoded ??= isOtherText(file, isWide);
      if (await isDecoded) yield* utf8Bytes(file, encoding);
      else yield* file.bytes();
    },
  };
}

/** Whether the file is text that is not UTF-8. Only text in UTF-16 contains zero bytes. */
async function isOtherText(file: InputFile, isWide: boolean): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  let [seen, isOther] = [0, false];
  for await (const chunk of file.bytes()) {
    if (seen < HEAD_BYTES && chunk.subarray(0, HEAD_BYTES - seen).includes(0)) return isWide;
    seen += chunk.length;
    if (isOther) {
      if (seen >= HEAD_BYTES) return true;
      continue;
    }
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    // A character may continue in the next chunk, so up to three bytes are held back.
    const cut = [0, 1, 2, 3].map((back) => bytes.length - back).find((at) => at >= 0 && isUtf8(bytes.subarray(0, at)));
    if (cut === undefined) isOther = true;
    else rest = Buffer.from(bytes.subarray(cut));
  }
  return isOther || rest.length > 0;
}

async function* utf8Bytes(file: InputFile, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of file.bytes()) {
      const text = decoder.decode(chunk, { stream: true });
      if (NO_CHARACTERS.test(text)) throw notText(file, encoding);
      yield Buffer.from(text, "utf8");
    }
    yield Buffer.from(decoder.decode(), "utf8");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notText(file, encoding);
  }
}

/** Bytes that Windows' encodings leave without a character are decoded as these. */
const NO_CHARACTERS = /[\u0081\u008d\u008f\u0090\u009d]/;

function notText(file: InputFile, encoding: string): Invalid {
  const message = `${file.name} is not text in ${encoding}; try another --encoding`;
  return new Invalid([{ code: "encoding", path: [file.name], message }]);
}
