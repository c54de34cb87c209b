/** The text of an appeal to a platform that dropped reviews, to be sent as it is. */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { type Locale, localeOf } from "./locale.ts";
import { fill } from "./words.ts";
import type { Counted, Translated } from "./words-en.ts";

/** A review that the platform no longer shows. Times are ISO 8601; `author` is null if the store no longer has it. */
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
  opening: {
    one: "the following {reviews} of {name} is missing from the complete exports of our profile. Earlier exports had it. We did not ask for its removal, and we ask you to check it and to show it again.",
    other:
      "the following {reviews} of {name} are missing from the complete exports of our profile. Earlier exports had them. We did not ask for their removal, and we ask you to check it and to show them again.",
  },
  greeting: "Dear Sir or Madam,",
  there: "in our export of {had}, missing in that of {lacked}",
  copy: "Our copy: {url}",
  link: "Its address at {source}: {url}",
  someone: "a customer",
  closing: "Times are in UTC, and are those at which we stored the exports.",
  end: "Kind regards,",
} satisfies Readonly<Record<string, string | Counted>>;

type AppealWords = Translated<typeof ENGLISH>;

const GERMAN: AppealWords = {
  subject: "Bewertungen zu {name}, die nicht mehr angezeigt werden",
  opening: {
    one: "in den vollständigen Exporten unseres Profils fehlt {reviews} zu {name}. Frühere Exporte enthielten sie. Wir haben nicht verlangt, sie zu entfernen, und bitten Sie, den Fall zu prüfen und die Bewertung wieder anzuzeigen.",
    other:
      "in den vollständigen Exporten unseres Profils fehlen {reviews} zu {name}. Frühere Exporte enthielten sie. Wir haben nicht verlangt, sie zu entfernen, und bitten Sie, den Fall zu prüfen und die Bewertungen wieder anzuzeigen.",
  },
  greeting: "Sehr geehrte Damen und Herren,",
  there: "in unserem Export vom {had}, nicht mehr in dem vom {lacked}",
  copy: "Unsere Kopie: {url}",
  link: "Adresse bei {source}: {url}",
  someone: "Kundin oder Kunde",
  closing: "Alle Zeiten sind in UTC angegeben; zu diesen Zeiten haben wir die Exporte gespeichert.",
  end: "Mit freundlichen Grüßen",
};

const SPANISH: AppealWords = {
  subject: "Reseñas de {name} que ya no se muestran",
  opening: {
    one: "En las exportaciones completas de nuestro perfil falta {reviews} de {name}. Las exportaciones anteriores la incluían. No hemos pedido que se eliminara, y les rogamos que lo comprueben y vuelvan a mostrarla.",
    other:
      "En las exportaciones completas de nuestro perfil faltan {reviews} de {name}. Las exportaciones anteriores las incluían. No hemos pedido que se eliminaran, y les rogamos que lo comprueben y vuelvan a mostrarlas.",
  },
  greeting: "Estimado equipo:",
  there: "figura en nuestra exportación del {had}, pero ya no en la del {lacked}",
  copy: "Nuestra copia: {url}",
  link: "Su dirección en {source}: {url}",
  someone: "un cliente",
  closing: "Las horas están en UTC e indican cuándo guardamos las exportaciones.",
  end: "Atentamente,",
};

const FRENCH: AppealWords = {
  subject: "Avis sur {name} qui ne sont plus affichés",
  opening: {
    one: "Dans les exportations complètes de notre fiche, il manque {reviews} sur {name}. Les exportations précédentes le contenaient. Nous n’avons pas demandé sa suppression, et nous vous prions de vérifier ce qu’il en est et de l’afficher de nouveau.",
    other:
      "Dans les exportations complètes de notre fiche, il manque {reviews} sur {name}. Les exportations précédentes les contenaient. Nous n’avons pas demandé leur suppression, et nous vous prions de vérifier ce qu’il en est et de les afficher de nouveau.",
  },
  greeting: "Madame, Monsieur,",
  there: "présent dans notre exportation du {had}, absent de celle du {lacked}",
  copy: "Notre copie : {url}",
  link: "Son adresse sur {source} : {url}",
  someone: "un client",
  closing: "Les heures sont en UTC et indiquent quand nous avons enregistré les exportations.",
  end: "Cordialement,",
};

const DUTCH: AppealWords = {
  subject: "Reviews over {name} die niet meer getoond worden",
  opening: {
    one: "In de volledige exports van ons profiel ontbreekt {reviews} over {name}. Eerdere exports bevatten die wel. Wij hebben niet om verwijdering gevraagd en verzoeken u dit na te gaan en de review weer te tonen.",
    other:
      "In de volledige exports van ons profiel ontbreken {reviews} over {name}. Eerdere exports bevatten ze wel. Wij hebben niet om verwijdering gevraagd en verzoeken u dit na te gaan en ze weer te tonen.",
  },
  greeting: "Geachte heer, mevrouw,",
  there: "in onze export van {had}, niet meer in die van {lacked}",
  copy: "Onze kopie: {url}",
  link: "Adres bij {source}: {url}",
  someone: "een klant",
  closing: "De tijden zijn in UTC en geven aan wanneer wij de exports hebben opgeslagen.",
  end: "Met vriendelijke groet,",
};

const APPEAL: Translations<AppealWords> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH, nl: DUTCH };

/** The strings for the language of a locale. */
export function appealWords({ tag }: Locale): AppealWords {
  return APPEAL[pageLanguageOf(tag) ?? "en"];
}

/** The appeal in the language of the business's pages. One review is a numbered paragraph of its own. */
export function appealText(
  reviews: readonly DroppedReview[],
  business: { readonly name: string; readonly language: string },
): string {
  const locale = localeOf(business.language);
  const words = appealWords(locale);
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
  const values = { name: business.name, reviews: locale.counted(locale.words.reviews, reviews.length) };
  const parts = [
    fill(words.subject, values),
    words.greeting,
    locale.counted(words.opening, reviews.length, values),
    ...items,
    words.closing,
  ];
  return `${parts.join("\n\n")}\n\n${words.end}\n${business.name}\n`;
}

/** A customer's words as a part of a line, so that they cannot pass as text of the appeal. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
