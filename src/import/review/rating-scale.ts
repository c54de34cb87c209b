/** Judges what a column of ratings counts to, from all its values: 5 of 10 is not 5 of 5. */
import { quote } from "../../issue.ts";

/** A rating and its position. */
interface PlacedRating {
  readonly value: unknown;
  readonly at: string;
}

/** Sites whose ratings count to ten. */
const TEN_POINT_SITE =
  /\b(?:booking|agoda|hostelworld|hotels?\.com|expedia|priceline|kiyoh|klantenvertellen|thefork|lafourchette|kayak|trivago|hrs)\b|^hotels$/i;
/** Sites whose ratings count to six. */
const SIX_POINT_SITE = /\bholidaycheck\b/i;

export interface ScaleJudge {
  /** Looks at one rating, and at the site where it was given. */
  add(rating: PlacedRating, site?: unknown): void;
  /** Which rating shows another scale than five stars, and what to do; undefined if none does. */
  verdict(): string | undefined;
}

export function openScaleJudge(): ScaleJudge {
  let first: PlacedRating | undefined;
  let [above, highest] = [0, 0];
  let otherSite: (PlacedRating & { readonly site: unknown; readonly scale: number }) | undefined;
  return {
    add(rating, site) {
      const scale = scaleOf(rating.value);
      if (scale !== undefined && scale !== 5) {
        first ??= rating;
        above += 2;
        highest = Math.max(highest, scale);
      }
      const number = numberOf(rating.value);
      if (number === undefined) return;
      const ofSite = typeof site !== "string" ? 0 : TEN_POINT_SITE.test(site) ? 10 : SIX_POINT_SITE.test(site) ? 6 : 0;
      if (otherSite === undefined && ofSite > 0) otherSite = { ...rating, site, scale: ofSite };
      if (number > 0 && number < 1) {
        first ??= rating;
        above += 2;
        highest = Math.max(highest, number);
        return;
      }
      if (number <= 5 || number > 100) return; // below 5, a column tells nothing; above 100, nothing is a rating
      first ??= rating;
      above += 1;
      highest = Math.max(highest, number);
    },
    verdict() {
      // A lone 6 is a slip of the hand.
      if (first !== undefined && (above > 1 || highest !== 6)) {
        const scale =
          highest <= 1 ? 1 : highest < 5 ? highest : highest <= 6 ? 6 : highest <= 10 ? 10 : highest <= 20 ? 20 : 100;
        return `${first.at} has ${quote(first.value)}, so the ratings seem to count to ${scale}. ${NEXT}`;
      }
      if (otherSite === undefined) return undefined;
      return `${otherSite.at} is from ${quote(otherSite.site)}, whose ratings count to ${otherSite.scale}. ${NEXT}`;
    },
  };
}

/** What to do where no column is known to hold stars. */
export const OTHER_STARS =
  "if another column holds stars from 1 to 5, name it with --columns rating=…; otherwise leave these reviews out, because other scales have no whole stars";

const NEXT = `5 of 10 is not 5 of 5: if that value is a slip, correct it; ${OTHER_STARS}`;

/** What a rating says that it counts to: `8/10`, `4 out of 5`, `★★★☆`. */
function scaleOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^[★⭐]{1,20}[☆✩]{1,20}$/u.test(value.trim().replaceAll("\uFE0F", "")))
    return [...value.trim().replaceAll("\uFE0F", "")].length;
  const said =
    typeof value === "string"
      ? /^\s*\d{1,3}(?:[.,]\d{1,20})?\s*(?:\/|out of|of|von|sur|de|su|van)\s*(\d{1,3})\b/i.exec(value)
      : null;
  return said === null ? undefined : Number(said[1]);
}

/** A bare number; one that names its scale (`8/10`) or is written as stars is judged by itself. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const [, number] = /^(\d{1,3}(?:[.,]\d{1,20})?)\s?%?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const count = Number(number.replace(",", "."));
  return text.endsWith("%") ? Math.max(count, 100) : count;
}
