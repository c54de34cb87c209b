/** The body of a request, read whole but never beyond a bound. */

export type BodyText = { readonly text: string } | { readonly refused: "too large" | "unreadable" };

/** How many times the limit is read and thrown away, so that a client that sends a little too much can read why. */
const DISCARDED_TIMES = 16;

/** The body as text, or why it has none: larger than `limit` bytes, cut off, or no UTF-8. */
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
 * The bytes, or undefined when there are more than `limit`. A declared length is believed, for the HTTP parser holds
 * the sender to it, and a body of known length is read without the cost of a stream.
 */
async function readBytes(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array | undefined> {
  const { headers } = request;
  const declared = headers.get("Content-Length");
  if (declared === null || headers.has("Transfer-Encoding")) return await readStream(request, limit);
  if (!(Number(declared) <= limit)) return undefined;
  const bytes = await request.arrayBuffer();
  return bytes.byteLength <= limit ? bytes : undefined;
}

/** Never cancels the stream: that would cut the connection before the answer is out. */
async function readStream(request: Request, limit: number): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    length += chunk.byteLength;
    if (length <= limit) chunks.push(chunk);
    else chunks = [];
    if (length > limit * DISCARDED_TIMES) break;
  }
  return length <= limit ? Buffer.concat(chunks) : undefined;
}
