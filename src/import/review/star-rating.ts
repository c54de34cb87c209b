/** Reads ratings in the forms that exports and people use: `5`, `FIVE`, `5 stars`, `★★★★★`, `4,0`, `4/5`. */
import { isValue } from "../../issue.ts";
import { AFTER_STARS, BEFORE_STARS } from "../words/page-words.ts";

/** The number of stars, 1 to 5, or a fault as the rest of a sentence that begins with the field. */
export type StarRating = { readonly value: number } | { readonly fault: string };

const WORDS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5 };
const WORD = /^(one|two|three|four|five)(?:\s+stars?)?$/i;
const NUMBER =
  /^(\d+(?:[.,]\d+)?)\s*(?:(?:\/|out of|of|von|sur|de|su|van|uit|na|av|ud af|z|из|з)\s*(\d+)\s*)?(?:stars?|sterne?n?|[ée]toiles?|estrellas?|estrelas?|estels|stelle|stella|sterren|gwiazd(?:ki|ka|ek|a|y)?|stjärn(?:a|or)|stjerner?|tähteä|tähti|hvězd(?:y|a|iček|ičky)?|yıldız|csillag|stele|αστέρια|звезд[аы]?|звёзд[аы]?|зірк[аи]|зірок|sao|★|⭐️?)?$/iu;
const SIGNS = /^(?:(?:★|⭐)\uFE0F?){1,5}☆{0,4}$/u;
const ALLOWED = "but must be a whole number of stars from 1 to 5";

/** Reads a rating. Half stars are refused, because rounding would change what the customer said. */
export function readStars(value: unknown): StarRating {
  const number = typeof value === "string" ? starsOf(value.trim()) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return { fault: `${isValue(value)}, ${ALLOWED}` };
  if (Number.isInteger(number) && number >= 1 && number <= 5) return { value: number };
  const isBetween = number > 1 && number < 5;
  const why = isBetween ? " (not rounded, because that would change what the customer said)" : "";
  return { fault: `${isValue(value)}${why}, ${ALLOWED}` };
}

/**
 * The one rating that names of pictures and signs tell: `5 stars`, `Rated 4 out of 5`; undefined if they tell none, or
 * several. A number alone is none.
 */
export function spokenStars(names: unknown): number | undefined {
  const told = (Array.isArray(names) ? names : []).flatMap((name) => {
    const bare = String(name).trim().replace(BEFORE_STARS, "").replace(AFTER_STARS, "");
    const stars = /^[\d.,\s]*$/.test(bare) ? undefined : readStars(bare);
    return stars !== undefined && "value" in stars ? [stars.value] : [];
  });
  return new Set(told).size === 1 ? told[0] : undefined;
}

function starsOf(text: string): number | undefined {
  if (text.length === 1 && text >= "0" && text <= "9") return Number(text);
  const word = WORD.exec(text)?.[1];
  if (word !== undefined) return WORDS[word.toLowerCase()];
  if (SIGNS.test(text)) {
    const signs = text.replaceAll("\uFE0F", "");
    return [...signs].length <= 5 ? signs.replaceAll("☆", "").length : undefined;
  }
  const [, number = "", scale = "5"] = NUMBER.exec(text) ?? [];
  return number === "" || Number(scale) !== 5 ? undefined : Number(number.replace(",", "."));
}
