/** What the program says of the owner's changes, in commands and on the desk. */
import type { Counted } from "./words-en.ts";

const ENGLISH = {
  removed: {
    one: "Removed {count} review. Revision {revision}.",
    other: "Removed {count} reviews. Revision {revision}.",
  },
  tookOut: {
    one: "Took {what} out of {count} review. Revision {revision}.",
    other: "Took {what} out of {count} reviews. Revision {revision}.",
  },
  parts: { author: "the author's name", text: "the words" },
  and: " and ",
  stillNamed: {
    text: "warning: the customer's words of {id} still hold the name: goodword redact --text takes them out.",
    owner_reply: "warning: the owner's reply of {id} still hold the name: change the reply where you wrote it.",
  },
  logRemains:
    "warning: PostgreSQL's write-ahead log may hold the words until it is written over, because the user of DATABASE_URL may not clear it or the server keeps it for others: docs/operators.md says what to do.",
  leftOut: {
    one: "Later imports leave it out, until goodword readmit ID lets them bring it back.",
    other: "Later imports leave them out, until goodword readmit ID lets them bring them back.",
  },
  copiesHold: {
    one: "Backups and exports that were made before still hold it: delete those, or make new ones.",
    other: "Backups and exports that were made before still hold them: delete those, or make new ones.",
  },
  removedCopies: {
    one: "Removed with it, because it says the same, by the same author around the same day: {copies}.",
    other: "Removed with them, because they say the same, by the same author around the same day: {copies}.",
  },
  undoes: "This undoes change {change}.",
  newer: " The newer change {number}, {command}, is not undone{how}.",
  takesBack: {
    correction: "goodword uncorrect takes a correction back",
    removal: "goodword readmit ID takes a removal or redaction back",
  },
  pages: " Your pages lose {leaving} and get back {returning}.",
  pagesStay: " No review leaves your pages, and none returns.",
  pagesChange: {
    one: " {count} review on them becomes as it was.",
    other: " {count} reviews on them become as they were.",
  },
  noReview: "none",
  atMost: "at most ",
  putsBack: " Of the business it puts back:",
  goesBack: "{field}: {from} → {to}",
  nothing: "(nothing)",
  undone:
    "Took back change {change}: {withdrawn} taken out, {added} brought back, {changed} as before.{business} Revision {revision}.",
  undoneBusiness: "Took back change {change}.{business} Revision {revision}.",
  businessBack: " The business is as it was before",
  businessFile: {
    follows: ", in business.yaml, too.",
    stays:
      "; business.yaml on your disk stays as it is: if it says otherwise, correct it before you import it again. The desk shows on its page “Business” what differs, and takes it over.",
    absent: ".",
  },
  change: "{number}, {command}{files} at {time} ({counts})",
  businessChange: "{number}, change of the business at {time}",
  ofFiles: " of {files}",
  noCounts: "no review added, changed or withdrawn",
  counts: "{added} added, {changed} changed, {withdrawn} withdrawn",
  reviews: { one: "{count} review", other: "{count} reviews" },
  replaces:
    "This replaces the reviews and the business in {store} with those of {file}. Removals, redactions and subscriptions stay.",
  onlyKnown: "Restore only a file that you know. It changes what the program does:",
  restored:
    "Restored {file}, last changed at {time}: {added} added, {changed} changed, {withdrawn} withdrawn. Revision {revision}.",
  restoredSame: "Nothing changed: the store holds what {file} holds. Revision {revision}.",
  businessRestored: "The business is as the backup has it",
  subscriptionsTaken:
    "Subscriptions were taken over from the backup, because nothing was imported into this store before.",
  subscriptionsStay: "Subscriptions stay as they are now; removals and redactions stay in force.",
  inForceAgain: {
    one: "In force again, because the backup has them: {count} removal or redaction. goodword removed lists them.",
    other: "In force again, because the backup has them: {count} removals or redactions. goodword removed lists them.",
  },
  effects: {
    removals: "removals and redactions, new: {count}: later imports leave these reviews or parts out",
    corrections:
      "corrections of what was found, new: {criticism} hide criticism, {praise} hide praise, {changed} change what was found{rest}; goodword corrections lists them, and only goodword uncorrect takes one back",
    rest: ", {count} rest until their texts are back",
    deleted: {
      one: "{count} review of this store deleted for good, which goodword undo does not take back: {ids}",
      other: "{count} reviews of this store deleted for good, which goodword undo does not take back: {ids}",
    },
    redacted: {
      one: "{count} review of this store redacted for good, which goodword undo does not take back: {ids}",
      other: "{count} reviews of this store redacted for good, which goodword undo does not take back: {ids}",
    },
    more: " and {count} more",
  },
  undoAll: "goodword undo takes this back.",
  undoRest: "goodword undo takes back the rest.",
  wrote: "Wrote {written} files for {address} to {folder}",
  wroteAndRemoved: {
    one: ", and removed {count} that is no longer published",
    other: ", and removed {count} that are no longer published",
  },
  commands: {
    remove: "removal",
    redact: "redaction",
    readmit: "readmission",
    withdraw: "withdrawal",
    correct: "correction",
    uncorrect: "correction taken back",
  } as Readonly<Record<string, string>>,
} as const;

