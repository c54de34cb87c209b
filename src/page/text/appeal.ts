/** The text of an appeal to a platform that dropped reviews, to be sent as it is. */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { localeOf } from "./locale.ts";
import { fill } from "./words.ts";

/** A review that the platform does not show any more. Times are ISO 8601; `author` is null if the store has it no more. */
export interface DroppedReview {
  readonly url: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly author: string | null;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
  readonly had_last_at: string;
  readonly lacked_first_at: string;
}

const ENGLISH = {
  subject: "Reviews of {name} that are no longer shown",
  opening:
    "the following {count} of {name} are missing from the complete exports of our profile. Earlier exports had them. We did not ask for their removal, and we ask you to check it and to show them again.",
  greeting: "Dear Sir or Madam,",
  there: "in our export of {had}, missing in that of {lacked}",
  copy: "Our copy: {url}",
  link: "Its address at {source}: {url}",
  someone: "a customer",
  closing: "Times are in UTC, and are those at which we stored the exports.",
  end: "Kind regards,",
};

const GERMAN: typeof ENGLISH = {
  subject: "Bewertungen von {name}, die nicht mehr angezeigt werden",
  opening:
    "in den vollständigen Exporten unseres Profils fehlen {count} von {name}. Frühere Exporte enthielten sie. Wir haben ihre Entfernung nicht verlangt und bitten Sie, sie zu prüfen und die Bewertungen wieder anzuzeigen.",
  greeting: "Sehr geehrte Damen und Herren,",
  there: "in unserem Export vom {had}, nicht mehr in dem vom {lacked}",
  copy: "Unsere Kopie: {url}",
  link: "Adresse bei {source}: {url}",
  someone: "Kundin oder Kunde",
  closing: "Alle Zeiten sind in UTC und nennen, wann wir die Exporte gespeichert haben.",
  end: "Mit freundlichen Grüßen",
};

const APPEAL: Translations<typeof ENGLISH> = { en: ENGLISH, de: GERMAN };

/** The appeal in the language of the business's pages. One review is a numbered paragraph of its own. */
export function appealText(
  reviews: readonly DroppedReview[],
  business: { readonly name: string; readonly language: string },
): string {
  const locale = localeOf(business.language);
  const words = APPEAL[pageLanguageOf(locale.tag) ?? "en"];
  const time = (at: string) => `${locale.date(at.slice(0, 10))}, ${at.slice(11, 16)}`;
  const items = reviews.map((review, index) => {
    const { author, rating, date, text, url, source, source_url } = review;
    const stars = locale.counted(locale.words.starsName, rating);
    return [
      `${index + 1}. ${locale.date(date)}, ${stars}, ${oneLine(author ?? words.someone)}`,
      ...(text === null ? [] : [`   ${locale.quoted(oneLine(text))}`]),
      `   ${fill(words.there, { had: time(review.had_last_at), lacked: time(review.lacked_first_at) })}`,
      ...(source_url === null ? [] : [`   ${fill(words.link, { source, url: source_url })}`]),
      ...(url === null ? [] : [`   ${fill(words.copy, { url })}`]),
    ].join("\n");
  });
  const values = { name: business.name, count: locale.counted(locale.words.reviews, reviews.length) };
  const parts = [fill(words.subject, values), words.greeting, fill(words.opening, values), ...items, words.closing];
  return `${parts.join("\n\n")}\n\n${words.end}\n${business.name}\n`;
}

/** A customer's words as a part of a line, so that they cannot pass as text of the appeal. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
