/** Rows and cells of tables that are no review: sums, and what programs write for nothing. */

/** How a row begins that sums up the rows above it. */
export const TOTAL =
  /^(?:(?:sub|grand )?totals?|total (?:général|general)|sum|average|avg\.?|mean|median|count|(?:gesamt)?summe|gesamt|durchschnitt|mittelwert|schnitt|anzahl|ø|moyenne|nombre|promedio|media|suma|gemiddelde|totaal|aantal|totale|średnia|razem|liczba|genomsnitt|medelvärde|summa|gennemsnit|gjennomsnitt|média|soma|合計|平均|итого|среднее|합계|평균|总计|平均值)(?:\s+(?:rating|stars|score|reviews|bewertung|sterne))?\s*:?$/i;
/** Those that are names of people. */
export const PEOPLE = /^(?:suma|soma|summa|media|nombre)$/i;
/** What programs write for nothing: a whole text or name that no customer has. */
export const PROGRAM_NOTHING = /^\s*(?:nan|NaN|NaT|<NA>|None|null|undefined|\[object Object\])\s*$/;
/** What a template of a table has in the place of a customer's name or words. */
export const EXAMPLE_ROW =
  /^(?:\(?(?:example|sample|template|beispiel|muster|exemple|ejemplo|esempio|voorbeeld)\)?(?:$|\s?[:–—(-]|\s(?:review|row|customer|bewertung|zeile|kunde|name)\b)|(?:write|enter|paste|type|put) (?:the |your |a )?(?:customer['’]?s? )?(?:review|name|text|comment|feedback)\b(?: here)?|(?:your|customer['’]?s?) (?:review|name|comment) (?:goes )?here|delete this row|test(?:\s?test)+$|lorem ipsum|(?:john|jane) (?:doe|sample)$|(?:max|erika) mustermann$|asdf+$|xxx+$)/i;
