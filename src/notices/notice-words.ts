/** The strings of messages to the owner, in the languages of the pages. */
import type { Counted } from "../page/text/words-en.ts";

const ENGLISH = {
  heading: "{name}: {what}",
  added: { one: "{count} new review", other: "{count} new reviews" },
  poor: { one: "{count} with three stars or fewer", other: "{count} with three stars or fewer" },
  first: {
    one: "the first import is published: {count} review",
    other: "the first import is published: {count} reviews",
  },
  worsened: {
    one: "{count} review was edited and has three stars or fewer now",
    other: "{count} reviews were edited and have three stars or fewer now",
  },
  vanished: {
    one: "{count} review is missing from a complete export",
    other: "{count} reviews are missing from a complete export",
  },
  by: "{stars} {author}, {date}, {source}",
  noWords: "Stars without words.",
  gone: "In the import of {had}, missing since that of {lacked}.",
  more: { one: "And {count} more.", other: "And {count} more." },
  rating: { one: "{stars} of 5 stars from {count} review.", other: "{stars} of 5 stars from {count} reviews." },
  test: "a test of the messages to you. Nothing has happened.",
  refused: "an import was refused or failed. What is published has stayed as it was.",
  refusedOver: "imports are accepted again.",
  source: "the followed source {source} failed {failures} times in a row. {reason}",
  sourceOver: "the followed source {source} can be imported again.",
  deliveries: "deliveries to subscribers are at a standstill: one has been due for more than {minutes} minutes.",
  deliveriesOver: "deliveries to subscribers go on.",
  disk: "the disk of the store is nearly full: {megabytes} MB are free.",
  diskOver: "the disk of the store has room again.",
} satisfies Readonly<Record<string, string | Counted>>;

export type NoticeWords = typeof ENGLISH;

const GERMAN: NoticeWords = {
  heading: "{name}: {what}",
  added: { one: "{count} neue Bewertung", other: "{count} neue Bewertungen" },
  poor: { one: "{count} mit höchstens drei Sternen", other: "{count} mit höchstens drei Sternen" },
  first: {
    one: "der erste Import ist veröffentlicht: {count} Bewertung",
    other: "der erste Import ist veröffentlicht: {count} Bewertungen",
  },
  worsened: {
    one: "{count} Bewertung wurde geändert und hat jetzt höchstens drei Sterne",
    other: "{count} Bewertungen wurden geändert und haben jetzt höchstens drei Sterne",
  },
  vanished: {
    one: "{count} Bewertung fehlt in einem vollständigen Export",
    other: "{count} Bewertungen fehlen in einem vollständigen Export",
  },
  by: "{stars} {author}, {date}, {source}",
  noWords: "Sterne ohne Worte.",
  gone: "Im Import vom {had} vorhanden, fehlt seit dem vom {lacked}.",
  more: { one: "Und {count} weitere.", other: "Und {count} weitere." },
  rating: {
    one: "{stars} von 5 Sternen aus {count} Bewertung.",
    other: "{stars} von 5 Sternen aus {count} Bewertungen.",
  },
  test: "ein Test der Nachrichten an Sie. Es ist nichts geschehen.",
  refused: "ein Import wurde abgelehnt oder ist gescheitert. Veröffentlicht ist, was es vorher war.",
  refusedOver: "Importe werden wieder angenommen.",
  source: "die Quelle {source} ist {failures}-mal hintereinander gescheitert. {reason}",
  sourceOver: "die Quelle {source} lässt sich wieder importieren.",
  deliveries: "die Zustellung an Abonnenten steht still: Eine ist seit mehr als {minutes} Minuten fällig.",
  deliveriesOver: "die Zustellung an Abonnenten geht weiter.",
  disk: "die Platte, auf der die Daten liegen, ist fast voll: {megabytes} MB sind frei.",
  diskOver: "die Platte, auf der die Daten liegen, hat wieder Platz.",
};

/** The strings in the language of a BCP 47 tag; English where there is no translation, as on the pages. */
export function noticeWords(tag: string): NoticeWords {
  return tag.toLowerCase().split("-")[0] === "de" ? GERMAN : ENGLISH;
}
