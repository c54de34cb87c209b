/** Whole words as contract §10 describes them, read one character after the other: the plain twin of `whole-words.ts`. */

/**
 * Whether a text holds the word. Each stretch without a space is cut into its runs of letters and digits, and every
 * series of neighbouring runs is compared with the letters of the word.
 */
export function plainlyHolds(word: string, text: string): boolean {
  const sought = runsIn(word).join("");
  return text.split(/\s+/u).some((stretch) => {
    const runs = runsIn(stretch);
    return runs.some((_, from) => runs.some((_, to) => to >= from && runs.slice(from, to + 1).join("") === sought));
  });
}

function runsIn(stretch: string): string[] {
  const runs = [""];
  for (const point of plain(stretch)) {
    if (/^[\p{L}\p{Nd}\p{Mn}\p{Mc}]$/u.test(point)) runs.push(`${runs.pop()}${point}`);
    else runs.push("");
  }
  return runs.filter((run) => run !== "");
}

/** Without case and accents: each letter is the small one of its capital. */
function plain(stretch: string): string[] {
  return [...stretch.normalize("NFD")]
    .filter((point) => !isAccent(point))
    .flatMap((point) => {
      if (point === "ß" || point === "ẞ") return ["s", "s"];
      const folded = [...point.toUpperCase().toLowerCase()];
      const [only = point] = folded;
      const isSame = folded.length === 1 && new RegExp(`^${RegExp.escape(only)}$`, "iu").test(point);
      return [isSame ? (only === "ς" ? "σ" : only) : point];
    });
}

function isAccent(point: string): boolean {
  const code = point.codePointAt(0) ?? 0;
  const isBetween = (first: number, last: number) => code >= first && code <= last;
  return isBetween(0x300, 0x36f) || isBetween(0x64b, 0x65f) || code === 0x670 || isBetween(0xfe00, 0xfe0f);
}