type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Counted ? Counted : Translated<T[K]>;
};
export type OwnerWords = Translated<typeof ENGLISH>;

const GERMAN: OwnerWords = {
  removed: {
    one: "{count} Bewertung ist entfernt. Revision {revision}.",
    other: "{count} Bewertungen sind entfernt. Revision {revision}.",
  },
  tookOut: {
    one: "In {count} Bewertung verborgen: {what}. Revision {revision}.",
    other: "In {count} Bewertungen verborgen: {what}. Revision {revision}.",
  },
  parts: { author: "der Name", text: "der Text" },
  and: " und ",
  stillNamed: {
    text: "Achtung: Im Text der Bewertung {id} steht der Name noch; goodword redact --text nimmt den Text heraus.",
    owner_reply:
      "Achtung: In Ihrer Antwort auf die Bewertung {id} steht der Name noch; ändern Sie sie dort, wo Sie sie geschrieben haben.",
  },
  logRemains:
    "Achtung: Das Protokoll von PostgreSQL kann die Worte noch enthalten, bis es überschrieben wird; docs/operators.md sagt, was zu tun ist.",
  leftOut: {
    one: "Spätere Importe lassen das Entfernte weg. goodword readmit ID lässt es wieder zu.",
    other: "Spätere Importe lassen das Entfernte weg. goodword readmit ID lässt es wieder zu.",
  },
  copiesHold: {
    one: "Frühere Sicherungen und früher geschriebene Ordner enthalten es noch: Löschen Sie sie, oder erstellen Sie neue.",
    other:
      "Frühere Sicherungen und früher geschriebene Ordner enthalten es noch: Löschen Sie sie, oder erstellen Sie neue.",
  },
  removedCopies: {
    one: "Mit entfernt, weil sie dasselbe sagt und etwa vom selben Tag und vom selben Kunden ist: {copies}.",
    other: "Mit entfernt, weil sie dasselbe sagen und etwa vom selben Tag und vom selben Kunden sind: {copies}.",
  },
  undoes: "Das nimmt Änderung {change} zurück.",
  newer: " Die neuere Änderung {number}, {command}, wird so nicht zurückgenommen{how}.",
  takesBack: {
    correction: "goodword uncorrect nimmt eine Berichtigung zurück",
    removal: "goodword readmit ID nimmt eine Entfernung zurück",
  },
  pages: " Ihre Seiten verlieren {leaving} und bekommen {returning} zurück.",
  pagesStay: " Von Ihren Seiten verschwindet keine Bewertung, und keine kommt zurück.",
  pagesChange: {
    one: " {count} Bewertung darauf wird wieder, wie sie war.",
    other: " {count} Bewertungen darauf werden wieder, wie sie waren.",
  },
  noReview: "keine",
  atMost: "höchstens ",
  putsBack: " Beim Betrieb gilt dann wieder:",
  goesBack: "{field}: {from} → {to}",
  nothing: "(nichts)",
  undone:
    "Änderung {change} ist zurückgenommen: {withdrawn} herausgenommen, {added} wieder da, {changed} wie vorher.{business} Revision {revision}.",
  undoneBusiness: "Änderung {change} ist zurückgenommen.{business} Revision {revision}.",
  businessBack: " Die Angaben zum Betrieb sind wieder wie vorher",
  businessFile: {
    follows: ", auch in business.yaml.",
    stays:
      "; business.yaml auf der Platte bleibt, wie sie ist: Steht darin etwas anderes, berichtigen Sie sie, bevor Sie sie wieder importieren. Die Seite „Betrieb“ des Schreibtischs zeigt, was anders ist, und übernimmt es.",
    absent: ".",
  },
  change: "{number}, {command}{files} vom {time} ({counts})",
  businessChange: "{number}, Änderung des Betriebs vom {time}",
  ofFiles: " von {files}",
  noCounts: "keine Bewertung neu, geändert oder herausgenommen",
  counts: "{added} neu, {changed} geändert, {withdrawn} herausgenommen",
  reviews: { one: "{count} Bewertung", other: "{count} Bewertungen" },
  replaces:
    "Das ersetzt die Bewertungen und die Angaben zum Betrieb in {store} durch die aus {file}. Was entfernt oder verborgen wurde, bleibt es; die Abonnenten bleiben.",
  onlyKnown: "Spielen Sie nur eine Datei ein, die Sie kennen. Sie ändert, was das Programm tut:",
  restored:
    "{file}, zuletzt geändert am {time}, ist eingespielt: {added} neu, {changed} geändert, {withdrawn} herausgenommen. Revision {revision}.",
  restoredSame: "Nichts hat sich geändert: Der Speicher enthält, was {file} enthält. Revision {revision}.",
  businessRestored: "Die Angaben zum Betrieb sind jetzt die der Sicherung",
  subscriptionsTaken:
    "Die Abonnenten sind aus der Sicherung übernommen, weil in diesen Speicher noch nichts importiert wurde.",
  subscriptionsStay: "Die Abonnenten bleiben, wie sie sind; was entfernt oder verborgen wurde, bleibt es.",
  inForceAgain: {
    one: "Gilt wieder, weil sie in der Sicherung steht: {count} Entfernung. goodword removed zeigt sie.",
    other: "Gelten wieder, weil sie in der Sicherung stehen: {count} Entfernungen. goodword removed zeigt sie.",
  },
  effects: {
    removals: "Neu entfernt oder verborgen: {count}. Spätere Importe lassen diese Bewertungen oder Teile weg",
    corrections:
      "Neue Berichtigungen: {criticism} verbergen Kritik, {praise} verbergen Lob, {changed} ändern, was gefunden wurde{rest}; goodword corrections zeigt sie, und nur goodword uncorrect nimmt eine zurück",
    rest: ", {count} ruhen, bis ihre Texte wieder da sind",
    deleted: {
      one: "{count} Bewertung dieses Speichers wird endgültig gelöscht, was goodword undo nicht zurücknimmt: {ids}",
      other:
        "{count} Bewertungen dieses Speichers werden endgültig gelöscht, was goodword undo nicht zurücknimmt: {ids}",
    },
    redacted: {
      one: "In {count} Bewertung dieses Speichers wird etwas endgültig verborgen, was goodword undo nicht zurücknimmt: {ids}",
      other:
        "In {count} Bewertungen dieses Speichers wird etwas endgültig verborgen, was goodword undo nicht zurücknimmt: {ids}",
    },
    more: " und {count} weitere",
  },
  undoAll: "goodword undo nimmt das zurück.",
  undoRest: "goodword undo nimmt das Übrige zurück.",
  wrote: "{written} Dateien für {address} nach {folder} geschrieben",
  wroteAndRemoved: {
    one: "; {count} gelöscht, die nicht mehr veröffentlicht ist",
    other: "; {count} gelöscht, die nicht mehr veröffentlicht sind",
  },
  commands: {
    import: "Import",
    remove: "Entfernung",
    redact: "Name oder Text verborgen",
    readmit: "Wieder zugelassen",
    withdraw: "Quelle herausgenommen",
    restore: "Sicherung eingespielt",
    correct: "Erkanntes berichtigt",
    uncorrect: "Berichtigung zurückgenommen",
  },
};

/** Commands speak English. */
export const COMMAND_LANGUAGE = "en";

/** The strings for a BCP 47 tag: in English if there is no translation. */
export function ownerWordsFor(language: string): OwnerWords {
  return language.toLowerCase().split("-")[0] === "de" ? GERMAN : ENGLISH;
}
