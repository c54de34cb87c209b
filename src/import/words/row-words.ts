/** Rows and cells of tables that are no review: sums, and what programs write for nothing. */

/** How a row begins that sums up the rows above it. */
export const TOTAL =
  /^(?:(?:sub|grand )?totals?|total (?:général|general)|sum|average|avg\.?|mean|median|count|(?:gesamt)?summe|gesamt|durchschnitt|mittelwert|schnitt|anzahl|ø|moyenne|nombre|promedio|media|suma|gemiddelde|totaal|aantal|totale|średnia|razem|liczba|genomsnitt|medelvärde|summa|gennemsnit|gjennomsnitt|média|soma|合計|平均|итого|среднее|합계|평균|总计|平均值)(?:\s+(?:rating|stars|score|reviews|bewertung|sterne))?\s*:?$/i;
/** What programs write for nothing: a whole text or name that no customer has. */
export const PROGRAM_NOTHING = /^\s*(?:nan|NaN|NaT|<NA>|None|null|undefined|\[object Object\])\s*$/;
