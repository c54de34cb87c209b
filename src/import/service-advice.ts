/** Advises the owner, from customers' frequent words, on aliases of services that few reviews name. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import type { BusinessFile } from "../business.ts";
import { mentionFinder } from "../insight/mentions/mentions.ts";
import { countedNames, listed } from "../insight/prose/prose.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { openThemeColumns } from "../insight/theme/theme-columns.ts";
import { findThemes } from "../insight/theme/themes.ts";
import type { Review } from "../review.ts";

/** With fewer reviews that name a service, its words are probably not those of customers. */
const MIN_NAMING = 3;
/** Maximum numbers of services and of words that are named, and of the newest texts that are read. */
const [MAX_SERVICES, MAX_WORDS, MAX_TEXTS] = [5, 8, 5_000];

/** The advice on the reviews, newest first; undefined if all services are named or no frequent word is left. */
export function serviceAdvice(reviews: readonly Review[], business: BusinessFile): string | undefined {
  const taxonomy = taxonomyOf(business);
  const find = mentionFinder(business, taxonomy);
  const texts = reviews.filter(({ text }) => text !== null).slice(0, MAX_TEXTS);
  const columns = openThemeColumns(texts.length);
  const counts = new Map(business.services.map(({ id }) => [id, 0]));
  let read = 0;
  for (const { text, rating } of texts) {
    const { language, sentiment, theme_words } = analyseText(text, rating, taxonomy);
    columns.add(theme_words, language);
    if (sentiment === null) continue;
    read++;
    for (const id of find(text, language).services) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const seldom = business.services
    .map(({ id, label }) => ({ name: `“${label}”`, count: counts.get(id) ?? 0 }))
    .filter(({ count }) => count < MIN_NAMING)
    .slice(0, MAX_SERVICES);
  const words = findThemes(columns.finish(), read, business)
    .themes.filter(({ label }) => find(label).services.length === 0)
    .map(({ label, positions }) => ({ name: label, count: positions.length }))
    .slice(0, MAX_WORDS);
  if (seldom.length === 0 || words.length === 0) return undefined;
  return `Few reviews name ${listed(seldom.map(({ name, count }) => `${name} (${count})`))}. Customers often write ${countedNames(words)}. If they call a service by one of these words, add it to the aliases of that service in business.yaml.`;
}
