/** Reads a request's body up to a limit. */

export type BodyText = { readonly text: string } | { readonly refused: "too large" | "unreadable" };

/** Multiple of the limit up to which a body is read and discarded, so that its sender can still read the answer. */
const MAX_DISCARDED_FACTOR = 16;

/** Reads the body as text, or returns why not: it is larger than `limit` bytes, incomplete, or not UTF-8. */
export async function readBodyText(request: Request, limit: number): Promise<BodyText> {
  try {
    const bytes = await readBytes(request, limit);
    if (bytes === undefined) return { refused: "too large" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { refused: "unreadable" };
  }
}

/**
 * Reads the bytes; returns undefined if there are more than `limit`. Content-Length can be trusted, because the HTTP
 * parser enforces it; a body of known length is read without the cost of a stream.
 */
async function readBytes(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array | undefined> {
  const { headers } = request;
  const declared = headers.get("Content-Length");
  if (declared === null || headers.has("Transfer-Encoding")) return await readStream(request, limit);
  if (!(Number(declared) <= limit)) return undefined;
  const bytes = await request.arrayBuffer();
  return bytes.byteLength <= limit ? bytes : undefined;
}

/** Never cancels the stream: that would cut the connection before the answer is sent. */
async function readStream(request: Request, limit: number): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    length += chunk.byteLength;
    if (length <= limit) chunks.push(chunk);
    else chunks = [];
    if (length > limit * MAX_DISCARDED_FACTOR) break;
  }
  return length <= limit ? Buffer.concat(chunks) : undefined;
}
