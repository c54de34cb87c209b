/** How services and pages in many languages label a translation, and the original. */

export const GOOGLE = "googl|گوگل|গুগল|гугл|グーグル|谷歌|구글|गूगल|جوجل|גוגל";

/** Beginnings of "translated" and "translation" in many languages. */
export const TRANSLATED =
  /transl|überset|tradu|tradot|vertaal|vertal|tłumacz|перев|перекл|превод|преведе|превео|prevo|preveo|prevedel|翻訳|翻譯|翻译|번역|ترجم|অনূদ|অনুব|अनुव|अनूद|แปล|dịch|çevir|çevri|μετ[άα]φρ|תרג|תורג|övers|overs|käänt|käännö|přel|prel|fordít|terjemah|isinalin|tulko|itzul|þýtt|cyfieith|aistri|përkth|tərcüm|vert|tõlg|tõlk|išver|თარგმ/i;
/** "Original" in many languages. */
export const ORIGINAL =
  /orig|orygin|оригин|원문|原|الأص|اصل|মূল|मूल|ต้นฉบับ|gốc|מקור|πρωτότ|eredeti|asli|alkup|ursprung|jatorr|upprun|gwreidd|burim|pôvod|původ|pŭrvo|izvorni|izvirni|извор|ორიგინ|algtekst/i;

/** Words of remarks in brackets, in the languages whose labels are known. */
export const REMARK =
  /(?<!\p{L})(?:\d+\p{L}*|i (?:found|saw|read|came|went)|we|my|us|our|you|the|this|that|them|they|from|on|in|at|via|with|also|see|too|not|found|brought|search(?:ed)?|posted|copied|maps?|reviews?|reviewed|rating|stars|ps|p\.s|pps|nb|n\.b|update|updated|edit|edited|really|seriously|note|sic|ich|wir|mich|auf|bei|über|gefunden|gesucht|auch|bewertung(?:en)?|nachtrag|ergänzung|nous|sur|trouvé|aussi|cherché|avis|encontré|también|reseñas?|trovato|anche|recension[ei]|gevonden|via|ook|não|encontrei|também)(?!\p{L})|^[(（[]\s*google\s*[)）\]]$/iu;

/** What other services and pages write beside a translation. */
export const MACHINE =
  /(?:machine|auto(?:matically)?)[ -]translat|^\[?(?:maschinelle übersetzung|google-übersetzung)\b|automatisch aus dem \p{L}{3,20} übersetzt|^here is the translation:|^\(translated\)|^\[:[a-z]{2}\]|\btranslated with deepl|\b(?:von|mit) (?:google|deepl)(?:\.com)? übersetzt|\btranslated by [\w.]{2,30}$|\bgoogle translation$|\b(?:show|see) original \([^()]{2,30}\)$|\boriginal ansehen\b|\btranslated automatically\b|automatisch (?:übersetzt|vertaald)|maschinell übersetzt|traduit automatiquement|traduction automatique|traducción automática|traducido automáticamente|traduzione automatica|tradotto automaticamente|tradução automática|traduzido automaticamente|automatische vertaling|tłumaczenie automatyczne|przetłumaczono automatycznie|maskinöversatt|maskinoversat|^(?:see|show|view) (?:translation|original)\b|\b(?:see|show|view) (?:translation|original)$|original anzeigen$|voir l['’]original$|\brate this translation\b|[[(](?:translated from|übersetzt aus|traduit d[eu]|traducido del?|tradotto da|vertaald uit|traduzido d[eo]|przetłumaczono z|översatt från|oversat fra)(?![\p{L}])[^()[\]\n]{0,30}[)\]]|\(translated\)$|[[(](?:translated (?:by|with)|übersetzt (?:von|mit)|traduit (?:par|avec)|traducido (?:por|con)|tradotto (?:da|con)|vertaald (?:door|met)|traduzido (?:por|com)) [^()[\]\n]{1,30}[)\]]|[-–—] ?(?:google translate|deepl)$|^translated (?:by|with|from)\b|^übersetzt (?:von|mit|aus)\b|^traduit (?:par|avec|de l)|^traducido (?:por|con|del)\b|^tradotto (?:da|con)\b|^vertaald (?:door|met|uit)\b|^traduzido (?:por|com|do)\b|^przetłumaczono (?:przez|z)\b|^översatt (?:av|från)\b|^oversat (?:af|fra)\b|^(?:original anzeigen|originaltext anzeigen|afficher l['’]original|ver original|ver texto original|mostra originale|vedi originale|origineel (?:bekijken|weergeven)|pokaż oryginał|visa original|vis original)$/imu;

/** Columns that say that the words are a translation. */
export const OF_TRANSLATION =
  /^(?:(?:review|text|comment|content|body)_)?(?:is_|was_|has_been_|machine_|auto_|google_)*translated(?:_by(?:_google|_machine)?)?$|^(?:is_)?(?:machine_|auto_|google_)?translation$|^(?:ist_)?übersetzt$|^(?:est_)?traduit$|^(?:es_)?traducid[oa]$|^tradott[oa]$|^(?:is_)?vertaald$|^traduzid[oa]$|^przetłumaczon[ayoe]$|^översatt$|^oversat$/;
