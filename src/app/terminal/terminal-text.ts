/** Text for a terminal: what files and customers say there must not steer it. */

/** The text with a question mark for each control character, and for those that turn the direction of writing. */
export function terminalText(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
}
