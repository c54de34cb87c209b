/** Counts the newlines in a text, or in the part of it from `start` up to, but not including, `end`. */
export function newlinesIn(text: string, start = 0, end = text.length): number {
  const part = start === 0 && end === text.length ? text : text.slice(start, end);
  let count = 0;
  for (let at = part.indexOf("\n"); at !== -1; at = part.indexOf("\n", at + 1)) count += 1;
  return count;
}
