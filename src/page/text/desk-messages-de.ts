/**
 * German for what imports, checks and forms say in English, in the order of the paths that lead to them: dates, stars and
 * columns, places, sources, what an import should know, files that cannot be read, business.yaml, and the store.
 */

/** Patterns of English sentences or their parts, and the German ones with `$1` for what the first group has matched. */
export const GERMAN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    / has the columns (.*), but a table of reviews needs rating and date(?:: none is known as the \w+)?\. (?=If other)/,
    " hat die Spalten $1; eine Tabelle mit Bewertungen braucht Sterne und Datum. ",
  ],
  [
    /: ("[^"]*"(?:, "[^"]*")*) \(([^()]*)\) can be one day or another, depending on the country, and no other date of the file shows which\. (?:Say which with )?/,
    ": $1 ($2) kann je nach Land der eine oder der andere Tag sein, und kein anderes Datum der Datei zeigt, welcher. Wählen Sie ",
  ],
  [
    / is (.*?), but line (\d+) has ("[^"]*"), so the ratings seem to count to (\d+)\. /,
    ": $1, aber in Zeile $2 steht $3: Die Skala scheint bis $4 zu gehen. ",
  ],
  [
    /: (?:line (\d+)|(\S+)) has (\S+), so the ratings seem to count to (\d+)\. /,
    ": $1$2 enthält $3: Die Skala scheint bis $4 zu gehen. ",
  ],
  [
    /5 of 10 is not 5 of 5: if that value is a slip, correct it; if another column holds stars from 1 to 5, name it with (--columns rating=…); otherwise leave these reviews out, because other scales have no whole stars/,
    "5 von 10 sind nicht 5 von 5: Ist der Wert ein Versehen, berichtigen Sie ihn; stehen Sterne von 1 bis 5 in einer anderen Spalte, wählen Sie diese bei $1; sonst lassen Sie diese Bewertungen weg, denn andere Skalen haben keine ganzen Sterne",
  ],
  [/ is (.*?), but must be a whole number of stars from 1 to 5/, ": $1 ist keine ganze Zahl von 1 bis 5"],
  [
    / is (.*?), but must be a day, YYYY-MM-DD, or a time such as \S+(?=[:.]|$)/,
    " ist $1, muss aber ein Tag sein, wie 2025-08-06",
  ],
  [
    / is (.*?), but must be seconds since 1970 or a time such as 01\/30\/2026 10:11:12: if a spreadsheet has changed it, import the file as Outscraper made it/,
    " ist $1, muss aber die Zahl der Sekunden seit 1970 sein oder eine Zeit wie 01/30/2026 10:11:12: Hat eine Tabellenkalkulation sie geändert, importieren Sie die Datei, wie Outscraper sie gemacht hat",
  ],
  [
    / is (.*?), but Outscraper writes times with seconds: a spreadsheet has changed it, and may have put the day before the month\. Import the file as Outscraper made it/,
    " ist $1, aber Outscraper schreibt Zeiten mit Sekunden: Eine Tabellenkalkulation hat sie geändert und vielleicht den Tag vor den Monat gesetzt. Importieren Sie die Datei, wie Outscraper sie gemacht hat",
  ],
  [/: (\w+ \d{4}) has (\d+) days/, ": Der Monat hat nur $2 Tage"],
  [/, line (\d+)(?=[:,])/, ", Zeile $1"],
  [/\(line (\d+)(?=[,)])/, "(Zeile $1"],
  [
    /^The files hold reviews of (\d+) places, and a publication is of one\. Choose one by its name or id(.*)$/,
    "Die Dateien enthalten Bewertungen von $1 Standorten, veröffentlicht werden hier aber nur die von einem. Wählen Sie ihn nach Name oder Kennung$2",
  ],
  [/^(.*): (\d+) reviews?$/, "$1: $2 [Bewertung|Bewertungen]"],
  [/ They are:$/, ""],
  [
    / Each of the others needs a store of its own \(start goodword in another folder\)\./,
    " Jeder andere braucht einen eigenen Ordner: Dort starten Sie noch einmal goodword.",
  ],
  [
    / If these are no places, put the reviews into one list or sheet, or leave out what names them\./,
    " Sind es keine Standorte, bringen Sie die Bewertungen in eine Liste oder ein Blatt, oder lassen Sie weg, was sie nennt.",
  ],
  [
    /(\d+) reviews? from (\S+) (?:is|are) kept but not published(?: \(.*?\))?/,
    "$1 [Bewertung aus $2 wird|Bewertungen aus $2 werden] gespeichert, aber nicht veröffentlicht",
  ],
  [
    /, because the file does not say where they were written\. If that was (\S+), import it again with (--source \S+)\. Only if customers gave them to you directly: /,
    ", weil die Datei keine Quelle nennt. War es $1, prüfen Sie noch einmal mit $2. Nur wenn Kunden direkt bei Ihnen bewertet haben: ",
  ],
  [/name (\S+) under (verified_sources in business\.yaml), or set verified on the rows/, "Tragen Sie $1 bei $2 ein"],
  [
    /^(\d+) reviews? stays? out, because you removed (?:it|them) before: (goodword removed) lists what was removed, (goodword readmit ID) takes it back\./,
    "$1 [Bewertung bleibt|Bewertungen bleiben] weg, weil Sie sie entfernt haben: $2 zeigt sie, $3 nimmt das zurück.",
  ],
  [
    /^The category (\S+) is no subtype of LocalBusiness in schema\.org, so pages describe the business as both\. .*$/,
    "Die Art $1 gehört bei schema.org nicht zu LocalBusiness; die Seiten geben darum beides an.",
  ],
  [
    /^("[^"]*") are no opening hours: write them as 08:00–17:00, or 08:00–12:00, 13:00–17:00; empty for a day on which you are closed/,
    "$1 sind keine Öffnungszeiten: Schreiben Sie 08:00–17:00 oder 08:00–12:00, 13:00–17:00; leer für einen Tag, an dem geschlossen ist",
  ],
  [
    / is (.*?), but must be an address such as office@example\.com/,
    " ist $1, muss aber eine Adresse sein, wie buero@example.de",
  ],
  [
    / is ("[^"]*"): must be an IANA time zone such as America\/Chicago/,
    " ist $1, muss aber eine Zeitzone sein, wie Europe/Berlin",
  ],
  [/ is (.*?), but must not be empty/, " ist $1, darf aber nicht leer sein"],
  [
    /^(\S+ ?[\d ()/-]*) has no country code, so a phone may not reach it from elsewhere\. .*$/,
    "Die Nummer $1 hat keine Landesvorwahl: Aus dem Ausland ist sie nicht zu erreichen. Mit Vorwahl beginnt sie mit +, wie +49 30 5550142.",
  ],
  [/^There is nothing to undo: no import, withdrawal or restore is left\.$/, "Es gibt nichts zurückzunehmen."],
  [
    /^("[^"]*"(?:, "[^"]*")*) is no backup: name the file that goodword backup wrote\. Nothing was changed\.$/,
    "$1 ist keine Sicherung: Wählen Sie die Datei, die heruntergeladen wurde. Es wurde nichts geändert.",
  ],
  [
    /^Cannot restore ("(?:[^"\\]|\\.)*"): (.*)\. The store is as it was\.$/,
    "$1 kann nicht eingespielt werden: $2. Der Speicher ist, wie er war.",
  ],
  [
    /: it is not a database; name the file that goodword backup wrote(?=\. Der Speicher)/,
    ": Es ist keine Datenbank; wählen Sie die Datei, die heruntergeladen wurde",
  ],
  [
    /: it is damaged; take an older backup(?=\. Der Speicher)/,
    ": Sie ist beschädigt; nehmen Sie eine ältere Sicherung",
  ],
  [/: it holds an? (\S+ \S+) that goodword does not make(?=\. Der Speicher)/, ": Sie enthält etwas Fremdes ($1)"],
  [
    /: it holds what goodword does not write: .+ in the table (\w+)\. Take a backup that goodword made(?=\. Der Speicher)/,
    ": Sie enthält etwas Fremdes (Tabelle „$1“). Nehmen Sie eine Sicherung von goodword",
  ],
  [
    /: it has no row in the table (\w+)\. Take a backup that goodword made(?=\. Der Speicher)/,
    ": In ihrer Tabelle „$1“ fehlt die Zeile. Nehmen Sie eine Sicherung von goodword",
  ],
  [
    /: it holds more keys of one removal than goodword writes\. Take a backup that goodword made(?=\. Der Speicher)/,
    ": Sie enthält zu viele Angaben zu einer Entfernung. Nehmen Sie eine Sicherung von goodword",
  ],
  [
    /: its business cannot be used: (\S+) .*(?=\. Der Speicher)/,
    ": Die Angaben zum Betrieb darin lassen sich nicht verwenden (siehe „$1“). Nehmen Sie eine andere Sicherung",
  ],
  [
    /: The store was written by a newer goodword \(its tables are version (\d+), this program knows (\d+)\)\. Use that version, or another store(?=\. Der Speicher)/,
    ": Sie ist von einem neueren goodword (seine Tabellen haben die Nummer $1, dieses Programm kennt $2). Nehmen Sie das neuere Programm oder eine andere Sicherung",
  ],
  [/: it is empty(?=\. Der Speicher)/, ": Sie ist leer"],
  [
    /: it was not read to its end within (\d+) seconds: it is damaged, or its disk is slow(?=\. Der Speicher)/,
    ": Nach $1 Sekunden war sie noch nicht zu Ende gelesen. Sie ist beschädigt, oder ihr Datenträger ist langsam",
  ],
  [
    /: there is no room for a copy of it; make room(?=\. Der Speicher)/,
    ": Für eine Kopie ist kein Platz. Schaffen Sie Platz",
  ],
  [
    /: it is a database of another program, and holds no store of goodword(?=\. Der Speicher)/,
    ": Es ist die Datenbank eines anderen Programms",
  ],
  [
    /^It was undone already, or something else changed the store meanwhile\. Nothing was undone\.$/,
    "Das ist schon zurückgenommen, oder etwas anderes hat inzwischen den Speicher geändert. Es wurde nichts zurückgenommen.",
  ],
  [/^([a-z_]+), new: /, "$1, neu: "],
  [/^([a-z_]+), no longer: /, "$1, nicht mehr: "],
  [
    /^Change (\d+) \(.*\) can no longer be undone: .*$/,
    "Änderung $1 lässt sich nicht mehr zurücknehmen: Was sie ersetzt hat, wird nur für die letzten Änderungen gespeichert. Eine Sicherung lässt sich noch einspielen.",
  ],
  [
    /^The review ("[^"]*") was removed on (\S+)\. Nothing was changed\.$/,
    "Die Bewertung $1 ist schon entfernt, seit $2. Es wurde nichts geändert.",
  ],
  [
    /^The review ("[^"]*") is not published(?: \(.*\))?\. Nothing was changed\.$/,
    "Die Bewertung $1 ist nicht veröffentlicht. Es wurde nichts geändert.",
  ],
  [
    /^There is no correction of ("[^"]*") in the review ("[^"]*")\..*$/,
    "Diese Berichtigung gibt es nicht, oder sie ist schon zurückgenommen. Es wurde nichts geändert.",
  ],
  [
    /^The database cannot be reached \(([^()]*)\)\. Nothing was changed\. .*$/,
    "Die Datenbank ist nicht zu erreichen ($1). Es wurde nichts geändert. Versuchen Sie es noch einmal, wenn sie wieder da ist.",
  ],
  [
    /^The store (.*) is a pipe or a device, and no file\. Nothing was changed\. .*$/,
    "Der Speicher $1 ist ein Gerät oder eine Pipe, keine Datei. Es wurde nichts geändert. Nennen Sie in DATABASE_URL den Pfad einer Datei.",
  ],
  [
    / has no end that could be waited for, as a device has none: copy what is in it into a file$/,
    " hat wie ein Gerät kein Ende, auf das sich warten ließe: Kopieren Sie den Inhalt in eine Datei",
  ],
  [
    /^Another command is writing to the store\. Try again when it has ended.*$/,
    "Gerade schreibt etwas anderes in den Speicher. Versuchen Sie es noch einmal, wenn es fertig ist.",
  ],
  [
    /^Rows without an id that say the same as another row were counted once.*$/,
    "Zeilen ohne Kennung, die dasselbe sagen wie eine andere, zählen nur einmal. Sind es verschiedene Bewertungen, geben Sie jeder eine Kennung.",
  ],
  [
    /^(.*): there are no reviews below its header\. Check that it is the right file$/,
    "$1: Unter der Kopfzeile stehen keine Bewertungen. Ist es die richtige Datei?",
  ],
  [/^CSV with semicolons$/, "CSV mit Strichpunkten"],
  // Columns, dates and stars
  [
    / has no (?:column|member) ("[^"]*"(?:, "[^"]*")*), which --columns names; its (?:columns|members) are (.*)$/,
    " hat die gewählten Spalten $1 nicht; es gibt $2",
  ],
  [
    / is JSON, but not in a review format that can be imported: it has the members (.*), and reviews need rating and date\. (?=If other)/,
    " ist JSON, aber kein bekanntes Format für Bewertungen: Es gibt $1, und Bewertungen brauchen Sterne und Datum. ",
  ],
  [
    / is JSON, but not in a review format that can be imported: it has the members (.*), and reviews need rating and date\. No list in it has both in its records: save the list of the reviews alone as a file, and import that/,
    " ist JSON, aber kein bekanntes Format für Bewertungen: Es gibt $1, aber keine Liste, in der jede Bewertung Sterne und Datum hat. Speichern Sie die Liste der Bewertungen allein als Datei, und importieren Sie die",
  ],
  [
    / is JSON, but not in a review format that can be imported: it holds no list of reviews\. Check that it is the right file$/,
    " ist JSON, enthält aber keine Liste von Bewertungen. Ist es die richtige Datei?",
  ],
  [
    /: (?:a text has|\d+ texts have) a line such as ("[^"]*"), below which the business's reply may stand: it is imported as the customer's\. If it is the reply, give it a column ("owner_reply_text") of its own/,
    ": Texte mit einer Zeile wie $1, unter der Ihre Antwort stehen kann: Sie werden als die des Kunden übernommen. Ist es die Antwort, geben Sie ihr eine eigene Spalte $2",
  ],
  [
    /(\d+) texts? (?:is|are) there in several languages: that of the review \(inLanguage\) or the first is read/,
    "$1 [Text steht|Texte stehen] in mehreren Sprachen in der Datei: Gelesen wird die der Bewertung (inLanguage) oder die erste",
  ],
  [
    /("[^"]*") \(([^()]*)\) seems to say that some are by the business or its people, and not by customers: take those out of the file/,
    "$1 ($2) scheint zu sagen, dass einige vom Betrieb oder seinen Leuten sind und nicht von Kunden: Nehmen Sie diese aus der Datei",
  ],
  [
    /("[^"]*") holds numbers in the place of names: if they are ids, take it out of the file, or name another column with (--columns author=…)/,
    "In $1 stehen Zahlen statt Namen: Sind es Nummern, nehmen Sie die Spalte aus der Datei, oder wählen Sie eine andere: $2",
  ],
  [
    /("[^"]*") is the same for every review, and ("[^"]*") holds different stars: if those are the customers', (?=--columns)/,
    "$1 ist für jede Bewertung gleich, und in $2 stehen verschiedene Sterne: Sind das die der Kunden, wählen Sie ",
  ],
  [/^(\d) to (\d)$/, "$1 bis $2"],
  [/^only (\d)$/, "nur $1"],
  [/^year-month-day$/, "Jahr-Monat-Tag"],
  [/^of the whole list$/, "für die ganze Liste"],
  [/^day before month$/, "Tag vor Monat"],
  [/^shown where it is (".*)$/s, "veröffentlicht bei $1"],
  [/^month before day$/, "Monat vor Tag"],
  [/^seconds or milliseconds since 1970$/, "Sekunden oder Millisekunden seit 1970"],
  [/:? does not use the (?:columns|members) (.*?)(?=$|[.;:] )/, ": Diese Spalten werden nicht gebraucht: $1"],
  [
    /; no (.*?) is known to hold the authors, so the reviews are anonymous: if one does, (--columns author=…)/,
    "; in welcher die Namen stehen, ist nicht zu erkennen, also sind die Bewertungen anonym: Gibt es sie, wählen Sie $2",
  ],
  [
    /; no (.*?) is known to hold the customers' words, so the reviews come without them/,
    "; in welcher der Text steht, ist nicht zu erkennen, also kommen die Bewertungen ohne Text",
  ],
  [/: if one does, (--columns text=…)/, ": Gibt es ihn, wählen Sie $1"],
  [
    /; if ("[^"]*") holds the customers' words and ("[^"]*") is different for each review: /,
    "; steht in $1 der Text der Kunden, und ist $2 bei jeder Bewertung anders, wählen Sie ",
  ],
  [/; if ("[^"]*") holds the customers' words: /, "; steht er in $1, wählen Sie "],
  [/; if ("[^"]*") is different for each review: /, "; ist $1 bei jeder Bewertung anders, wählen Sie "],
  [
    /; ids change the addresses of reviews that are published already/,
    "; Kennungen ändern die Adressen schon veröffentlichter Bewertungen",
  ],
  [/ \(if it is imported already, after goodword undo\)/, " (ist sie schon importiert, nach goodword undo)"],
  [
    /("[^"]*") \(([^()]*)\) may say where the reviews were written: if it does, (--columns source="[^"]*")/,
    "$1 ($2) sagt vielleicht, wo die Bewertungen geschrieben wurden: Wenn ja, wählen Sie $3",
  ],
  [/the owner's replies are read from ("[^"]*")/, "Ihre Antworten werden aus $1 gelesen"],
  [
    /("[^"]*") may hold replies, but does not say whose: if they are the business's, (--columns owner_reply_text="[^"]*")/,
    "$1 enthält vielleicht Antworten, sagt aber nicht, wessen: Sind es Ihre, wählen Sie $2",
  ],
  [/the stars are read from (.*), not from (.*)$/, "Die Sterne werden aus $1 gelesen, nicht aus $2"],
  [/the authors are read from (.*), not from (.*)$/, "Die Namen werden aus $1 gelesen, nicht aus $2"],
  [/the words are read from (.*), not from (.*)$/, "Die Texte werden aus $1 gelesen, nicht aus $2"],
  [/the links are read from (.*), not from (.*)$/, "Die Links werden aus $1 gelesen, nicht aus $2"],
  [
    /("[^"]*") is not read: times are taken as those of the business\. If they are others', write the zone behind each, such as 23:30 -08:00/,
    "$1 wird nicht gelesen: Zeiten gelten als die des Betriebs. Sind es andere, schreiben Sie die Zeitzone hinter jede, etwa 23:30 -08:00",
  ],
  [
    /1 review has a day in ("[^"]*"), which is read, and another in ("[^"]*"), which is not/,
    "1 Bewertung hat in $1 einen Tag, der gelesen wird, und in $2 einen anderen, der nicht gelesen wird",
  ],
  [
    /(\d+) reviews have a day in ("[^"]*"), which is read, and another in ("[^"]*"), which is not/,
    "$1 Bewertungen haben in $2 einen Tag, der gelesen wird, und in $3 einen anderen, der nicht gelesen wird",
  ],
  [
    /("[^"]*") holds only 0 and 1, as thumbs do, and no stars: 1 is not one star; if another column holds stars from 1 to 5, name it with (--columns rating=…); otherwise leave these reviews out, because other scales have no whole stars/,
    "$1 enthält nur 0 und 1, wie Daumen, und keine Sterne: 1 ist nicht ein Stern; stehen in einer anderen Spalte 1 bis 5 Sterne, wählen Sie $2; sonst lassen Sie diese Bewertungen weg, denn andere Skalen haben keine ganzen Sterne",
  ],
  [
    /the authors are read from ("[^"]*"), because no review has ("[^"]*")$/,
    "Die Namen werden aus $1 gelesen, denn $2 ist bei jeder Bewertung leer",
  ],
  [
    /the words are read from ("[^"]*"), because no review has ("[^"]*")$/,
    "Die Texte werden aus $1 gelesen, denn $2 ist bei jeder Bewertung leer",
  ],
  [
    /the replies are read from ("[^"]*"), because no review has ("[^"]*")$/,
    "Ihre Antworten werden aus $1 gelesen, denn $2 ist bei jeder Bewertung leer",
  ],
  [
    /the words of (\d+) reviews? are read from the original text, not from ("[^"]*"), which has a translation/,
    "Die Texte von $1 [Bewertung|Bewertungen] werden aus dem Original gelesen, nicht aus $2, wo eine Übersetzung steht",
  ],
  [
    /("[^"]*") is ("[^"]*") for every review, and no customer's title: it is left out/,
    "$1 ist bei jeder Bewertung $2 und kein Titel eines Kunden: Es bleibt weg",
  ],
  [
    /("[^"]*") \(([^()]*)\) is not known to say which reviews are shown: if it does, take out those that are not/,
    "$1 ($2) sagt vielleicht, welche Bewertungen gezeigt werden: Wenn ja, nehmen Sie die anderen heraus",
  ],
  [
    /("[^"]*") \(([^()]*)\) is taken for where the customers are: if it names several places of the business, import one file for each/,
    "$1 ($2) gilt als Ort der Kunden: Sind es mehrere Standorte des Betriebs, importieren Sie eine Datei für jeden",
  ],
  [
    /("[^"]*") gives no day; (\d+) reviews? (?:is|are) dated by ("[^"]*") instead/,
    "$1 nennt keinen Tag; $2 [Bewertung hat|Bewertungen haben] ihr Datum aus $3",
  ],
  [
    /(\d+) (?:replies|reply) (?:is|are) left out, because (.*) says that it is not public/,
    "$1 [Antwort bleibt weg, weil sie laut $2 nicht öffentlich ist|Antworten bleiben weg, weil sie laut $2 nicht öffentlich sind]",
  ],
  [
    /(\d+) names? (?:is|are) left out, because (.*) says that it is not public/,
    "$1 [Name bleibt weg, weil er laut $2 nicht öffentlich ist|Namen bleiben weg, weil sie laut $2 nicht öffentlich sind]",
  ],
  [
    /(\d+) texts? (?:is|are) "#NAME\?", by which the spreadsheet replaced the words: import the file from which it was made/,
    '$1 [Text ist|Texte sind] "#NAME?", womit die Tabelle die Worte ersetzt hat: Importieren Sie die Datei, aus der sie entstanden ist',
  ],
  [
    /each of the (\d+) days is the first of its month: if they are months, of which a spreadsheet has made days, take the days from where the reviews were written/,
    "Jeder der $1 Tage ist der Erste eines Monats: Sind es Monate, aus denen eine Tabelle Tage gemacht hat, holen Sie die Tage von dort, wo die Bewertungen geschrieben wurden",
  ],
  [
    /(\d+) titles? gives? nothing but the stars: left out/,
    "$1 [Titel nennt|Titel nennen] nur die Sterne und [bleibt|bleiben] weg",
  ],
  [
    /(\d+) texts? ha(?:s|ve) tags of HTML, BBCode or WordPress, which are left out/,
    "$1 [Text hat|Texte haben] Auszeichnungen in HTML, BBCode oder WordPress, die wegbleiben",
  ],
  [
    /(\d+) texts? ends? with buttons of a page \("Read more"\), which are left out/,
    '$1 [Text endet|Texte enden] mit Schaltflächen einer Seite ("Read more"), die wegbleiben',
  ],
  [
    /the words of (\d+) reviews? (?:is|are) left out: a member says that they are a translation, and the customers' own are not in the file/,
    "Die Texte von $1 [Bewertung bleiben|Bewertungen bleiben] weg: Ein Feld sagt, dass sie übersetzt sind, und die der Kunden sind nicht in der Datei",
  ],
  [
    /the words of (\d+) reviews? are left out: they are a translation, as the page says \(by a button that shows the original, or by (translationOfWork)\), and the customers' own are not in the file/,
    "Die Worte von $1 [Bewertung|Bewertungen] bleiben weg: Der Text ist eine Übersetzung, wie die Seite sagt (durch eine Schaltfläche, die das Original zeigt, oder durch $2), und was die Kunden selbst geschrieben haben, fehlt in der Datei",
  ],
  [
    /words in (\d+) reviews? that the page does not mark up are left out, such as (".*")/,
    "Worte in $1 [Bewertung|Bewertungen], die die Seite nicht auszeichnet, bleiben weg, etwa $2",
  ],
  [
    /beside the reviews, (".*?") \((.*)\) speaks of another scale than five stars: if the ratings are on it, they are no stars, and are not to be imported so/,
    "Neben den Bewertungen spricht $1 ($2) von einer anderen Skala als fünf Sternen: Gilt sie für diese Bewertungen, so sind das keine Sterne, und die Datei darf so nicht importiert werden",
  ],
  [/beside the reviews, (".*\)) (?:is|are) passed over/, "Neben den Bewertungen steht $1: Das wird nicht gelesen"],
  [
    /the sheet (".*?") holds no table and is passed over: (".*")/,
    "Das Blatt $1 enthält keine Tabelle und wird nicht gelesen: $2",
  ],
  [
    /(\d+) cells? holds? (?:a formula whose result is|formulas whose results are) not saved in the file, and not read: open it in a spreadsheet program, and save it there/,
    "$1 [Zelle enthält eine Formel, deren Ergebnis|Zellen enthalten Formeln, deren Ergebnisse] in der Datei nicht gespeichert [ist|sind]: nicht gelesen. Öffnen Sie die Datei in einer Tabellenkalkulation, und speichern Sie sie dort",
  ],
  [
    /the notes of (\d+) cells? are not read, such as (".*")/,
    "Die Notizen von $1 [Zelle|Zellen] werden nicht gelesen, etwa $2",
  ],
  [
    /(\d+) texts? ha(?:s|ve) codes such as ("=E2=80=99" or "\\n") in the place of characters: they are read as these characters/,
    '$1 [Text enthält|Texte enthalten] Codes wie "=E2=80=99" oder "\\n" statt Zeichen: Sie werden als diese Zeichen gelesen',
  ],
  [
    /(.*) (?:is a column that the sheet hides|are columns that the sheet hides): not read/,
    "$1: im Blatt ausgeblendet und darum nicht gelesen",
  ],
  [
    /a reply is left out, because Google does not show it: reviewReplyState is ("[^"]*")/,
    "Eine Antwort bleibt weg, weil Google sie nicht zeigt: reviewReplyState ist $1",
  ],
  [
    /("[^"]*") \(([^()]*)\) is what was searched for: if it names several places of the business, import one file for each/,
    "$1 ($2) ist, wonach gesucht wurde: Sind es mehrere Standorte des Betriebs, importieren Sie eine Datei für jeden",
  ],
  [
    /the words of (\d+) reviews? are left out: (.*) says that they are a translation, and the customers' own are not in the file/,
    "Die Worte von $1 [Bewertung|Bewertungen] bleiben weg: Laut $2 sind sie eine Übersetzung, und was die Kunden selbst geschrieben haben, fehlt in der Datei",
  ],
  [
    /all (\d+) reviews are by ("[^"]*"), as ("[^"]*") says: if that is the business's name, name the column of the customers with (--columns author=…), or take "[^"]*" out of the file/,
    "Alle $1 Bewertungen sind laut $3 von $2: Ist das der Name des Betriebs, wählen Sie $4 für die Spalte der Kunden, oder nehmen Sie $3 aus der Datei",
  ],
  [
    /the reviews are kept under names \((.*)\), which are not read: if these are the customers', give each review a member "author" that holds it/,
    'Die Bewertungen stehen unter Namen ($1), die nicht gelesen werden: Sind es die der Kunden, geben Sie jeder Bewertung ein Feld "author" mit dem Namen',
  ],
  [
    /("[^"]*") \(([^()]*)\) seems to begin with its year: write years with four digits, such as 2026-01-13; if the day is first, say so with --dates dmy/,
    "$1 ($2) beginnt wohl mit dem Jahr: Schreiben Sie Jahre mit vier Ziffern, etwa 2026-01-13; steht der Tag vorn, wählen Sie diese Reihenfolge von Tag und Monat",
  ],
  [
    /seems to be the place's own rating: the customers' stars are in "review_rating", which is not in the file\. Export it with that column; if these are the customers' stars, (--columns rating=(?:"[^"]*"|…)?)/,
    'ist wohl der Durchschnitt des Betriebs: Die Sterne der Kunden stehen in "review_rating", das in der Datei fehlt. Exportieren Sie sie mit dieser Spalte; sind es doch die der Kunden, wählen Sie $1',
  ],
  [/\bhidden row \((\d+)\)/, "ausgeblendete Zeile ($1)"],
  [/\bcommented out \((\d+)\)/, "auskommentiert ($1)"],
  [/\bstruck-through row \((\d+)\)/, "durchgestrichene Zeile ($1)"],
  [/\bhidden on the page \((\d+)\)/, "auf der Seite verborgen ($1)"],
  [
    /("[^"]*" \([^()]*\)) is text beside real dates, none of which is after the 12th of its month: a spreadsheet for another country made those, and took day for month \(("[^"]*") at ([^()]*), for example\)\. Import the file from which the spreadsheet was made, or correct the days; if they are right, say so with --dates dmy or --dates mdy, whichever the texts have/,
    "$1 ist Text neben echten Daten, von denen keines nach dem 12. seines Monats liegt: Eine Tabelle mit den Einstellungen eines anderen Landes hat diese gemacht und Tag und Monat vertauscht ($2 in $3, zum Beispiel). Lesen Sie die Datei ein, aus der die Tabelle entstand, oder berichtigen Sie die Tage; stimmen sie, sagen Sie das mit der Reihenfolge von Tag und Monat",
  ],
  [
    /("[^"]*") shows that these reviews are by employees, and not by customers\. If they are by customers, take that column out of the file/,
    "$1 zeigt, dass diese Bewertungen von Beschäftigten sind und nicht von Kunden. Sind sie von Kunden, nehmen Sie diese Spalte aus der Datei",
  ],
  [
    /(\d+) reviews? (?:is|are) by employees \(EmployerReview\) and not by customers: left out/,
    "$1 [Bewertung bleibt|Bewertungen bleiben] weg, weil Beschäftigte und nicht Kunden sie geschrieben haben (EmployerReview)",
  ],
  [
    /(\d+) reviews? holds? words of further authors: those of the first are read, the others' left out/,
    "$1 [Bewertung enthält|Bewertungen enthalten] auch Worte anderer Verfasser: Gelesen werden die des ersten, die übrigen bleiben weg",
  ],
  [
    /("[^"]*") asks how likely customers are to recommend the business, mostly from 0 to 10: if it does so, its answers are no stars, and these reviews have none/,
    "$1 fragt, ob Kunden den Betrieb weiterempfehlen, meist von 0 bis 10: Wenn ja, sind die Antworten keine Sterne, und diese Bewertungen haben keine",
  ],
  [
    /((?:"[^"]*"(?:, )?)+) leads? to Google: if the reviews were written there, import the file with (--source google)/,
    "$1 führt zu Google: Sind die Bewertungen dort geschrieben, importieren Sie die Datei mit $2",
  ],
  [
    /(\d+) reviews? (?:is|are) by critics \(CriticReview\) and not by customers: left out/,
    "$1 [Bewertung bleibt|Bewertungen bleiben] weg, weil Kritiker und nicht Kunden sie geschrieben haben (CriticReview)",
  ],
  [
    /(\d+) reviews? (?:is|are) of a product in the page's words, and counts? as the business's: leave out what is not about the business/,
    "$1 [Bewertung gilt laut der Seite einem Produkt und zählt|Bewertungen gelten laut der Seite einem Produkt und zählen] für den Betrieb: Lassen Sie alle weg, die ihn nicht betreffen",
  ],
  [
    /the reviews of (\d+) lists are read: (.*)\. If they are of several places, or not all of customers, keep the right one/,
    "Gelesen werden die Bewertungen aus $1 Listen: $2. Sind sie von mehreren Standorten oder nicht alle von Kunden, behalten Sie nur die richtige Liste",
  ],
  [
    /the comments on (\d+) reviews? are left out: nothing tells which are the business's replies/,
    "Kommentare zu $1 [Bewertung|Bewertungen] bleiben weg: Nichts sagt, welche davon Antworten des Betriebs sind",
  ],
  [
    /the author of (\d+) reviews? is an organisation in the page's words: leave out what no customer wrote/,
    "$1 [Bewertung ist|Bewertungen sind] laut der Seite von einer Organisation: Lassen Sie weg, was kein Kunde geschrieben hat",
  ],
  [
    /("[^"]*") \(([^()]*)\) seems to say which reviews are shown, in words that are not known: take out the reviews that are not shown, and then that column/,
    "$1 ($2) sagt wohl mit unbekannten Worten, welche Bewertungen gezeigt werden: Nehmen Sie die heraus, die nicht gezeigt werden, und dann diese Spalte",
  ],
  [
    /("[^"]*") \(([^()]*)\) may (?:show|name) several places of the business: if it does, import one file for each/,
    "$1 ($2) nennt vielleicht mehrere Standorte des Betriebs: Wenn ja, importieren Sie eine Datei für jeden",
  ],
  [
    /records of the type ("[^"]*") are no customers' reviews: left out/,
    "Einträge der Art $1 sind keine Bewertungen von Kunden: Sie bleiben weg",
  ],
  [
    /(\d+) repl(?:y is|ies are) by customers, and not by the business: left out/,
    "$1 [Antwort von Kunden statt von Ihnen bleibt|Antworten von Kunden statt von Ihnen bleiben] weg",
  ],
  [
    /(\d+) texts? holds? the business's reply below the customer's words \("[^"]*"\): it is read as the reply/,
    "In $1 [Text|Texten] steht Ihre Antwort unter den Worten des Kunden: Sie wird als Antwort gelesen",
  ],
  [
    /(\d+) texts? (?:is a formula|are formulas) of a spreadsheet, and no customer's words: left out\. Save the table with values/,
    "$1 [Text ist eine Formel einer Tabelle und bleibt weg, weil das keine Worte von Kunden sind|Texte sind Formeln einer Tabelle und bleiben weg, weil das keine Worte von Kunden sind]. Speichern Sie die Tabelle mit Werten",
  ],
  [
    /("[^"]*") stands alone in its row and is no review: the row is left out/,
    "$1 steht allein in der Zeile und ist keine Bewertung: Die Zeile bleibt weg",
  ],
  [
    /("[^"]*") is a total and no review: the row is left out/,
    "$1 ist eine Summe und keine Bewertung: Die Zeile bleibt weg",
  ],
  [/above the header \(([^()]*)\), (.*) is passed over/, "über der Kopfzeile ($1) wird übergangen: $2"],
  [
    /another table begins here \(([^()]*)\), after a blank line: (\d+) (?:rows? (?:is|are)|.*?) left out\. If it holds reviews, save it as a file of its own/,
    "Hier beginnt nach einer leeren Zeile eine andere Tabelle ($1): $2 [Zeile bleibt|Zeilen bleiben] weg. Enthält sie Bewertungen, speichern Sie sie als eigene Datei",
  ],
  [
    /("[^"]*") counts to (\d+), but must count to 5: 5 of \d+ is not 5 of 5; if another column holds stars from 1 to 5, name it with (--columns rating=…); otherwise leave these reviews out, because other scales have no whole stars/,
    "$1 zählt bis $2, muss aber bis 5 zählen: 5 von $2 sind nicht 5 von 5; stehen Sterne von 1 bis 5 in einer anderen Spalte, wählen Sie diese bei $3; sonst lassen Sie diese Bewertungen weg, denn andere Skalen haben keine ganzen Sterne",
  ],
  [/ has the column ("(?:[^"\\]|\\.)*"), which(?= seems to hold school grades)/, ": $1"],
  [/("(?:[^"\\]|\\.)*") below ("(?:[^"\\]|\\.)*") (?=seems to hold school grades)/, "$1 unter $2 "],
  [
    /seems to hold school grades, in which 1 is the best: 1 is not one star\. If they are stars of which 5 is the best, (--columns rating=(?:"[^"]*"|…)?)/,
    "enthält wohl Schulnoten, bei denen 1 die beste ist: 1 ist nicht ein Stern. Sind es Sterne mit 5 als bestem, wählen Sie $1",
  ],
  [
    /no column holds a date, as far as its values show: name it with (--columns \w+=…)/,
    "Nach ihren Werten enthält keine Spalte das Datum: Wählen Sie $1",
  ],
  [
    /no column holds a rating, as far as its values show: name it with (--columns \w+=…)/,
    "Nach ihren Werten enthält keine Spalte die Sterne: Wählen Sie $1",
  ],
  [
    /: name the one that holds the customer's stars, such as (--columns rating="[^"]*")/,
    ": Wählen Sie die mit den Sternen der Kunden, etwa $1",
  ],
  [
    /(\S+) is (\S+), more than 5: other scales have no whole stars/,
    "$1 ist $2, mehr als 5: Andere Skalen haben keine ganzen Sterne",
  ],
  [/, but must be 5: other scales have no whole stars/, ", muss aber 5 sein: Andere Skalen haben keine ganzen Sterne"],
  [
    /the dates contradict each other: ("[^"]*") \(([^()]*)\) has the day first, ("[^"]*") \(([^()]*)\) the month\. Correct them in the file/,
    "Die Daten widersprechen sich: $1 ($2) hat den Tag vorn, $3 ($4) den Monat. Berichtigen Sie sie in der Datei",
  ],
  [
    /the dates contradict each other: ("[^"]*") \(([^()]*)\) has dots, by which the day is first, ("[^"]*") \(([^()]*)\) has the month first\. A spreadsheet for another country may have taken days for months: import the file from which it was made, or correct them in the file/,
    "Die Daten widersprechen sich: $1 ($2) hat Punkte, also den Tag vorn, $3 ($4) den Monat. Vielleicht hat eine Tabellenkalkulation Tage für Monate gehalten: Importieren Sie die Datei, aus der die Tabelle entstand, oder berichtigen Sie die Daten",
  ],
  [
    / is missing, but must be a day, such as .*?\. A row that is no review, such as a total, is left out with (--skip-invalid)/,
    " fehlt, muss aber ein Tag sein, wie 3.4.2024. Eine Zeile, die keine Bewertung ist, lassen Sie mit $1 weg",
  ],
  [/ is missing, but must be (?=a|an|text)/, " fehlt; verlangt wird: "],
  [
    / is ("[^"]*"), which seems to be a spreadsheet's own number for a day: format the column as a date and save it again/,
    " ist $1, wohl ein Tag als Zahl einer Tabelle: Formatieren Sie die Spalte als Datum, und speichern Sie noch einmal",
  ],
  [/ is (.*?), but that is not a valid day: /, " ist $1, aber diesen Tag gibt es nicht: "],
  [/ is (.*?), but (\S+(?: [ap]m)?) is not a valid time of day/, " ist $1, aber $2 ist keine Uhrzeit"],
  [/ is (.*?), but ("[^"]*") is no time zone that is known here/, " ist $1, aber $2 ist keine bekannte Zeitzone"],
  [/ is the day (\S+), but must be from (\S+) to (\S+)/, " ist der Tag $1, muss aber zwischen $2 und $3 liegen"],
  [
    /, which is one day or another depending on the country: must be a day, YYYY-MM-DD.*?(?=$|\. )/,
    ", was je nach Land der eine oder der andere Tag ist: Schreiben Sie ihn wie 2025-08-06",
  ],
  [/ \(read as day-month-year; see --dates\)/, " (gelesen als Tag.Monat.Jahr)"],
  [/ \(read as month-day-year; see --dates\)/, " (gelesen als Monat.Tag.Jahr)"],
  [
    / is without stars(.*?), but a review needs 1 to 5; import the others with (--skip-invalid)/,
    " ist ohne Sterne, aber eine Bewertung braucht 1 bis 5; die anderen importiert $2",
  ],
  [
    / text is only the beginning of the review, which is all that Yelp's API gives; .* or leave it out with (--skip-invalid)/,
    " text ist nur der Anfang der Bewertung, mehr gibt Yelps Schnittstelle nicht her; kopieren Sie die ganze von Ihrer Seite bei Yelp in eine Tabelle, oder: $1",
  ],
  [/; the review is imported without it$/, "; die Bewertung wird ohne das importiert"],
  [/; (\d+) reviews are imported without it$/, "; $1 Bewertungen werden ohne das importiert"],
  [
    /the date (\S+) is in the future\. It is imported as it is; if the year is wrong, take the import back with (goodword undo), correct the file and import it again/,
    "Das Datum $1 liegt in der Zukunft. Es wird so importiert; stimmt das Jahr nicht, nehmen Sie den Import zurück ($2), berichtigen Sie die Datei und importieren Sie sie noch einmal",
  ],
  [
    /("[^"]*") (?:has lost characters|has a program's code in the place of a character|seems to be ("[^"]*"), read in a wrong encoding) before it came into this file\. The words are imported as they are; export them again as UTF-8 and import that to correct them/,
    "$1 ist schon falsch in diese Datei gekommen. Die Worte werden so importiert; speichern Sie sie in ihrem Programm noch einmal als UTF-8, um sie zu berichtigen",
  ],
  [
    /(?:a text ends|(\d+) texts end) with (\S+), or its picture is from there: if these reviews were written at \S+, name it in a column "source" of their rows/,
    "Mindestens ein Text endet mit $2, oder ein Bild ist von dort: Wurden diese Bewertungen dort geschrieben, nennen Sie es in einer Spalte „source“ ihrer Zeilen",
  ],
  [
    /the file is called after (\S+), but its reviews are imported as those of (\S+): if they were written at \S+, import it with (--source \S+)/,
    "Die Datei heißt nach $1, ihre Bewertungen gelten aber als die aus $2: Wurden sie bei $1 geschrieben, importieren Sie sie mit $3",
  ],
  [
    /(?:an author is|(\d+) authors are) called as the business is: if that is who keeps the list, name the customers' column with (--columns author=…), or take the name out/,
    "Mindestens ein Verfasser heißt wie das Unternehmen: Führt es nur die Liste, nennen Sie die Spalte der Kunden mit $2, oder nehmen Sie den Namen heraus",
  ],
  [
    /("[^"]*") says whether customers recommend the business, and ("[^"]*") has 5 and 1 alone: if no customer gave stars, take these reviews out of the file/,
    "$1 sagt, ob Kunden den Betrieb empfehlen, und $2 hat nur 5 und 1: Hat niemand Sterne vergeben, nehmen Sie diese Bewertungen aus der Datei",
  ],
  [
    /("[^"]*"(?:, "[^"]*")*) may say where the reviews were written: if so, name the site of each in a column "source"/,
    "$1 sagt vielleicht, wo die Bewertungen geschrieben wurden: Wenn ja, nennen Sie das Portal einer jeden in einer Spalte „source“",
  ],
  [
    /holds an e-mail address, a key or an admin's page, and is not for the public/,
    "enthält eine E-Mail-Adresse, einen Schlüssel oder eine Verwaltungsseite und ist nicht für die Öffentlichkeit",
  ],
  [
    /(?:a row seems|(\d+) rows seem) to be an example of how to fill in the table, such as ("[^"]*"): imported as a customer's\. If it is none, take it out of the file/,
    "Mindestens eine Zeile scheint ein Muster zu sein, wie die Tabelle auszufüllen ist, etwa $2: Sie wird als die eines Kunden importiert. Ist sie keine, nehmen Sie sie aus der Datei",
  ],
  [
    /(\d+) reviews? from (\S+) (?:is|are) published because (?:its row says|their rows say) "verified", and not because of verified_sources: if that is the word of a site or shop for a customer who has bought something, take that column out of the file/,
    "$1 [Bewertung aus $2 wird|Bewertungen aus $2 werden] veröffentlicht, weil die Zeile „verified“ sagt, und nicht wegen verified_sources: Sagt damit ein Portal oder Shop nur, dass ein Kunde etwas gekauft hat, nehmen Sie die Spalte aus der Datei",
  ],
  [
    /(\d+) texts have exactly (\d+) characters, none has more, and they end within a sentence: they seem to be cut there\. Export the reviews whole/,
    "$1 Texte haben genau $2 Zeichen, keiner hat mehr, und sie enden mitten im Satz: Sie scheinen dort abgeschnitten zu sein. Exportieren Sie die Bewertungen ganz",
  ],
  [
    /(?:an author's name ends|\d+ authors' names end) with a site: if these reviews were written there, name it in a column "source" of their rows, and take it out of the names$/,
    "Mindestens ein Name endet mit dem eines Portals: Wurden diese Bewertungen dort geschrieben, nennen Sie es in einer Spalte „source“ ihrer Zeilen, und nehmen Sie es aus den Namen",
  ],
  [
    /(?:a text names|(\d+) texts name) a machine's translation in a form that is not known here: .*$/,
    "Mindestens ein Text erwähnt in unbekannter Form eine maschinelle Übersetzung: Die Texte werden importiert, wie sie sind, vielleicht mit den Worten der Maschine. Sehen Sie sie sich an, und nehmen Sie die Übersetzung aus der Datei",
  ],
  [
    /(?:a text ends|(\d+) texts end) as a page cuts long ones short \("… More"\): imported without the rest\. Export the reviews whole at the service that has them/,
    "Mindestens ein Text endet so, wie eine Seite lange Texte abschneidet („… Mehr“): Er wird ohne den Rest importiert. Holen Sie die Bewertungen beim Dienst, der sie hat, noch einmal ganz",
  ],
  [
    /("[^"]*") is later than ("[^"]*"); (\d+) reviews? (?:is|are) dated by ("[^"]*") instead/,
    "$1 liegt nach $2; Bewertungen, deren Tag deshalb aus $4 kommt: $3",
  ],
  [
    /(\d+) reviews? ha(?:s|ve) words in ("[^"]*"), which are read, and others in ("[^"]*"), which are not/,
    "Bewertungen mit Worten in $2, die gelesen werden, und anderen in $3, die nicht gelesen werden: $1",
  ],
  [
    /^(\d+) reviews? links? to (\S+) and names? no source, so (?:it counts|they count) as given to you directly \(first_party\)\. If they were written there, and that is not your own site, name it with (?:--source|„Quelle“)\.$/,
    "Bewertungen, die auf $2 verweisen, aber keine Quelle nennen: $1. Sie gelten als Ihnen direkt gegeben (first_party). Sind sie dort geschrieben, und ist es nicht Ihre eigene Website, nennen Sie sie unter „Quelle“.",
  ],
  [
    /^(\d+) reviews? links? to Google and names? no source, so (?:it counts|they count) as given to you directly \(first_party\)\. If they were written at Google, import the file with (--source google)\.$/,
    "Bewertungen, die auf Google verweisen, aber keine Quelle nennen: $1. Sie gelten als Ihnen direkt gegeben (first_party). Sind sie bei Google geschrieben, importieren Sie die Datei mit $2.",
  ],
  [
    /(\d+) reviews? ha(?:s|ve) no name of a site in (.+), which names those of others: taken to be from where you say that the reviews are\. If it names their site, too, (--columns source=.+)$/,
    "Bewertungen ohne Namen einer Website in $2, wo bei anderen einer steht: $1. Sie gelten als von dort, wo nach Ihrer Angabe die Bewertungen sind. Steht auch bei ihnen eine Website, wählen Sie $3",
  ],
  [
    /(\d+) reviews? ha(?:s|ve) no words in ("[^"]*"), which is read, and some in ("[^"]*"), which is not: if those are the customers', copy them into "[^"]*"/,
    "Bewertungen ohne Worte in $2, das gelesen wird, aber mit welchen in $3, das nicht gelesen wird: $1. Sind das die der Kundschaft, kopieren Sie sie nach $2",
  ],
  [
    /(\d+) (?:text or name is|texts and names are) a word such as "nan", "undefined" or "no comments", which stands for nothing: left out/,
    'Texte und Namen, die wegbleiben, weil sie nur aus einem Wort wie "nan", "undefined" oder „kein Kommentar“ bestehen, das für ein leeres Feld steht: $1',
  ],
  [
    / is missing, and ("[^"]*") stands alone in its row: if it says of which site or place the rows around it are, write that into a column of theirs, and delete the row/,
    " fehlt, und $1 steht allein in seiner Zeile: Sagt es, von welcher Website oder welchem Standort die Zeilen darum sind, schreiben Sie das in eine Spalte, und löschen Sie diese Zeile",
  ],
  [
    / its words hold what seems to be a row of its own \((.*)\): a quotation mark is opened in one row and closed in another\. Double or remove it/,
    " Ihre Worte enthalten wohl eine eigene Zeile ($1): Ein Anführungszeichen wird in einer Zeile geöffnet und in einer anderen geschlossen. Verdoppeln oder entfernen Sie es",
  ],
  [
    /("[^"]*") seems to be the rest of the words before it: a text that holds the separator must stand in quotation marks/,
    "$1 ist wohl der Rest der Worte davor: Ein Text mit dem Trennzeichen muss in Anführungszeichen stehen",
  ],
  [
    / is ("[^"]*"), but the system that calls a column so writes times as 01\/30\/2026 10:11:12: a spreadsheet for another country has changed them, and may have taken days for months\. Import the file as that system made it; if the days are right, say so with --dates dmy/,
    " ist $1, aber das System mit so benannten Spalten schreibt Zeiten wie 01/30/2026 10:11:12: Eine Tabellenkalkulation für ein anderes Land hat sie geändert und vielleicht Tag und Monat vertauscht. Importieren Sie die Datei, wie das System sie gemacht hat; stimmen die Tage, sagen Sie das mit der Reihenfolge von Tag und Monat",
  ],
  [
    /(\d+) titles? (?:is|are) the rank of a customer, such as "Local Guide" or "Verified buyer", and no titles?: left out/,
    'Titel, die wegbleiben, weil sie nur den Rang eines Kunden nennen, etwa "Local Guide": $1',
  ],
  [
    /("[^"]*") has one day for all reviews, of which ("[^"]*") \((.*?)\) tells different ages: it may be the day of the export, and not the reviews'\. /,
    "$1 hat einen Tag für alle Bewertungen, für die $2 ($3) verschiedene Alter nennt: Es ist vielleicht der Tag des Exports und nicht der der Bewertungen. ",
  ],
  [
    /(\d+) reviews? ha(?:s|ve) a name in ("[^"]*"), which is read, and another in ("[^"]*"), which is not/,
    "Bewertungen mit einem Namen in $2, der gelesen wird, und einem anderen in $3, der nicht gelesen wird: $1",
  ],
  [
    /(\d+) reviews? ha(?:s|ve) a link in ("[^"]*"), which is read, and another in ("[^"]*"), which is not/,
    "Bewertungen mit einem Link in $2, der gelesen wird, und einem anderen in $3, der nicht gelesen wird: $1",
  ],
  [
    /("[^"]*") is the same for every review: each links to that page\. If it does not show the reviews, take it out of the file/,
    "$1 ist bei jeder Bewertung gleich: Jede verweist auf diese Seite. Zeigt sie die Bewertungen nicht, nehmen Sie die Spalte aus der Datei",
  ],
  [
    /(".*") ha(?:s|ve) more than 5: if ("[^"]*") counts to ten as well, 5 of 10 is not 5 of 5; if another column holds stars from 1 to 5, name it with (--columns rating=…); otherwise leave these reviews out, because other scales have no whole stars/,
    "$1 geht über 5 hinaus: Zählt auch $2 bis zehn, sind 5 von 10 nicht 5 von 5; stehen in einer anderen Spalte 1 bis 5 Sterne, wählen Sie $3; sonst lassen Sie diese Bewertungen weg, denn andere Skalen haben keine ganzen Sterne",
  ],
  [
    / is (".*"), which is a program's object, and neither a name nor words: import the JSON from which the table was made, or a table with a column for each of its members/,
    " ist $1, das Objekt eines Programms und weder Name noch Worte: Importieren Sie das JSON, aus dem die Tabelle gemacht wurde, oder eine Tabelle mit einer Spalte für jeden seiner Teile",
  ],
  [
    /("[^"]*") \((.*?)\) is taken for where the reviews were written, as its values name sites: if it says something else, take it out of the file/,
    "$1 ($2) gilt als Ort, an dem die Bewertungen geschrieben wurden, weil dort Websites stehen: Sagt es etwas anderes, nehmen Sie die Spalte aus der Datei",
  ],
  [
    / the sheet is called after no site, as others are: its reviews are taken to be from where you say, if they do not say it themselves/,
    " Das Blatt heißt nach keiner Website, andere schon: Seine Bewertungen gelten als von dort, wo Sie angeben, wenn sie es nicht selbst sagen",
  ],
  [
    /("[^"]*") \((.*?)\) stands above the words as the customers' title: if they did not write it, take it out of the file/,
    "$1 ($2) steht als Titel der Kundschaft über den Worten: Hat sie ihn nicht geschrieben, nehmen Sie ihn aus der Datei",
  ],
  [
    /("[^"]*") stands above the words as the customers' title: if they did not write it, take it out of the file/,
    "$1 steht als Titel der Kundschaft über den Worten: Hat sie ihn nicht geschrieben, nehmen Sie ihn aus der Datei",
  ],
  [
    /("[^"]*") stands above the words as the customers' title, and nothing is known to hold the authors: if it holds their names, (--columns author="[^"]*")/,
    "$1 steht als Titel über den Worten, und keine Spalte hat die Verfasser: Sind es deren Namen, wählen Sie $2",
  ],
  [
    /the lists of what is good and bad \(positiveNotes, negativeNotes\) of (\d+) reviews? are left out/,
    "Die Listen mit Gutem und Schlechtem (positiveNotes, negativeNotes) bleiben weg; Bewertungen, die welche haben: $1",
  ],
  [/ \(and (\d+) more records?\)/, " (und $1 weitere)"],
  [/^and (\d+) more$/, "und $1 weitere"],
  [
    /: (\S{1,300}) is (.{1,90}?), but (.{1,90}?) in (.{1,300}?), which is the same review(?: \(rows without an id are told apart by author, date and text\))?$/,
    ": $1 ist $2, aber $3 in $4, und das ist dieselbe Bewertung",
  ],
  // Places
  [
    /^The files do not tell of which place their reviews are, so none can be chosen: leave out (--location (?:"[^"]*"|\S+))$/,
    "Die Dateien sagen nicht, von welchem Standort ihre Bewertungen sind: Wählen Sie bei $1 keinen",
  ],
  [
    /^No reviews in the files are of the location ("[^"]*")\. They are of:$/,
    "Keine Bewertung der Dateien ist vom Standort $1. Es gibt:",
  ],
  [
    /^The location ("[^"]*") may be any of several places\. Choose one by its id:$/,
    "Mit $1 können mehrere Standorte gemeint sein. Wählen Sie nach der Kennung:",
  ],
  [
    /^The reviews from (\S+) in the store are of the place ("[^"]*"), and these are of ("[^"]*")\. Another place needs a store of its own \(start goodword in another folder\); or take the old reviews out with goodword withdraw --source \S+\. Only if it is the same place with a new id: (--location (?:"[^"]*"|\S+) --yes)\. The files have:$/,
    "Die gespeicherten Bewertungen aus $1 sind vom Standort $2, diese sind von $3. Ein anderer Standort braucht einen eigenen Ordner: Dort starten Sie noch einmal goodword. Nur wenn es derselbe mit neuer Kennung ist: $4. Die Dateien haben:",
  ],
  [
    /the files name more than (\d+) places\. Check that this is a list of reviews, and import fewer files at a time/,
    "Die Dateien nennen mehr als $1 Standorte. Sind es Bewertungen? Importieren Sie weniger Dateien auf einmal",
  ],
  [
    /: (\d+) reviews? (?:is|are) passed over with those of other places, because the file does not tell (?:its|their) place\.$/,
    ": $1 [Bewertung wird|Bewertungen werden] mit denen anderer Standorte übergangen, weil die Datei den Standort nicht nennt.",
  ],
  // Sources, and what an import should know
  [
    /^(\d+) reviews? names? (.+) as its source, and counts? as (\S+) now\.$/,
    "$1 [Bewertung nennt $2 als Quelle und zählt|Bewertungen nennen $2 als Quelle und zählen] jetzt als $3.",
  ],
  [
    /^(\d+) reviews? names? (.+) as its source and keeps? it: (--source \S+) is for reviews whose file names none\./,
    "$1 [Bewertung nennt $2 als Quelle und behält|Bewertungen nennen $2 als Quelle und behalten] sie: $3 gilt, wo die Datei keine nennt.",
  ],
  [
    /^(\d+) reviews? links? to a site that is not known here \(([^()]*)\), and counts? as (\S+)\. If they were written there, take the import back with (goodword undo) and name that site with (--source)\.$/,
    "$1 [Bewertung verweist auf eine hier unbekannte Website ($2) und zählt als $3. Wurde sie|Bewertungen verweisen auf eine hier unbekannte Website ($2) und zählen als $3. Wurden sie] dort geschrieben, nehmen Sie den Import zurück ($4) und nennen Sie diese Website bei $5.",
  ],
  [
    /^(\d+) reviews? (?:is|are) kept but not published, because the system that the file is from does not show (?:it|them): (.*)\. Import the file again once it does\.$/,
    "$1 [Bewertung wird|Bewertungen werden] gespeichert, aber nicht veröffentlicht, weil das System, aus dem die Datei stammt, sie nicht zeigt: $2. Importieren Sie die Datei noch einmal, sobald es das tut.",
  ],
  [/: hidden before \((\d+)\)/, ": schon vorher verborgen ($1)"],
  [
    /: (\S+(?: and \S+)*) already has the same ones?, so nothing is missing\./,
    ": Aus $1 gibt es dieselben schon, es fehlt also nichts.",
  ],
  [/ Import this file with (--source \S+) next time\.$/, " Nennen Sie beim nächsten Mal $1."],
  [
    /^(\d+) reviews? from (\S+) (?:is|are) also there from (\S+) \(same author, day and words\): published once, under \S+, which came first\.$/,
    "$1 [Bewertung aus $2 gibt es auch aus $3 (Kunde, Tag und Worte sind gleich): Veröffentlicht wird sie|Bewertungen aus $2 gibt es auch aus $3 (Kunde, Tag und Worte sind gleich): Veröffentlicht werden sie] einmal, unter $3, denn das war zuerst da.",
  ],
  [
    /^(\d+) reviews? ha(?:s|ve) another one beside it, by the same author on the same day, that the files given do not have\. If its words were edited, the older one is out of date: (goodword remove) takes it out\. It is (.*?)(?: and (\d+) more)?\. A column id in the table prevents this\.$/,
    "Neben $1 [Bewertung|Bewertungen] steht eine andere vom selben Kunden am selben Tag, die in den Dateien fehlt. Wurde der Text geändert, ist die ältere überholt: $2 nimmt sie heraus. Es geht um $3. Eine Spalte „id“ in der Tabelle verhindert das.",
  ],
  [
    /^This would withdraw (\d+) of the (\d+) published reviews, because the files given with (--complete) do not have them\. If these files really are everything, confirm with --yes; if not, import them without --complete\.$/,
    "Das nähme $1 der $2 veröffentlichten Bewertungen heraus, weil die Dateien sie nicht enthalten. Enthalten diese wirklich alle, bestätigen Sie es unten; sonst prüfen Sie sie noch einmal ohne $3.",
  ],
  [
    /^(\d+) reviews? of earlier imports (?:is|are) gone from the source: (?:it stays|they stay) published\. goodword vanished lists them, with the text of an appeal\.$/,
    "$1 [Bewertung früherer Importe ist bei der Quelle verschwunden. Sie bleibt|Bewertungen früherer Importe sind bei der Quelle verschwunden. Sie bleiben] veröffentlicht; „Verschwundene“ zeigt sie, mit dem Text eines Einspruchs.",
  ],
  [
    /^(\d+) reviews? of earlier imports (?:is|are) gone from the source: and as you said --complete, (?:it is|they are) no longer published\. goodword vanished lists them, with the text of an appeal\.$/,
    "$1 [Bewertung früherer Importe ist|Bewertungen früherer Importe sind] bei der Quelle verschwunden und, weil die Dateien alles enthalten, nicht mehr veröffentlicht. „Verschwundene“ zeigt sie, mit dem Text eines Einspruchs.",
  ],
  [
    /^(\d+) reviews? that had vanished (?:is|are) back\.$/,
    "$1 [verschwundene Bewertung ist|verschwundene Bewertungen sind] wieder da.",
  ],
  [
    /^(\d+) reviews? that the source lists one after the other (?:is|are) missing, .*$/,
    "$1 [Bewertung fehlt|Bewertungen, die bei der Quelle hintereinander stehen, fehlen], als wäre eine Datei reviews….json des Takeout verloren gegangen: Darum gilt keine als verschwunden. Laden Sie das Takeout noch einmal herunter und importieren Sie dieses.",
  ],
  [
    /^(\d+) reviews? kept before ha(?:s|ve) (?:another date|other dates) now, because the time zone is (\S+)\.$/,
    "$1 [schon gespeicherte Bewertung hat|schon gespeicherte Bewertungen haben] jetzt ein anderes Datum, weil die Zeitzone $2 ist.",
  ],
  [
    /^The address(?:es)? of (\d+) published reviews? changes?, because .* If you did not mean that, (goodword undo) takes the import back\.$/,
    "Die Adresse von $1 [veröffentlichten Bewertung|veröffentlichten Bewertungen] ändert sich, weil Kennung oder Datum jetzt anders sind: Verweise auf die alte führen ins Leere. War das nicht gewollt, nimmt $2 es zurück.",
  ],
  [
    /^The logo (\S+) is not shown in the header of the pages, because .*$/,
    "Das Logo $1 steht nicht im Kopf der Seiten, weil sie nichts von einer anderen Website laden: Geben Sie eine Adresse auf Ihrer eigenen an, oder lassen Sie es für Feeds und Suchmaschinen.",
  ],
  [
    /^(?:Another import changed the time zone|A review was removed or redacted during this import|Another import brought reviews of a place during this one)\. Import again\.$/,
    "Inzwischen hat etwas anderes den Speicher geändert. Prüfen Sie die Dateien noch einmal.",
  ],
  [
    /^The import cannot be complete: (.*)\. Without (--complete) it is imported, and nothing is withdrawn\.$/,
    "Die Dateien enthalten nicht alles: $1. Ohne $2 werden sie importiert, und nichts wird herausgenommen.",
  ],
  [/: some of it was refused\./, ": Manches wurde abgelehnt."],
  [/: it holds no reviews, so all would be withdrawn\./, ": Sie enthalten keine Bewertungen, also verschwänden alle."],
  [/: the (.*) never gives all reviews\./, ": $1 gibt nie alle Bewertungen."],
  [/: the last page of the (.*) is missing\./, ": Die letzte Seite von $1 fehlt."],
  [
    /: (.*) is one full page of a Google Takeout \(.*\), and others follow it; give the whole Takeout instead, its \.zip or its folder/,
    ": $1 ist eine volle Seite eines Google Takeout, und andere folgen; nehmen Sie das ganze Takeout, als .zip",
  ],
  [
    /: beside (.{1,300}) there is (.{1,300}), another page of the same Takeout; give the whole Takeout instead, its \.zip or its folder/,
    ": Neben $1 gibt es $2, eine andere Seite desselben Takeout; nehmen Sie das ganze Takeout, als .zip",
  ],
  [
    /^The store would hold (\d+) reviews with (\d+) MB of words\. .* do it by hand with --yes\.$/,
    "Der Speicher enthielte $1 Bewertungen mit $2 MB Text: mehr, als ein Server in den Arbeitsspeicher nimmt, den er haben darf (MEMORY_MB). Bestätigen Sie es unten, wenn alles davon Bewertungen sind.",
  ],
  [
    /^(\d+) reviews? (?:is|are) in (?:a language that is|languages that are) not read here \((.*)\)/,
    "$1 [Bewertung ist in einer Sprache verfasst, die hier nicht ausgewertet wird|Bewertungen sind in Sprachen verfasst, die hier nicht ausgewertet werden] ($2)",
  ],
  [/, none of them in these files(?=: what)/, ", keine davon in diesen Dateien"],
  [/, (\d+) of them in these files(?=: what)/, ", davon $1 in diesen Dateien"],
  [
    /: what (?:it says|they say) is in no topic, score or quotation\.$/,
    ". Was darin steht, zählt weder bei den Themen noch bei den Zahlen mit und wird nicht zitiert.",
  ],
  [
    /^(\S+) describes a business, but only reviews are taken from here$/,
    "$1 beschreibt einen Betrieb; hier werden nur Bewertungen genommen",
  ],
  [
    / describes a business and is passed over: .*$/,
    " beschreibt einen Betrieb und wird übergangen: Öffnen Sie „Die Datei selbst“ auf der Seite „Betrieb“, um sie zu ändern",
  ],
  [
    / is ("[^"]*"), which gives an age, not a date: must be .*?(?=$|\. Real)/,
    " ist $1; das ist ein Alter und kein Datum, verlangt wird ein Tag wie 2025-08-06",
  ],
  [
    /\. Real dates are in the service's own export: for reviews on Google in Google Takeout \(takeout\.google\.com, Google Business Profile\)/,
    ". Das genaue Datum steht im Export des Dienstes selbst: bei Google in Google Takeout (takeout.google.com, Google Unternehmensprofil)",
  ],
  [
    / names the time zone ("[^"]*"), which is none of the business's \((\S+)\) and may stand for several: .*$/,
    " nennt die Zeitzone $1, die nicht die des Betriebs ($2) ist und für mehrere stehen kann: Schreiben Sie den Abstand (+05:30) an ihre Stelle, oder lassen Sie sie weg",
  ],
  [/ is (.*?), but must be text(?: or a whole number)?$/, " ist $1, muss aber Text sein"],
  [/ is (.*?), but must be a name$/, " ist $1, muss aber ein Name sein"],
  [/ is (.*?), but must be no longer than (\d+) characters$/, " ist $1, darf aber höchstens $2 Zeichen haben"],
  [/ is (.*?), but must be an http or https address$/, " ist $1, muss aber eine Adresse mit http oder https sein"],
  [
    / is (.*?), but must be 1 to 64 letters, digits, underscores or dots$/,
    " ist $1, darf aber nur aus 1 bis 64 Buchstaben, Ziffern, _ oder . bestehen",
  ],
  [/ is a telephone number, and no name to publish/, " ist eine Telefonnummer und kein Name zum Veröffentlichen"],
  [/ is an e-mail address, and no name to publish/, " ist eine E-Mail-Adresse und kein Name zum Veröffentlichen"],
  [/ is a telephone number, and no name to publish/, " ist eine Telefonnummer und kein Name zum Veröffentlichen"],
  [
    / is Google's translation without the customer's own words \(.*\)/,
    " ist Googles Übersetzung ohne die Worte des Kunden",
  ],
  [
    / has (\d+) (?:bytes|characters), but must have no more than (\d+)(?: \(1 MB\))?/,
    " hat die Länge $1, erlaubt ist höchstens $2",
  ],
  [
    / \(not rounded, because that would change what the customer said\)/,
    " (nicht gerundet, denn das änderte, was der Kunde gesagt hat)",
  ],
  [
    / has more than .*?\. Check that its id is its own, or import fewer files at a time$/,
    ": Zu viele verschiedene Fassungen einer Bewertung. Ist die Kennung ihre eigene? Importieren Sie sonst weniger Dateien auf einmal",
  ],
  // Files that cannot be read
  [/ is an empty file: download or save it again$/, " ist leer: Laden oder speichern Sie die Datei noch einmal"],
  [
    / is in no format that can be imported: .*$/,
    " hat kein bekanntes Format: Speichern Sie die Bewertungen als Tabelle (.xlsx oder CSV) mit Sternen und Datum, oder als JSON",
  ],
  [
    / is text in UTF-16; import it with --encoding utf-16le, or save it as UTF-8$/,
    " ist Text in UTF-16; wählen Sie --encoding, oder speichern Sie die Datei als UTF-8",
  ],
  [
    / is a file of an older Excel \(\.xls\), or one with a password; .*$/,
    " ist von einem alten Excel (.xls) oder hat ein Kennwort; speichern Sie die Datei als .xlsx ohne Kennwort, oder als CSV",
  ],
  [
    / is (?:compressed with gzip|a zip inside a zip); unpack it first$/,
    " ist noch einmal gepackt; entpacken Sie die Datei zuerst",
  ],
  [
    / is a PDF, which programs cannot read reviews from: .*$/,
    " ist ein PDF, aus dem sich keine Bewertungen lesen lassen: Bitten Sie dort, wo es herkommt, um eine Tabelle (.xlsx oder CSV) oder JSON",
  ],
  [
    / is a text with formatting \(RTF\): .*$/,
    " ist ein Text mit Formatierung (RTF): Speichern Sie ihn als Tabelle (.xlsx oder CSV)",
  ],
  [
    / is neither text nor a spreadsheet nor an archive: .*$/,
    " ist weder Text noch Tabelle noch Archiv, vielleicht ein Bild. Speichern Sie die Bewertungen als Tabelle (.xlsx oder CSV) oder JSON",
  ],
  [
    / is XML, in which no reviews are looked for: .*$/,
    " ist XML, in dem keine Bewertungen gesucht werden: Speichern Sie sie als Tabelle (.xlsx oder CSV) oder JSON",
  ],
  [
    / is a spreadsheet without a table: no sheet has a header of two columns$/,
    " enthält keine Tabelle: Kein Blatt hat eine Kopfzeile mit zwei Spalten",
  ],
  [
    / is (?:an OpenDocument|a Numbers) spreadsheet; (?:save|export) it as \.xlsx or CSV$/,
    " ist eine Tabelle eines anderen Programms; speichern Sie sie als .xlsx oder CSV",
  ],
  [
    / is a damaged spreadsheet \(.*\); open it and save it again$/,
    " ist eine beschädigte Tabelle; öffnen Sie sie und speichern Sie sie noch einmal",
  ],
  [
    / .*, which is too large for a spreadsheet; save it as CSV and import that$/,
    " ist zu groß für eine Tabelle; speichern Sie sie als CSV",
  ],
  [
    / is not valid JSON: (?:.* )?in line (\d+), column (\d+)$/,
    " ist kein gültiges JSON: ein Fehler in Zeile $1, Spalte $2",
  ],
  [
    / has (\d+) objects and lists with next to nothing in them, as no export of reviews has/,
    " enthält $1 Objekte und Listen mit so gut wie nichts darin, wie kein Export von Bewertungen",
  ],
  [
    / has (\d+) values with next to nothing in them, as no export of reviews has/,
    " enthält $1 Werte mit so gut wie nichts darin, wie kein Export von Bewertungen",
  ],
  [
    / has more than (\d+) objects with a value at most, as no export of reviews has/,
    " enthält mehr als $1 Objekte mit höchstens einem Wert, wie kein Export von Bewertungen",
  ],
  [
    / has an object with more than (\d+) values in it, as no export of reviews has/,
    " enthält ein Objekt mit mehr als $1 Werten, wie sie keine Ausgabe von Bewertungen hat",
  ],
  [
    / (?:is nested more than|needs more than|needs too much memory|nests its elements too deep).*$/,
    " ist zu groß oder zu tief verschachtelt. Als Tabelle (CSV) oder JSON Lines, mit einer Bewertung je Zeile, wird die Datei Stück für Stück gelesen",
  ],
  [
    / has a quotation mark (?:that is never closed|inside a field; the field must be quoted and the mark doubled)$/,
    " hat ein Anführungszeichen, das nicht geschlossen ist oder mitten im Feld steht",
  ],
  [
    / is longer than (\d+) characters(?:; a quotation mark is never closed\?)?$/,
    " ist länger als $1 Zeichen; fehlt ein Anführungszeichen?",
  ],
  [/ has (\d+) fields, but the header names (\d+) columns/, " hat $1 Felder, aber die Kopfzeile nennt $2 Spalten"],
  [/ \(it begins with ("[^"]*")\)/, " (beginnt mit $1)"],
  [/ has nothing to import: it is empty$/, " ist leer"],
  [
    / is a Word document, which reviews cannot be read from: .*$/,
    " ist ein Word-Dokument, aus dem sich keine Bewertungen lesen lassen: Kopieren Sie die Tabelle daraus in eine Tabellenkalkulation, und speichern Sie diese als .xlsx oder CSV",
  ],
  [
    / has nothing to import: it holds (.*)\. Reviews are read from a Google Takeout \(reviews\*\.json\), a table \(\.xlsx or CSV\) or JSON: check that it is the right one$/,
    " enthält nichts zu importieren, nur $1. Bewertungen stehen in einem Google Takeout (reviews*.json), einer Tabelle (.xlsx oder CSV) oder in JSON: Ist es die richtige Datei?",
  ],
  [
    / has nothing to import: it holds (.*)\. Archives inside archives are not opened: unpack it, and import (\S+)$/,
    " enthält nichts zu importieren, nur $1. Archive in Archiven werden nicht geöffnet: Entpacken Sie es, und wählen Sie $2",
  ],
  [
    / is a web page that holds no reviews for programs .*$/,
    " ist eine Webseite ohne maschinenlesbare Bewertungen (JSON-LD, Mikrodaten oder RDFa von schema.org): Laden Sie die Bewertungen bei dem Dienst herunter, der sie hat",
  ],
  [
    / is a page saved from (.*): it holds only the reviews that were on the screen, .*$/,
    " ist eine gespeicherte Seite von $1: Sie enthält nur, was auf dem Bildschirm stand, ohne Datum und gekürzt. Holen Sie alles mit Google Takeout (takeout.google.com, Google Unternehmensprofil) und nehmen Sie dessen .zip",
  ],
  [
    /these are the reviews that the owner of this Google account wrote about other places, not reviews of the business; import the folder Google Business Profile instead/,
    "Das sind die Bewertungen, die dieses Google-Konto über andere Orte geschrieben hat; nehmen Sie den Ordner „Google Unternehmensprofil“ („Google Business Profile“)",
  ],
  [
    / (?:is a damaged or truncated (?:gzip|zip|archive)|is a damaged zip entry \(.*\)): download (?:it|the zip) or make it again$/,
    " ist beschädigt oder abgebrochen: Laden Sie die Datei noch einmal herunter",
  ],
  [/ is refused as a zip: .*$/, " ist kein gültiges .zip: Laden Sie die Datei noch einmal herunter"],
  [
    / (?:unpacks to|unpacks (\d+) bytes|has entries that overlap|has the entry .* bytes|has \d+ entries, but|has more than \d+ entries|has an entry whose name is longer|an entry's name and comment).*$/,
    " ist zu groß oder verdächtig gepackt und wird nicht entpackt",
  ],
  [/ has the entry (.*), whose name leaves the folder$/, " hat den Eintrag $1, dessen Name aus dem Ordner führt"],
  [/ has the entry (.*), which is encrypted$/, " hat den verschlüsselten Eintrag $1"],
  [
    / has more than (\d+) bytes \(200 MB\), which is too large to import$/,
    " ist größer als 200 MB, zu groß für einen Import",
  ],
  [
    / has more than (\d+) MB, too much for JSON or a web page here: .*$/,
    " ist größer als $1 MB, zu viel für JSON oder eine Webseite. Als Tabelle (CSV) oder JSON Lines, mit einer Bewertung je Zeile, wird sie Stück für Stück gelesen",
  ],
  [/ is not text in (\S+); try another (--encoding)$/, " ist kein Text in $1; wählen Sie einen anderen $2"],
  [
    /^encoding is ("[^"]*"), which is not known; .*$/,
    "Den Zeichensatz $1 gibt es nicht; windows-1252, utf-16le und macintosh gibt es zum Beispiel",
  ],
  [
    /^The files have more than (\d+) bytes, which is too much to import$/,
    "Die Dateien haben mehr als $1 Bytes, zu viel für einen Import",
  ],
  [/^More than (\d+) files: put them into one \.zip$/, "Mehr als $1 Dateien: Packen Sie sie in ein .zip"],
  [/^The form (?:is too large|has too many fields)$/, "Das Formular ist zu groß"],
  [
    /^The form is not from this desk, or the desk was started again since\. Open the page again$/,
    "Das Formular ist nicht von diesem Schreibtisch, oder er wurde inzwischen neu gestartet. Öffnen Sie die Seite noch einmal",
  ],
  // business.yaml
  [/ is missing: add a line such as (.*)$/, " fehlt: Fügen Sie eine Zeile hinzu wie $1"],
  [/ is missing: an entry looks like (.*)$/, " fehlt: Ein Eintrag sieht so aus: $1"],
  [/ is missing$/, " fehlt"],
  [
    / is empty(?:: .*)?\. A text that begins with # or & needs quotation marks$/,
    " ist leer. Ein Text, der mit # oder & beginnt, braucht Anführungszeichen",
  ],
  [/ is not known here\. Do you mean (.*)\?$/, " ist hier unbekannt. Meinen Sie $1?"],
  [/ is not known here\. Known here: (.*)$/, " ist hier unbekannt. Es gibt: $1"],
  [/(, wie Europe\/Berlin)\. Do you mean (.*)\?$/, "$1. Meinen Sie $2?"],
  [
    / is (.*), but must be text: put it in quotation marks, (.*)$/,
    " ist $1, muss aber Text sein: Setzen Sie es in Anführungszeichen, $2",
  ],
  [
    / is (.*), but must be a list(?:: write|, each line with a hyphen before it: -|, such as) (.*)$/,
    " ist $1, muss aber eine Liste sein, wie $2",
  ],
  [
    / is (.*), but must be written with (?:its parts|an id and a name|an id and a label)(?:: |, such as )(.*)$/,
    " ist $1, muss aber aus Teilen bestehen, wie $2",
  ],
  [/ is (.*), but must be one of (.*)$/, " ist $1; erlaubt sind: $2"],
  [/ is (.*), but must have at least one entry$/, " ist $1, braucht aber mindestens einen Eintrag"],
  [/ is (.*), but must be (\S+) or more$/, " ist $1, muss aber mindestens $2 sein"],
  [/ is (.*), but must be (\S+) or less$/, " ist $1, darf aber höchstens $2 sein"],
  [/ is (.*), but must be a number$/, " ist $1, muss aber eine Zahl sein"],
  [/ is (.*), but must be true or false$/, " ist $1, muss aber true oder false sein"],
  [/ is (.*), but must be an interval such as 6h$/, " ist $1, muss aber ein Zeitabstand sein, wie 6h"],
  [
    / is (.*?)[:,] (?:but )?must be an http or https address, such as (\S+)$/,
    " ist $1, muss aber eine Adresse sein, wie $2",
  ],
  [
    / is (.*?)[:,] (?:but )?must be a time of day with two digits each, in quotation marks(?:, such as|: write) (.*)$/,
    " ist $1, muss aber eine Uhrzeit sein, wie $2",
  ],
  [
    / is (.*?), but must be a time of day\. Leave the day out: days without an entry are closed$/,
    " ist $1, muss aber eine Uhrzeit sein. Lassen Sie den Tag weg: Tage ohne Eintrag sind geschlossen",
  ],
  [
    / is (.*?), but must (?:name the days in full|be a list of days): write (.*)$/,
    " ist $1, muss aber die Tage nennen: $2",
  ],
  [
    / is (.*?): must be a schema\.org type such as HVACBusiness$/,
    " ist $1, muss aber eine Art von schema.org sein, wie Plumber",
  ],
  [
    / is (.*?): must be a number, with country code, such as .*$/,
    " ist $1, muss aber eine Nummer mit Landesvorwahl sein, wie +49 30 5550142",
  ],
  [
    / is (.*?): must be the short tag of a language, such as en, de or pt-BR$/,
    " ist $1, muss aber das Kürzel einer Sprache sein, wie de oder en",
  ],
  [/ is (.*?): must be a BCP 47 language tag$/, " ist $1, muss aber das Kürzel einer Sprache sein, wie de oder en"],
  [
    / is (.*?): must be (?:the word of a source, such as|a word such as) (.*)$/,
    " ist $1, muss aber das Wort einer Quelle sein, wie $2",
  ],
  [/ is (.*?): must be a colour such as "#0b5cad".*$/, ' ist $1, muss aber eine Farbe sein, wie "#0b5cad"'],
  [
    / is (.*?): must be an https address without a user name, password or fragment, .*$/,
    " ist $1, muss aber eine https-Adresse ohne Benutzer, Kennwort und # sein, oder mailto: mit einer Adresse, wie mailto:buero@example.de",
  ],
  [
    / is (.*?): must be an interval such as 15m, 6h or 1d, at least 1m$/,
    " ist $1, muss aber ein Zeitabstand sein, wie 15m, 6h oder 1d, mindestens 1m",
  ],
  [
    / is (.*?): must be a setting that begins with KEY_, .*$/,
    " ist $1, muss aber eine Einstellung sein, die mit KEY_ beginnt",
  ],
  [
    / is (.*?): must hold no user name or password: give a key by header$/,
    " ist $1, darf aber weder Benutzer noch Kennwort enthalten",
  ],
  [
    / is (.*?): (?:service area|service|technician|\w+) id ("[^"]*") is given twice$/,
    " ist $1: Die Kennung $2 gibt es zweimal",
  ],
  [/ is given twice: join the two entries$/, " gibt es zweimal: Machen Sie einen Eintrag daraus"],
  [/("[^"]*") is given twice\. Keep one of them$/, "$1 gibt es zweimal. Behalten Sie eines davon"],
  [/^taxonomy is (.*?), but must be one of (.*)$/, "taxonomy ist $1; erlaubt sind: $2"],
  [
    /: the line begins with a tab\. Put spaces in its place$/,
    ": Die Zeile beginnt mit einem Tabulator. Setzen Sie Leerzeichen an seine Stelle",
  ],
  [
    /: a bracket is opened and not closed.*$/,
    ": Hier oder darüber fehlt eine Klammer, ein Komma oder ein Doppelpunkt, oder die Zeile ist falsch eingerückt",
  ],
  [
    /: the line is indented differently from .*$/,
    ": Die Zeile ist anders eingerückt als die, zu denen sie gehört. Beginnen Sie die Zeilen einer Gruppe untereinander",
  ],
  [
    /: there is a colon too many, .*$/,
    ': Ein Doppelpunkt ist zu viel, oder die nächste Zeile ist grundlos eingerückt. Setzen Sie einen Text mit Doppelpunkt in Anführungszeichen, wie "Schmidt: Söhne"',
  ],
  [/: a quotation mark is opened and not closed, here or above$/, ": Hier oder darüber fehlt ein Anführungszeichen"],
  [
    /: a text (?:may not begin with (\S+)|that begins with \* means something else in YAML)\. Put the text in quotation marks$/,
    ": So darf ein Text nicht beginnen. Setzen Sie ihn in Anführungszeichen",
  ],
  [
    /: (.*) stands where nothing may follow\. .*$/,
    ": $1 steht, wo nichts mehr folgen darf. Setzen Sie einen Text mit Anführungszeichen oder Klammern ganz in doppelte Anführungszeichen",
  ],
  [
    /: (?:it is empty|it describes no business)\. It needs lines such as .*$/,
    ": Sie beschreibt keinen Betrieb. Sie braucht Zeilen wie „name: Kälte Nord“ und „time_zone: Europe/Berlin“",
  ],
  [
    /: the line --- begins a second document\. Take it out$/,
    ": Die Zeile --- beginnt ein zweites Dokument. Nehmen Sie sie heraus",
  ],
  [
    /: it repeats itself too often by references \(& and \*\)\. Write it out$/,
    ": Zu viele Verweise (& und *). Schreiben Sie es aus",
  ],
  [/: it names more than 100 types \(!\)\. Take them out$/, ": Mehr als 100 Typen (!). Nehmen Sie sie heraus"],
  [
    /^(\S.*?) has a 0 where the country code belongs\. .*$/,
    "Die Nummer $1 hat eine 0, wo die Landesvorwahl hingehört. Mit Vorwahl beginnt sie mit +, wie +49 30 5550142.",
  ],
  [
    /^(\S.*?) has (\d+) digits; numbers with a country code have 7 to 15\. Please check it\.$/,
    "Die Nummer $1 hat $2 Ziffern; Nummern mit Landesvorwahl haben 7 bis 15. Bitte prüfen Sie sie.",
  ],
  // Followed addresses
  [/^failed: /, "Fehler: "],
  [/^not changed$/, "nichts Neues"],
  [/^imported: (\d+) added, (\d+) changed, (\d+) withdrawn$/, "importiert: $1 neu, $2 geändert, $3 herausgenommen"],
  [/Its content was not imported: /, "Der Inhalt wurde nicht importiert: "],
  [/\. goodword sources --fetch tries again and says more$/, ". „Jetzt abrufen“ versucht es noch einmal und sagt mehr"],
  [/It did not answer in full within (\S+) seconds/, "Es kam in $1 Sekunden keine vollständige Antwort"],
  [/It redirects more than (\d+) times/, "Sie leitet öfter als $1-mal weiter"],
  [/It answered with (\d+)/, "Die Antwort war $1"],
  [/ \(a key is needed: see header in business\.yaml\)/, " (ein Schlüssel ist nötig: siehe header in business.yaml)"],
  [/ \(access is refused\)/, " (der Zugriff ist verboten)"],
  [/ \((?:nothing is there|it is gone for good)\)/, " (dort ist nichts)"],
  [/ \(too many requests\)/, " (zu viele Anfragen)"],
  [/ \(a fault of that server\)/, " (ein Fehler jenes Servers)"],
  [
    /It redirects from a public address to (\S+), which has a private or local address; .*$/,
    "Sie leitet zu $1 weiter, einer privaten oder lokalen Adresse; solchen Weiterleitungen folgt das Programm nie. Ist diese Adresse gemeint, schreiben Sie sie in business.yaml",
  ],
  [/It redirects to an address that is not http or https/, "Sie leitet zu einer Adresse ohne http oder https weiter"],
  [
    /It redirects from https to plain http \(([^()]*)\), which is not followed/,
    "Sie leitet von https zu http weiter ($1); solchen Weiterleitungen folgt das Programm nicht",
  ],
  [/Its Content-Encoding is none of gzip, deflate, br and zstd/, "Die Antwort ist auf unbekannte Art gepackt"],
  [/It holds more than (\d+) MB/, "Sie enthält mehr als $1 MB"],
  [
    /(\S+) has a private or local address, and these are refused\. If that is meant, write the line (SOURCES_ALLOW=\S+).*$/,
    "$1 hat eine private oder lokale Adresse, und solche werden nicht abgerufen. Ist das gemeint, schreiben Sie die Zeile $2 in die Datei goodword.env im Ordner des Servers, und starten Sie ihn neu",
  ],
  [/The connection was closed early/, "Die Verbindung brach ab"],
  [/Its content is damaged/, "Der Inhalt ist beschädigt"],
  [/It could not be fetched/, "Sie war nicht abzurufen"],
  [
    /The setting (\S+), which holds its header, is not set/,
    "Die Einstellung $1 mit dem Kopf der Anfrage ist nicht gesetzt",
  ],
  [
    /^A server is fetching these addresses now\. .*$/,
    "Gerade ruft ein Server diese Adressen ab. Versuchen Sie es noch einmal, wenn er fertig ist.",
  ],
  [
    /^(\d+) kept, not published: add (\S+) to (verified_sources in business\.yaml), then import business\.yaml$/,
    "$1 [Bewertung wird|Bewertungen werden] gespeichert, aber nicht veröffentlicht: Tragen Sie $2 bei $3 ein",
  ],
  [
    /^(\d+) kept, not published: add "source: google" .*$/,
    "$1 [Bewertung wird|Bewertungen werden] gespeichert, aber nicht veröffentlicht: Stammt von Google, was diese Adresse liefert, schreiben Sie in business.yaml dazu „source: google“",
  ],
  [
    /^(\d+) kept, not published: name first_party .*$/,
    "$1 [Bewertung wird|Bewertungen werden] gespeichert, aber nicht veröffentlicht: Haben Kunden sie direkt bei Ihnen abgegeben, tragen Sie first_party bei den Quellen ein, deren Bewertungen veröffentlicht werden",
  ],
  // The store
  [
    /^The store may not be written: .*$/,
    "Der Speicher darf nicht beschrieben werden: Prüfen Sie die Rechte der Datei und des Ordners, und ob die Platte schreibgeschützt ist. Es wurde nichts geändert.",
  ],
  [
    /^The file of the store is damaged\. .*$/,
    "Die Datei des Speichers ist beschädigt. Spielen Sie eine Sicherung ein.",
  ],
  [
    /^The store holds more than goodword stores: .*$/,
    "Der Speicher enthält mehr, als das Programm speichert: Jemand anderes hat ihn verändert. Spielen Sie eine Sicherung ein, oder lassen Sie das seinen Besitzer in Ordnung bringen.",
  ],
  [
    /^The disk of the store cannot be read or written: .*$/,
    "Die Platte des Speichers lässt sich nicht lesen oder beschreiben: Sie ist voll oder fällt aus. Es wurde nichts geändert. Schaffen Sie Platz, dann versuchen Sie es noch einmal.",
  ],
  [/“([^“”]*)”(?= \(\d+\).*\. Customers often write )/g, "„$1“"],
  [/^Few reviews name (.*?)\. Customers often write /, "Wenige Bewertungen nennen $1. Die Kunden schreiben oft "],
  [/\. If they call a service by one of these words, (?=add it to)/, ". Wenn sie damit eine Leistung meinen, "],
  [/\) and (?=[^()]{1,60} \(\d+(?: reviews)?\)\.)/g, ") und "],
  [/\((\d+) reviews\)/g, "($1 Bewertungen)"],
  [/^The disk is full.*$/, "Die Platte ist voll. Schaffen Sie Platz, dann versuchen Sie es noch einmal."],
  [
    /^The file of the store cannot be opened: .*$/,
    "Die Datei des Speichers lässt sich nicht öffnen: Der Ordner darf nicht beschrieben werden, oder DATABASE_URL nennt einen anderen Ort. Es wurde nichts geändert.",
  ],
  [
    /^The file of the store is not a store of goodword\. .*$/,
    "Die Datei des Speichers ist kein Speicher von Goodword. Spielen Sie eine Sicherung ein, oder berichtigen Sie DATABASE_URL.",
  ],
  [
    /^This user may not read or write (.*) \((\w+)\)\. .*$/,
    "$1 darf nicht gelesen oder beschrieben werden ($2). Wählen Sie einen anderen Ort, oder ändern Sie die Rechte.",
  ],
  [
    /^(?:The work ended early|The import ended early|The desk was ended|It was stopped)$/,
    "Es wurde vorzeitig beendet. Es wurde nichts geändert.",
  ],
  [
    /^It was stopped, because it took longer than .*$/,
    "Es wurde beendet, weil es zu lange dauerte. Es wurde nichts geändert.",
  ],
  [
    /^It needs more memory than an import of a server may take \((\d+) MB\)\. .*$/,
    "Es braucht mehr Arbeitsspeicher, als ein Import haben darf ($1 MB). Teilen Sie die Dateien auf.",
  ],
  [
    /^("[^"]*"(?:, "[^"]*")*) is the store itself, not a backup of it\. Nothing was changed\.$/,
    "$1 ist der Speicher selbst, keine Sicherung davon. Es wurde nichts geändert.",
  ],
  [/^(.*) is a file\. Name a folder for the export\.$/, "$1 ist eine Datei; dort muss ein Ordner sein."],
  [
    /^(.*) is damaged, so it cannot be told which files an earlier export wrote\. .*$/,
    "$1 ist beschädigt, und so ist nicht zu erkennen, welche Dateien früher geschrieben wurden. Löschen Sie die Datei.",
  ],
  [
    /^(.*) is a link out of the export\. Delete the link, or export to a new folder\.$/,
    "$1 ist ein Verweis aus dem Ordner hinaus. Löschen Sie ihn.",
  ],
  // Sites
  [/^Nothing has been imported yet$/, "Noch ist nichts importiert."],
  [
    /^Nothing has been imported into this site: there is nothing to export$/,
    "In diese Website ist noch nichts importiert: Es gibt nichts zu schreiben",
  ],
  [/^(\S+) is the address of the chain already$/, "$1 ist schon die Adresse der Kette."],
  [/^(\S+) is the address of the site (\S+) already$/, "$1 ist schon die Adresse des Betriebs $2."],
  [
    /^Neither BASE_URL nor SITES_BASE_URL gives it an address$/,
    "Er hat keine Adresse, weder durch BASE_URL noch durch SITES_BASE_URL.",
  ],
  [
    /^(.*) leads nowhere \((\w+)\)\. Bring back what the link led to, or remove the link$/,
    "$1 führt ins Leere ($2). Stellen Sie das Ziel des Verweises wieder her, oder löschen Sie ihn.",
  ],
  [
    /^It is the folder of the site (\S+), and a store is published once: remove the link$/,
    "Es ist der Ordner des Betriebs $1, und ein Speicher wird nur einmal veröffentlicht: Löschen Sie den Verweis.",
  ],
  [
    /^(.*) leads out of the site's folder\. .*$/,
    "$1 führt aus dem Ordner des Betriebs hinaus. Legen Sie die Datei selbst dorthin.",
  ],
  [
    /^(.*) is no file\. Put .* in its place, or remove it$/,
    "$1 ist keine Datei. Legen Sie die Datei dorthin, oder löschen Sie es.",
  ],
  [/^(.*) is no file of goodword's\. Remove it$/, "$1 ist keine Datei von Goodword. Löschen Sie sie."],
  [/^(.*) is larger than a megabyte, .*$/, "$1 ist größer als ein Megabyte, und so groß darf die Datei nicht sein."],
  [/^(.*) could not be read within (\d+) seconds$/, "$1 ließ sich nicht in $2 Sekunden lesen. Kürzen Sie die Datei."],
  [
    /^(.*:\d+): (".*") sets nothing\. .*$/,
    "$1: $2 stellt nichts ein. Schreiben Sie eine Einstellung als NAME=Wert, wie PORT=8080, und # vor eine Bemerkung.",
  ],
  [
    /^The settings in (.*) cannot be read \((\w+)\)\. .*$/,
    "Die Einstellungen in $1 lassen sich nicht lesen ($2). Machen Sie die Datei lesbar, oder löschen Sie sie.",
  ],
  [
    / is (.*), but must be an http or https address without a path(?=, |$)/,
    " ist $1, muss aber eine Adresse mit http oder https und ohne Pfad sein",
  ],
  [
    / is (.*), but must be a header value in one line, such as (.*)$/,
    " ist $1, muss aber der Wert eines Headers in einer Zeile sein, wie $2",
  ],
  [
    / is (.*), but must be three rising whole numbers of seconds, such as (.*)$/,
    " ist $1, muss aber aus drei steigenden ganzen Zahlen von Sekunden bestehen, wie $2",
  ],
  [
    / is (.*), but must be a list of address ranges \(CIDR\), such as (\S+) for a single address or .*$/,
    " ist $1, muss aber eine Liste von Adressbereichen (CIDR) sein, wie $2 für eine einzelne Adresse",
  ],
  [
    / is (.*), but must be a list of host names such as .*$/,
    " ist $1, muss aber eine Liste von Hosts oder Ursprüngen sein, wie https://claude.ai, oder *",
  ],
  [
    /^(\w+) is set, but must be .*$/,
    "$1 hat einen Wert, der nicht erlaubt ist. Er wird nicht gezeigt, weil er geheim sein kann.",
  ],
  [
    /^The store is damaged: the day of its newest review is none\. Put a backup in its place$/,
    "Der Speicher ist beschädigt: Der Tag seiner neuesten Bewertung ist keiner. Spielen Sie eine Sicherung ein",
  ],
  [
    /^Its store describes a business as goodword does not: restore a backup$/,
    "Sein Speicher beschreibt einen Betrieb anders, als Goodword es tut: Spielen Sie eine Sicherung ein.",
  ],
  [
    /^The store was written by a newer goodword \(its tables are version (\d+), this program knows (\d+)\)\. .*$/,
    "Der Speicher ist von einem neueren Goodword (seine Tabellen haben die Nummer $1, dieses Programm kennt $2). Nehmen Sie das neuere Programm.",
  ],
  [
    /^The file of the store holds tables of another program, and none of goodword's\. Nothing was changed\. .*$/,
    "Die Datei des Speichers enthält Tabellen eines anderen Programms und keine von Goodword. Es wurde nichts geändert.",
  ],
  [
    /^DATABASE_URL leads to tables of another program: .*$/,
    "Der Speicher enthält Tabellen eines anderen Programms. Es wurde nichts geändert.",
  ],
  [
    /^it holds an? (\S+ \S+) that goodword does not make$/,
    "Der Speicher enthält etwas Fremdes ($1). Spielen Sie eine Sicherung ein.",
  ],
  [/^The store has no revision$/, "Dem Speicher fehlt eine Angabe. Spielen Sie eine Sicherung ein."],
  [
    /^[^()]+ \((.*); SQLSTATE (\w+)\)\. .*$/,
    "Die Datenbank meldet einen Fehler (SQLSTATE $2): „$1“. Geben Sie das an den weiter, der sie betreut.",
  ],
];
