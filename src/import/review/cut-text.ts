/** Recognises a text that a page cut short before it came into the file: "They came and … More". */

const MORE = [
  "(?:(?:read|see|show|view) )?more|mehr(?: lesen| anzeigen)?|weiterlesen|(?:voir )?plus|lire (?:la suite|plus)",
  "(?:leer |ver |mostrar )?más|(?:ler |ver )?mais|altro|leggi (?:di più|tutto)|(?:lees )?meer|więcej|ещё|もっと見る|更多|더보기",
].join("|");
const CUT = new RegExp(`(?:…|\\.\\.\\.)\\s?[([]?(?:${MORE})[)\\]]?$`, "iu");
const MAX_LENGTH = 30;

/** Whether a text ends with the button of a page that shows the rest. */
export function isCutShort(text: string): boolean {
  return CUT.test(text.slice(-MAX_LENGTH));
}
