/** Rows and cells of tables that are no review: sums, and what programs write for nothing. */

/** How a row begins that sums up the rows above it. */
export const TOTAL =
  /^(?:(?:sub|grand )?totals?|(?:zwischen|monats|jahres|wochen|quartals)(?:summe|ergebnis|durchschnitt|schnitt|gesamt)|sous-total|subtotale?s?|(?:our|unser|company|industry|market|regional|national) (?:target|goal|ziel|average|benchmark)|benchmark|branchendurchschnitt|total (?:général|general)|(?:total |overall )?(?:number|count) of (?:reviews|ratings)|(?:reviews|ratings) (?:in )?total|average (?:rating|stars|score)|anzahl (?:der )?bewertungen|durchschnittliche bewertung|nombre d['’]avis|note moyenne|número de reseñas|overall|average of rating|sum|average|avg\.?|mean|median|count|(?:gesamt)?summe|gesamt|durchschnitt|mittelwert|schnitt|anzahl|ø(?:\s?\d[\d.,]*)?|moyenne|nombre|promedio|media|suma|gemiddelde|totaal|aantal|totale|średnia|razem|liczba|snitt|medel|yhteensä|keskiarvo|összesen|átlag|toplam|ortalama|celkem|průměr|spolu|gesamtnote|valoración media|genomsnitt|medelvärde|summa|gennemsnit|gjennomsnitt|média|soma|合計|平均|итого|среднее|합계|평균|总计|平均值)(?:\s+(?:rating|stars|score|reviews|bewertung|sterne))?\s*:?$/i;
/** A row of one cell that heads those below it, or says when the list was made: stars, months and years, `Last updated …`. */
export const HEADING =
  /^(?:(?:[1-5]|one|two|three|four|five)[\s-]?(?:\*|stars?|sterne?|étoiles?|estrellas?|stelle|stella|sterren|ster)(?:\s(?:and|or|und|oder|et|y|e|en)\s\p{L}+)?|★{1,5}☆{0,4}|(?:last updated|exported|generated|printed|created|as of|stand|exporté|actualizado|bijgewerkt)\b.{0,60}|(?:(?:spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|q[1-4]|(?:week|kw)\s?\d{1,2})[\s,/-]*)?(?:(?:19|20)\d{2})?)$/iu;
/** A row of one cell above reviews that are not for the public. */
export const HIDING_HEADING =
  /^(?:not for|nicht für|pas pour|no para|non per|niet voor|não para) |^(?:internal|private|confidential|interne[nrs]?|vertrauliche?|confidentiel(?:le)?s?|confidenciale?s?|vertrouwelijke?|poufne)(?: \p{L}+){0,3}$|^\p{L}+ (?:intern[eoai]s?|privad[oa]s?|confidentiel(?:le)?s|confidenciales|riservat[eio])$/iu;
/** Those that are names of people. */
export const PEOPLE = /^(?:suma|soma|summa|media|nombre)$/i;
/** What programs write for nothing: a whole text or name that no customer has. */
export const PROGRAM_NOTHING = /^\s*(?:nan|NaN|NaT|<NA>|None|null|undefined|\[object Object\])\s*$/;
/** A whole cell that a program left in the place of words. */
export const EMPTY_RECORD = /^\s*(?:\{\s*\}|\[\s*\]|#{3,})\s*$/;
/** A whole cell of replies that only says whether there is one, or where. */
export const REPLY_MARK = /^\s*(?:true|false|yes|no|[01]|https?:\/\/\S+)\s*$/i;

const NO_WORDS_BY_LANGUAGE = Object.values({
  en: "no (?:review |written )?(?:text|comments|review text|content|feedback left|words)|no (?:comment|text|review|feedback|content) (?:provided|given|left|available|entered|written)|(?:star )?rating only|only (?:a )?rating|stars? only|(?:text|comment|review) (?:not provided|missing)|without (?:text|comment)|n\\/?a|none|(?:the )?(?:user|customer|guest|reviewer) (?:didn['’]t|did not) (?:write|leave|provide) (?:a |any )?(?:review|comment|text|words)[^\\n]{0,40}",
  de: "k\\. ?a\\.|kein(?:e|en)? (?:text|kommentar|angaben?|inhalt)|(?:bewertung )?ohne (?:text|kommentar|worte)|nur sterne",
  fr: "(?:pas de|aucun|sans) (?:commentaires?|texte)|avis sans texte",
  es: "sin (?:comentarios?|texto)|ningún comentario",
  it: "(?:nessun|senza) (?:commento|testo)",
  nl: "(?:geen|zonder) (?:tekst|commentaar|opmerking(?:en)?|toelichting)",
  pt: "(?:sem|nenhum) (?:comentários?|texto)",
  pl: "(?:brak|bez) (?:treści|komentarza|tekstu)",
  sv: "(?:ingen|utan|uden|uten) (?:text|kommentar|tekst)",
  ja: "(?:コメント|口コミ|本文)(?:なし|無し|はありません)",
  zh: "(?:无|没有)(?:评论|内容|文字)",
  ko: "(?:내용|댓글|리뷰) ?없음",
  ru: "(?:без|нет) (?:текста|комментари(?:я|ев)|отзыва)",
}).join("|");
/** What exports write in the place of words where a customer gave stars alone; some phrases only in brackets. */
export const NO_WORDS = new RegExp(
  `^\\s*(?:(?:${NO_WORDS_BY_LANGUAGE})\\.?|[([<](?:${NO_WORDS_BY_LANGUAGE}|no comment|empty|blank|null|leer|vide|vacío|vuoto|leeg|vazio|puste)\\.?[)\\]>]|[-–—]+|0)\\s*$`,
  "iu",
);
/** What systems write in the place of a title. */
export const NO_TITLE =
  /^\s*[([]?(?:no (?:title|subject)|untitled|without (?:a )?title|(?:ohne|kein(?:en)?) (?:titel|betreff)|(?:sans|pas de|aucun) titre|sin t[ií]tulo|(?:senza|nessun) titolo|(?:zonder|geen) titel|sem t[ií]tulo|(?:bez|brak) tytułu|utan titel|uten tittel|без (?:названия|заголовка)|無題|无标题|제목 ?없음)[)\]]?\.?\s*$/iu;
/** What programs and forms write in the place of a name. */
export const NO_NAME = /^\s*(?:(?:(?:nan|NaN|None|null|undefined)\s*)+|n\/a|N\/A|[-–—]+)\s*$/;
/** What a template of a table has in the place of a customer's name or words. */
export const EXAMPLE_ROW =
  /^(?:\(?(?:example|sample|template|beispiel|muster|exemple|ejemplo|esempio|voorbeeld)\)?(?:$|\s?[:–—(-]|\s(?:review|row|customer|bewertung|zeile|kunde|name)\b)|(?:write|enter|paste|type|put) (?:the |your |a )?(?:customer['’]?s? )?(?:review|name|text|comment|feedback)\b(?: here)?|(?:your|customer['’]?s?) (?:review|name|comment) (?:goes )?here|delete this row|test(?:\s?test)+$|lorem ipsum|(?:john|jane) (?:doe|sample)$|(?:max|erika) mustermann$|asdf+$|xxx+$)/i;
