/** The headers that every request of the hub has. */

/** Names the hub, and asks for an answer without a coding. */
export function hubHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return { "User-Agent": `goodword (+${baseUrl})`, Accept: "*/*", "Accept-Encoding": "identity" };
}
