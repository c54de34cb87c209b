/** The strings of the digest, in the languages of the pages. */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import type { Locale } from "./locale.ts";
import type { Counted, Translated } from "./words-en.ts";

const ENGLISH = {
  title: "{name}: {from} to {until}",
  weekly: "The week in reviews",
  monthly: "The month in reviews",
  unanswered: {
    one: "{count} review of three stars or fewer has no reply",
    other: "{count} reviews of three stars or fewer have no reply",
  },
  allAnswered: "Every review of three stars or fewer has a reply.",
  more: { one: "and {count} more", other: "and {count} more" },
  noWords: "Stars without words.",
  figures: "Figures",
  period: "{from} to {until}",
  reviews: "Reviews",
  average: "Stars on average",
  positive: "Positive",
  neutral: "Neutral",
  negative: "Negative",
  all: "All reviews",
  topics: "What customers spoke of",
  topic: "Topic",
  praised: "Praise",
  criticised: "Criticism",
  before: "before: {praised} / {criticised}",
  noTopics: "No topic was recognised in the reviews of these days.",
  vanished: {
    one: "{count} review has vanished at its source: goodword vanished lists it.",
    other: "{count} reviews have vanished at their source: goodword vanished lists them.",
  },
  line: "{period}: {reviews}, {average} stars on average",
  none: "{period}: no reviews",
  origin: "The figures are those of {address}.",
} satisfies Readonly<Record<string, string | Counted>>;

type DigestWords = Translated<typeof ENGLISH>;

const GERMAN: DigestWords = {
  title: "{name}: {from} bis {until}",
  weekly: "Die Bewertungen der Woche",
  monthly: "Die Bewertungen des Monats",
  unanswered: {
    one: "{count} Bewertung mit höchstens drei Sternen hat keine Antwort",
    other: "{count} Bewertungen mit höchstens drei Sternen haben keine Antwort",
  },
  allAnswered: "Jede Bewertung mit höchstens drei Sternen hat eine Antwort.",
  more: { one: "und {count} weitere", other: "und {count} weitere" },
  noWords: "Nur Sterne, ohne Text.",
  figures: "Zahlen",
  period: "{from} bis {until}",
  reviews: "Bewertungen",
  average: "Sterne im Durchschnitt",
  positive: "Positiv",
  neutral: "Neutral",
  negative: "Negativ",
  all: "Insgesamt",
  topics: "Worüber die Kundschaft schrieb",
  topic: "Thema",
  praised: "Lob",
  criticised: "Kritik",
  before: "zuvor: {praised} / {criticised}",
  noTopics: "In den Bewertungen dieser Tage wurde kein Thema erkannt.",
  vanished: {
    one: "{count} Bewertung ist bei ihrer Quelle verschwunden: Der Befehl goodword vanished zeigt sie.",
    other: "{count} Bewertungen sind bei ihrer Quelle verschwunden: Der Befehl goodword vanished zeigt sie.",
  },
  line: "{period}: {reviews}, im Durchschnitt {average} Sterne",
  none: "{period}: keine Bewertungen",
  origin: "Die Zahlen stammen aus {address}.",
};

const SPANISH: DigestWords = {
  title: "{name}: del {from} al {until}",
  weekly: "Las reseñas de la semana",
  monthly: "Las reseñas del mes",
  unanswered: {
    one: "{count} reseña de tres estrellas o menos no tiene respuesta",
    many: "{count} de reseñas de tres estrellas o menos no tienen respuesta",
    other: "{count} reseñas de tres estrellas o menos no tienen respuesta",
  },
  allAnswered: "Todas las reseñas de tres estrellas o menos tienen respuesta.",
  more: { one: "y {count} más", other: "y {count} más" },
  noWords: "Solo estrellas, sin texto.",
  figures: "Cifras",
  period: "Del {from} al {until}",
  reviews: "Reseñas",
  average: "Media de estrellas",
  positive: "Positivas",
  neutral: "Neutras",
  negative: "Negativas",
  all: "En total",
  topics: "De qué hablaron los clientes",
  topic: "Tema",
  praised: "Elogios",
  criticised: "Críticas",
  before: "antes: {praised} / {criticised}",
  noTopics: "En las reseñas de este periodo no se reconoció ningún tema.",
  vanished: {
    one: "{count} reseña ha desaparecido de su fuente: el comando goodword vanished la muestra.",
    many: "{count} de reseñas han desaparecido de su fuente: el comando goodword vanished las muestra.",
    other: "{count} reseñas han desaparecido de su fuente: el comando goodword vanished las muestra.",
  },
  line: "{period}: {reviews}, {average} estrellas de media",
  none: "{period}: ninguna reseña",
  origin: "Las cifras proceden de {address}.",
};

