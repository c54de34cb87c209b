/** Place details from the legacy Places API: at most five reviews, without ids. */

import { isObject } from "../../../lib/json-object.ts";
import { epochTime } from "../../review/iso-time.ts";
import { TRANSLATED_LABEL } from "../../review/translation-labels.ts";
import { jsonFormat, type Located, located } from "../format.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  author_name: "text",
  rating: "number",
  text: "text?",
  time: "number",
  relative_time_description: "text",
};

export const placesLegacy = jsonFormat({
  name: "Places API (legacy)",
  names: {
    author: "author_name",
    author_avatar_url: "profile_photo_url",
    rating: "rating",
    written: "time",
    text: "text",
  },
  vendor:
    /^(?:author_name|author_url|language|original_language|profile_photo_url|rating|relative_time_description|text|time|translated)$/,
  shape: SHAPE,
  extent: () => "part",
  find(value) {
    const answers = Array.isArray(value)
      ? value.map((one, index) => [one, `[${index}].`] as const)
      : [[value, ""] as const];
    const records = answers.flatMap(([answer, path]) => reviewsOf(answer, path));
    return areOfVendor(records, SHAPE) ? records : undefined;
  },
  read(record) {
    return {
      source: "google",
      author: record.author_name,
      author_avatar_url: record.profile_photo_url,
      rating: record.rating,
      written: epochTime(record.time), // relative_time_description is not a date
      text: record.translated === true ? `${TRANSLATED_LABEL} ${record.text}` : (record.text ?? null),
    };
  },
});

/** The reviews of one answer; one of several may have none. */
function reviewsOf(answer: unknown, path: string): readonly Located[] {
  if (!isObject(answer)) return [];
  const result = isObject(answer.result) ? answer.result : answer;
  return located(result.reviews, answer === result ? `${path}reviews` : `${path}result.reviews`, result) ?? [];
}
