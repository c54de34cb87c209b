/** Tells which number formats of a spreadsheet show a number as a date or time (ECMA-376 part 1, §18.8.30). */

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
const DATE_TOKEN = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|y{1,2}|yyyy|a{3,5}|e{1,2}|eeee|am|pm|a|p)$/;

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
