/** Tells as what a spreadsheet shows a number: a date, or a mark of so many (ECMA-376 part 1, §18.8.30). */

/** Formats that every spreadsheet program has without declaring them, those of Chinese, Japanese, Korean and Thai included. */
const BUILT_IN_DATE_FORMATS = new Set([
  ...range(14, 22),
  ...range(27, 36),
  ...range(45, 47),
  ...range(50, 58),
  ...range(71, 81),
]);
/** Formats with lower numbers are built in, whatever code a file gives for them. */
const FIRST_OWN_FORMAT = 100;
/** The longest code that Excel accepts. */
const MAX_CODE_CHARACTERS = 255;
const DATE_TOKEN = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|y{1,2}|yyyy|a{3,5}|g{0,3}e{1,2}|g{1,3}|eeee|am|pm|a|p)$/;

/** Whether the format with this number, and this code if the file declares one, shows a date or time. */
export function isDateFormat(id: number, code = ""): boolean {
  if (BUILT_IN_DATE_FORMATS.has(id)) return true;
  if (id < FIRST_OWN_FORMAT || code.length > MAX_CODE_CHARACTERS) return false;
  return code.toLowerCase().replace(/;@$/, "").replace(/\\./g, " ").split(";").some(isDateSection);
}

/** Whether a format of dates shows a month or year without a day, as a spreadsheet chooses for a typed "Jan 2026". */
export function isMonthFormat(id: number, code = ""): boolean {
  if (id === 17) return true;
  if (id < FIRST_OWN_FORMAT || !isDateFormat(id, code)) return false;
  return !/[dhsae]/i.test(code.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, "")) && /y/i.test(code);
}

/** What stands behind a number: `/10` for a mark, `%` for a share. */
export interface MarkFormat {
  readonly factor: number;
  readonly behind: string;
}

/** The mark as which a format shows a number, `4` as `4 / 10` or `0.8` as `80%`; undefined for any other format. */
export function markFormat(id: number, code = ""): MarkFormat | undefined {
  if (id === 9 || id === 10) return SHARE;
  if (id < FIRST_OWN_FORMAT || code.length > MAX_CODE_CHARACTERS) return undefined;
  const pieces: readonly string[] = code.match(/"[^"]*"|\\.|\[[^[\]]*\]|general|[^"\\]/gi) ?? [];
  const section = pieces.slice(0, pieces.includes(";") ? pieces.indexOf(";") : undefined);
  if (section.includes("%")) return SHARE;
  // Only what is quoted stands there as it is: elsewhere a slash is that of fractions.
  const shown = section.map((piece) => {
    if (/^["\\]/.test(piece)) return piece.replace(/^"|^\\|"$/g, "");
    return /^(?:[0#?]|general)$/i.test(piece) ? NUMBER_SHOWN : piece === " " ? " " : "";
  });
  const scale = OF_SCALE.exec(shown.join(""))?.[1];
  return scale === undefined ? undefined : { factor: 1, behind: ` / ${scale}` };
}

const SHARE: MarkFormat = { factor: 100, behind: "%" };
const NUMBER_SHOWN = "\0";
const OF_SCALE = new RegExp(
  `${NUMBER_SHOWN}\\s*[([]?(?:/|\\p{L}{1,5}(?:\\s\\p{L}{1,3})?\\s)\\s*(\\d{1,3})(?!\\d)`,
  "u",
);

/** Whether a section of a code, such as `d/m/yy "at" hh:mm`, has tokens of dates only. */
function isDateSection(section: string): boolean {
  const tokens = section
    .replace(/"[^"]*"/g, " ")
    .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, "$1")
    .replace(/\[([smhd]{1,2})\]/g, "$1")
    .replace(/\[[^[\]]*\]/g, "")
    .split(/[^a-z0#?%]+/)
    .filter((token) => token !== "");
  return tokens.length > 0 && tokens.every((token) => DATE_TOKEN.test(token));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
