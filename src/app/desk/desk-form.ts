/** The body of a request to the desk: fields in memory, files in private temporary files without a name. */
import type { FileHandle } from "node:fs/promises";
import { MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "../../import/input/input-file.ts";
import { boundaryOf, formParts } from "../../lib/multipart.ts";
import { plainLine, printableText } from "../../lib/printable-text.ts";
import { openPrivateFile, writeWhole } from "../../lib/private-file.ts";
import { isSame } from "./desk-access.ts";

/** A file that was uploaded. Whoever takes it from the form closes it. */
export interface UploadedFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly bytes: number;
}

export interface DeskForm extends AsyncDisposable {
  readonly fields: URLSearchParams;
  readonly files: UploadedFile[];
}

/** Why a body is refused: the status of the answer, and a sentence. */
export class RefusedForm extends Error {
  override readonly name = "RefusedForm";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const TOKEN_FIELD = "token";
const FILES_FIELDS = new Set(["files", "backup"]);
const MAX_FIELDS = 2_000;
const MAX_FIELD_BYTES = 256 * 1024;
const MAX_FORM_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 200;
const MAX_NAME_LENGTH = 200;

/** How large an uploaded file may be: an archive as much as it may unpack to. */
export const MAX_UPLOAD_BYTES = Math.max(MAX_FILE_BYTES, MAX_UNPACKED_BYTES);

interface FormSettings {
  readonly contentType: string;
  readonly token: string;
  readonly maxUploadBytes?: number | undefined;
}

/**
 * Reads a form. Its token comes first: no file is written before it was right.
 * @throws RefusedForm, or MalformedForm for a body that is no form.
 */
export async function readDeskForm(
  body: AsyncIterable<Uint8Array>,
  { contentType, token, maxUploadBytes = MAX_UPLOAD_BYTES }: FormSettings,
): Promise<DeskForm> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined && !/^application\/x-www-form-urlencoded\b/i.test(contentType))
    throw new RefusedForm(415, "Only forms are taken");
  const fields = new URLSearchParams();
  const files: UploadedFile[] = [];
  const form = { fields, files, [Symbol.asyncDispose]: async () => void (await closeAll(files)) };
  try {
    if (boundary === undefined) {
      const text = await boundedText(body, MAX_FORM_BYTES);
      if (hasMoreFields(text, MAX_FIELDS)) throw new RefusedForm(413, "The form has too many fields");
      for (const [name, value] of new URLSearchParams(text)) fields.append(name, value);
    } else await readParts(formParts(body, boundary), { fields, files, token, maxUploadBytes });
    requireToken(fields, token);
    return form;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

/** Whether a form has more fields than these. They are counted before they are read, which takes long for very many. */
function hasMoreFields(text: string, limit: number): boolean {
  let count = 1;
  for (let at = text.indexOf("&"); at >= 0 && count <= limit; at = text.indexOf("&", at + 1)) count += 1;
  return count > limit;
}

async function readParts(
  parts: ReturnType<typeof formParts>,
  {
    fields,
    files,
    token,
    maxUploadBytes,
  }: {
    readonly fields: URLSearchParams;
    readonly files: UploadedFile[];
    readonly token: string;
    readonly maxUploadBytes: number;
  },
): Promise<void> {
  let [count, fieldBytes, fileBytes] = [0, 0, 0];
  for await (const { name, file, content } of parts) {
    count += 1;
    if (count > MAX_FIELDS) throw new RefusedForm(413, "The form has too many fields");
    if (file === undefined) {
      const text = await boundedText(content, MAX_FIELD_BYTES);
      fieldBytes += text.length;
      if (fieldBytes > MAX_FORM_BYTES) throw new RefusedForm(413, "The form is too large");
      fields.append(name, text);
      continue;
    }
    requireToken(fields, token);
    if (file === "" || !FILES_FIELDS.has(name)) continue; // no file was chosen
    if (files.length >= MAX_FILES) throw new RefusedForm(413, `More than ${MAX_FILES} files: put them into one .zip`);
    const handle = await openPrivateFile();
    const uploaded = { name: ownName(file, files), handle, bytes: 0 };
    files.push(uploaded);
    for await (const piece of content) {
      fileBytes += piece.length;
      if (fileBytes > maxUploadBytes)
        throw new RefusedForm(413, `The files have more than ${maxUploadBytes} bytes, which is too much to import`);
      await writeWhole(handle, piece, uploaded.bytes);
      uploaded.bytes += piece.length;
    }
  }
}

function requireToken(fields: URLSearchParams, token: string): void {
  if (!isSame(fields.get(TOKEN_FIELD) ?? "", token))
    throw new RefusedForm(
      403,
      "The form is not from this desk, or the desk was started again since. Open the page again",
    );
}

/** A file's name for messages: never a path, and no other file's. */
function ownName(given: string, others: readonly UploadedFile[]): string {
  const plain =
    plainLine(printableText(given.split(/[/\\]/).at(-1) ?? ""))
      .trim()
      .slice(-MAX_NAME_LENGTH) || "file";
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? plain : plain.replace(/(?=\.[^.]*$)|$/, ` (${count})`);
    if (others.every((other) => other.name !== name)) return name;
  }
}

async function boundedText(content: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > limit) throw new RefusedForm(413, "The form is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Closes the files, which deletes them. */
export async function closeAll(files: readonly UploadedFile[]): Promise<void> {
  for (const { handle } of files) await handle.close().catch(() => {}); // closed already
}
