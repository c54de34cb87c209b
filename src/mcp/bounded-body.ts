/** The body of a request, read whole but never beyond a bound. */

export type BodyText = { readonly text: string } | { readonly refused: "too large" | "unreadable" };

/** The body as text, or why it has none: larger than `limit` bytes, cut off, or no UTF-8. */
export async function readBodyText(request: Request, limit: number): Promise<BodyText> {
  try {
    const bytes = await readBytes(request, limit);
    return bytes === undefined
      ? { refused: "too large" }
      : { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { refused: "unreadable" };
  }
}

/**
 * The bytes, or undefined when there are more than `limit`. A declared length is believed, for the HTTP parser holds
 * the sender to it, and a body of known length is read without the cost of a stream.
 */
async function readBytes(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array | undefined> {
  const declared = request.headers.get("Content-Length");
  if (declared !== null && request.headers.get("Transfer-Encoding") === null) {
    if (!(Number(declared) <= limit)) return undefined;
    const bytes = await request.arrayBuffer();
    return bytes.byteLength <= limit ? bytes : undefined;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