const FRENCH: DigestWords = {
  title: "{name} : du {from} au {until}",
  weekly: "Les avis de la semaine",
  monthly: "Les avis du mois",
  unanswered: {
    one: "{count} avis de trois étoiles ou moins est sans réponse",
    many: "{count} d’avis de trois étoiles ou moins sont sans réponse",
    other: "{count} avis de trois étoiles ou moins sont sans réponse",
  },
  allAnswered: "Tous les avis de trois étoiles ou moins ont une réponse.",
  more: { one: "et {count} autre", other: "et {count} autres" },
  noWords: "Note seule, sans texte.",
  figures: "Chiffres",
  period: "Du {from} au {until}",
  reviews: "Avis",
  average: "Note moyenne",
  positive: "Positifs",
  neutral: "Neutres",
  negative: "Négatifs",
  all: "Au total",
  topics: "Ce dont les clients ont parlé",
  topic: "Thème",
  praised: "Compliments",
  criticised: "Critiques",
  before: "avant : {praised} / {criticised}",
  noTopics: "Aucun thème n’a été reconnu dans les avis de cette période.",
  vanished: {
    one: "{count} avis a disparu de sa source : la commande goodword vanished l’affiche.",
    many: "{count} d’avis ont disparu de leur source : la commande goodword vanished les affiche.",
    other: "{count} avis ont disparu de leur source : la commande goodword vanished les affiche.",
  },
  line: "{period} : {reviews}, note moyenne de {average}",
  none: "{period} : aucun avis",
  origin: "Les chiffres proviennent de {address}.",
};

const DUTCH: DigestWords = {
  title: "{name}: {from} tot en met {until}",
  weekly: "De reviews van de week",
  monthly: "De reviews van de maand",
  unanswered: {
    one: "{count} review van drie sterren of minder heeft geen reactie",
    other: "{count} reviews van drie sterren of minder hebben geen reactie",
  },
  allAnswered: "Elke review van drie sterren of minder heeft een reactie.",
  more: { one: "en nog {count}", other: "en nog {count}" },
  noWords: "Alleen sterren, zonder tekst.",
  figures: "Cijfers",
  period: "{from} tot en met {until}",
  reviews: "Reviews",
  average: "Gemiddeld aantal sterren",
  positive: "Positief",
  neutral: "Neutraal",
  negative: "Negatief",
  all: "In totaal",
  topics: "Waar klanten het over hadden",
  topic: "Onderwerp",
  praised: "Lof",
  criticised: "Kritiek",
  before: "daarvoor: {praised} / {criticised}",
  noTopics: "In de reviews van deze dagen is geen onderwerp herkend.",
  vanished: {
    one: "{count} review is bij de bron verdwenen: de opdracht goodword vanished toont die.",
    other: "{count} reviews zijn bij de bron verdwenen: de opdracht goodword vanished toont ze.",
  },
  line: "{period}: {reviews}, gemiddeld {average} sterren",
  none: "{period}: geen reviews",
  origin: "De cijfers komen uit {address}.",
};

const DIGEST: Translations<DigestWords> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH, nl: DUTCH };

/** The strings for the language of a locale. */
export function digestWords({ tag }: Locale): DigestWords {
  return DIGEST[pageLanguageOf(tag) ?? "en"];
}
