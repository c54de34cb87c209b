/** Makes text safe for a terminal: content from files and customers must not control it. */

/** Replaces control characters, and characters that change the writing direction, with question marks. */
export function terminalText(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
}
