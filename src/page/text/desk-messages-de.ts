/** German for what imports, checks and forms say in English: the sentences that the desk's own paths lead to. */

/** Patterns of English sentences or their parts, and the German ones with `$1` for what the first group has matched. */
export const GERMAN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    / has the columns (.*), but a table of reviews needs rating and date\. (?=If other)/,
    " hat die Spalten $1; eine Tabelle mit Bewertungen braucht Sterne und Datum. ",
  ],
  [
    /: (".*") \((.*)\) can be one day or another, depending on the country, and no other date of the file shows which\. (?:Say which with )?/,
    ": $1 ($2) kann je nach Land der eine oder der andere Tag sein, und kein anderes Datum der Datei zeigt, welcher. Wählen Sie ",
  ],
  [
    / is (".*?"), but line (\d+) has (".*?"), so the ratings seem to count to (\d+)\. /,
    " ist $1, aber Zeile $2 hat $3: Es scheint bis $4 gezählt zu werden. ",
  ],
  [
    /5 of 10 is not 5 of 5: if that value is a slip, correct it; if another column holds stars from 1 to 5, name it with (--columns rating=…); otherwise leave these reviews out, because other scales have no whole stars/,
    "5 von 10 sind nicht 5 von 5: Ist der Wert ein Versehen, berichtigen Sie ihn; stehen Sterne von 1 bis 5 in einer anderen Spalte, wählen Sie diese bei $1; sonst lassen Sie diese Bewertungen weg, denn andere Skalen haben keine ganzen Sterne",
  ],
  [
    / is (".*?"), but must be a whole number of stars from 1 to 5/,
    " ist $1, muss aber eine ganze Zahl von Sternen von 1 bis 5 sein",
  ],
  [
    / is (".*?"), but must be a day, YYYY-MM-DD, or a time such as \S+(?=[:.]|$)/,
    " ist $1, muss aber ein Tag sein, wie 2025-08-06",
  ],
  [/: (\w+ \d{4}) has (\d+) days/, ": So viele Tage hat der Monat nicht, sondern $2"],
  [
    /, line (\d+), byte (\d+): the byte (\S+) is not UTF-8\. If an older program wrote the file, as Excel does, /,
    ", Zeile $1: Das Zeichen $3 ist nicht in UTF-8 geschrieben. Hat ein älteres Programm die Datei geschrieben, wie Excel es tut: ",
  ],
  [/, line (\d+)(?=[:,])/, ", Zeile $1"],
  [/\(line (\d+), /, "(Zeile $1, "],
  [
    /^The files hold reviews of (\d+) places, and a publication is of one\. Choose one by its name or id(.*)$/,
    "Die Dateien enthalten Bewertungen von $1 Orten; eine Veröffentlichung ist die von einem. Wählen Sie ihn nach Name oder Kennung$2",
  ],
  [/^(.*), (\d+) reviews?$/, "$1, Bewertungen: $2"],
  [
    /(\d+) reviews? from (\S+) (?:is|are) kept but not published(?: \(.*?\))?/,
    "$1 Bewertung(en) aus $2 werden aufgehoben, aber nicht veröffentlicht",
  ],
  [
    /, because the file does not say where they were written\. If that was (\S+), import it again with (--source \S+)\. Only if customers gave them to you directly: /,
    ", weil die Datei nicht sagt, wo sie geschrieben wurden. War es $1, prüfen Sie noch einmal mit $2. Nur wenn Kunden sie Ihnen selbst gegeben haben: ",
  ],
  [/name (\S+) under (verified_sources in business\.yaml), or set verified on the rows/, "Tragen Sie $1 ein bei $2"],
  [
    /^(\d+) reviews? stays? out, because you removed (?:it|them) before: (goodword removed) lists what was removed, (goodword readmit ID) takes it back\./,
    "$1 Bewertung(en) bleiben weg, weil Sie sie entfernt haben: $2 zeigt sie, $3 nimmt das zurück.",
  ],
  [
    /^The category (\S+) is no subtype of LocalBusiness in schema\.org, so pages describe the business as both\. .*$/,
    "Die Art $1 ist bei schema.org keine von LocalBusiness; die Seiten beschreiben den Betrieb als beides.",
  ],
  [
    /^(".*?") are no opening hours: write them as 08:00–17:00, or 08:00–12:00, 13:00–17:00; empty for a day on which you are closed/,
    "$1 sind keine Öffnungszeiten: Schreiben Sie 08:00–17:00, oder 08:00–12:00, 13:00–17:00; leer für einen Tag, an dem geschlossen ist",
  ],
  [
    / is (".*?"), but must be an address such as office@example\.com/,
    " ist $1, muss aber eine Adresse sein, wie buero@example.de",
  ],
  [
    / is (".*?"): must be an IANA time zone such as America\/Chicago/,
    " ist $1, muss aber eine Zeitzone sein, wie Europe/Berlin",
  ],
  [/ is (".*?"), but must not be empty/, " ist $1, darf aber nicht leer sein"],
  [
    /^(\S+ ?[\d ()/-]*) has no country code, so a phone may not reach it from elsewhere\. .*$/,
    "$1 hat keine Landesvorwahl: Aus dem Ausland ist sie nicht zu erreichen. Mit Vorwahl beginnt sie mit +, wie +49 30 5550142.",
  ],
  [/^There is nothing to undo: no import, withdrawal or restore is left\.$/, "Es gibt nichts zurückzunehmen."],
  [
    /^(".*") is no backup: name the file that goodword backup wrote\. Nothing was changed\.$/,
    "$1 ist keine Sicherung: Wählen Sie die Datei, die heruntergeladen wurde. Es wurde nichts geändert.",
  ],
  [
    /^Something else changed the store meanwhile\. Nothing was undone\.$/,
    "Inzwischen hat etwas anderes den Speicher geändert. Es wurde nichts zurückgenommen.",
  ],
  [
    /^The database cannot be reached \((.*)\)\. Nothing was changed\. .*$/,
    "Die Datenbank ist nicht zu erreichen ($1). Es wurde nichts geändert. Versuchen Sie es noch einmal, wenn sie wieder da ist.",
  ],
  [
    /^Another command is writing to the store\. Try again when it has ended.*$/,
    "Gerade schreibt etwas anderes in den Speicher. Versuchen Sie es noch einmal, wenn es fertig ist.",
  ],
  [
    /^Rows without an id that say the same as another row were counted once.*$/,
    "Zeilen ohne Kennung, die dasselbe sagen wie eine andere, zählen einmal. Sind es verschiedene Bewertungen, geben Sie jeder eine Kennung.",
  ],
  [
    /^(.*): there are no reviews below its header\. Check that it is the right file$/,
    "$1: Unter der Kopfzeile stehen keine Bewertungen. Ist es die richtige Datei?",
  ],
  [/^CSV with semicolons$/, "CSV mit Strichpunkten"],
];
