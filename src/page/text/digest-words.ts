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
  weekly: "Die Woche in Bewertungen",
  monthly: "Der Monat in Bewertungen",
  unanswered: {
    one: "{count} Bewertung mit höchstens drei Sternen hat keine Antwort",
    other: "{count} Bewertungen mit höchstens drei Sternen haben keine Antwort",
  },
  allAnswered: "Jede Bewertung mit höchstens drei Sternen hat eine Antwort.",
  more: { one: "und {count} weitere", other: "und {count} weitere" },
  noWords: "Sterne ohne Worte.",
  figures: "Zahlen",
  period: "{from} bis {until}",
  reviews: "Bewertungen",
  average: "Sterne im Mittel",
  positive: "Positiv",
  neutral: "Neutral",
  negative: "Negativ",
  all: "Alle Bewertungen",
  topics: "Worüber Kundinnen und Kunden sprachen",
  topic: "Thema",
  praised: "Lob",
  criticised: "Kritik",
  before: "zuvor: {praised} / {criticised}",
  noTopics: "In den Bewertungen dieser Tage wurde kein Thema erkannt.",
  vanished: {
    one: "{count} Bewertung ist an ihrer Quelle verschwunden: goodword vanished nennt sie.",
    other: "{count} Bewertungen sind an ihrer Quelle verschwunden: goodword vanished nennt sie.",
  },
  line: "{period}: {reviews}, {average} Sterne im Mittel",
  none: "{period}: keine Bewertungen",
  origin: "Die Zahlen sind die von {address}.",
};

const DIGEST: Translations<DigestWords> = { en: ENGLISH, de: GERMAN };

/** The strings for the language of a locale. */
export function digestWords({ tag }: Locale): DigestWords {
  return DIGEST[pageLanguageOf(tag) ?? "en"];
}
