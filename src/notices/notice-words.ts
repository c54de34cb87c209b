/** The strings of messages to the owner, in the languages of the pages. */
import type { Counted, Translated } from "../page/text/words-en.ts";
import { pageLanguageOf, type Translations } from "../page-languages.ts";

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

type NoticeWords = Translated<typeof ENGLISH>;

const GERMAN: NoticeWords = {
  heading: "{name}: {what}",
  added: { one: "{count} neue Bewertung", other: "{count} neue Bewertungen" },
  poor: { one: "{count} mit höchstens drei Sternen", other: "{count} mit höchstens drei Sternen" },
  first: {
    one: "Der erste Import ist veröffentlicht: {count} Bewertung",
    other: "Der erste Import ist veröffentlicht: {count} Bewertungen",
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
  noWords: "Nur Sterne, ohne Text.",
  gone: "Im Import vom {had} vorhanden, fehlt seit dem vom {lacked}.",
  more: { one: "Und {count} weitere.", other: "Und {count} weitere." },
  rating: {
    one: "{stars} von 5 Sternen aus {count} Bewertung.",
    other: "{stars} von 5 Sternen aus {count} Bewertungen.",
  },
  test: "Das ist nur eine Testnachricht. Es ist nichts vorgefallen.",
  refused: "Ein Import wurde abgelehnt oder ist gescheitert. Was veröffentlicht ist, bleibt, wie es war.",
  refusedOver: "Importe werden wieder angenommen.",
  source: "Die Quelle {source} ließ sich {failures}-mal hintereinander nicht importieren. {reason}",
  sourceOver: "Die Quelle {source} lässt sich wieder importieren.",
  deliveries: "Die Zustellung an Abonnenten steht still: Eine ist seit mehr als {minutes} Minuten fällig.",
  deliveriesOver: "Die Zustellung an Abonnenten geht weiter.",
  disk: "Die Festplatte mit den Daten ist fast voll: Es sind noch {megabytes} MB frei.",
  diskOver: "Auf der Festplatte mit den Daten ist wieder Platz.",
};

const SPANISH: NoticeWords = {
  heading: "{name}: {what}",
  added: { one: "{count} reseña nueva", many: "{count} de reseñas nuevas", other: "{count} reseñas nuevas" },
  poor: { one: "{count} con tres estrellas o menos", other: "{count} con tres estrellas o menos" },
  first: {
    one: "la primera importación está publicada, con {count} reseña",
    many: "la primera importación está publicada, con {count} de reseñas",
    other: "la primera importación está publicada, con {count} reseñas",
  },
  worsened: {
    one: "{count} reseña se ha modificado y ahora tiene tres estrellas o menos",
    many: "{count} de reseñas se han modificado y ahora tienen tres estrellas o menos",
    other: "{count} reseñas se han modificado y ahora tienen tres estrellas o menos",
  },
  vanished: {
    one: "{count} reseña falta en una exportación completa",
    many: "{count} de reseñas faltan en una exportación completa",
    other: "{count} reseñas faltan en una exportación completa",
  },
  by: "{stars} {author}, {date}, {source}",
  noWords: "Solo estrellas, sin texto.",
  gone: "Estaba en la importación del {had}; falta desde la del {lacked}.",
  more: { one: "Y {count} más.", other: "Y {count} más." },
  rating: {
    one: "{stars} de 5 estrellas en {count} reseña.",
    many: "{stars} de 5 estrellas en {count} de reseñas.",
    other: "{stars} de 5 estrellas en {count} reseñas.",
  },
  test: "solo un mensaje de prueba. No ha pasado nada.",
  refused: "una importación se ha rechazado o ha fallado. Lo publicado sigue como estaba.",
  refusedOver: "las importaciones vuelven a aceptarse.",
  source: "la importación de la fuente {source} ha fallado {failures} veces seguidas. {reason}",
  sourceOver: "la fuente {source} se puede importar de nuevo.",
  deliveries: "los envíos a suscriptores están parados. Hay uno pendiente desde hace más de {minutes} minutos.",
  deliveriesOver: "los envíos a suscriptores se han reanudado.",
  disk: "el disco donde están los datos está casi lleno. Quedan {megabytes} MB libres.",
  diskOver: "el disco donde están los datos vuelve a tener espacio.",
};

const FRENCH: NoticeWords = {
  heading: "{name} : {what}",
  added: { one: "{count} nouvel avis", many: "{count} de nouveaux avis", other: "{count} nouveaux avis" },
  poor: { one: "{count} avec trois étoiles ou moins", other: "{count} avec trois étoiles ou moins" },
  first: {
    one: "la première importation est publiée, avec {count} avis",
    many: "la première importation est publiée, avec {count} d’avis",
    other: "la première importation est publiée, avec {count} avis",
  },
  worsened: {
    one: "{count} avis a été modifié et a maintenant trois étoiles ou moins",
    many: "{count} d’avis ont été modifiés et ont maintenant trois étoiles ou moins",
    other: "{count} avis ont été modifiés et ont maintenant trois étoiles ou moins",
  },
  vanished: {
    one: "{count} avis manque dans une exportation complète",
    many: "{count} d’avis manquent dans une exportation complète",
    other: "{count} avis manquent dans une exportation complète",
  },
  by: "{stars} {author}, {date}, {source}",
  noWords: "Note seule, sans texte.",
  gone: "Présent dans l’importation du {had}, absent depuis celle du {lacked}.",
  more: { one: "Et {count} autre.", other: "Et {count} autres." },
  rating: {
    one: "Note de {stars} sur 5 pour {count} avis.",
    many: "Note de {stars} sur 5 pour {count} d’avis.",
    other: "Note de {stars} sur 5 pour {count} avis.",
  },
  test: "un simple message de test. Il ne s’est rien passé.",
  refused: "une importation a été refusée ou a échoué. Ce qui est publié est resté tel quel.",
  refusedOver: "les importations sont de nouveau acceptées.",
  source: "l’importation de la source {source} a échoué {failures} fois de suite. {reason}",
  sourceOver: "la source {source} peut de nouveau être importée.",
  deliveries: "les envois aux abonnés sont à l’arrêt. L’un d’eux est en attente depuis plus de {minutes} minutes.",
  deliveriesOver: "les envois aux abonnés ont repris.",
  disk: "le disque qui contient les données est presque plein. Il reste {megabytes} Mo.",
  diskOver: "le disque qui contient les données a de nouveau de l’espace libre.",
};

const DUTCH: NoticeWords = {
  heading: "{name}: {what}",
  added: { one: "{count} nieuwe review", other: "{count} nieuwe reviews" },
  poor: { one: "{count} met drie sterren of minder", other: "{count} met drie sterren of minder" },
  first: {
    one: "de eerste import is gepubliceerd: {count} review",
    other: "de eerste import is gepubliceerd: {count} reviews",
  },
  worsened: {
    one: "{count} review is gewijzigd en heeft nu drie sterren of minder",
    other: "{count} reviews zijn gewijzigd en hebben nu drie sterren of minder",
  },
  vanished: {
    one: "{count} review ontbreekt in een volledige export",
    other: "{count} reviews ontbreken in een volledige export",
  },
  by: "{stars} {author}, {date}, {source}",
  noWords: "Alleen sterren, zonder tekst.",
  gone: "Stond in de import van {had}, ontbreekt sinds die van {lacked}.",
  more: { one: "En nog {count}.", other: "En nog {count}." },
  rating: {
    one: "{stars} van de 5 sterren op basis van {count} review.",
    other: "{stars} van de 5 sterren op basis van {count} reviews.",
  },
  test: "alleen een testbericht. Er is niets aan de hand.",
  refused: "een import is geweigerd of mislukt. Wat gepubliceerd is, is gebleven zoals het was.",
  refusedOver: "imports worden weer geaccepteerd.",
  source: "het importeren van de bron {source} is {failures} keer achter elkaar mislukt. {reason}",
  sourceOver: "de bron {source} kan weer geïmporteerd worden.",
  deliveries: "de bezorging aan abonnees ligt stil: één bezorging wacht al langer dan {minutes} minuten.",
  deliveriesOver: "de bezorging aan abonnees gaat weer door.",
  disk: "de schijf waarop de gegevens staan, is bijna vol: er is nog {megabytes} MB vrij.",
  diskOver: "de schijf waarop de gegevens staan, heeft weer ruimte.",
};

const NOTICES: Translations<NoticeWords> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH, nl: DUTCH };

/** The strings in the language of a BCP 47 tag; English where there is no translation, as on the pages. */
export function noticeWords(tag: string): NoticeWords {
  return NOTICES[pageLanguageOf(tag) ?? "en"];
}
