/** What pages and content systems in many languages put beside a customer's words, and what is none of them. */

const choice = (lists: Readonly<Record<string, string>>) => Object.values(lists).join("|");

/** Buttons and links that show the rest of a text. */
export const MORE = choice({
  en: "(?:(?:read|see|show|view|load) )?(?:the )?(?:more|(?:full|whole|entire) (?:review|text|comment|story))|(?:continue|keep) reading|read on|expand|show all",
  de: "mehr(?: lesen| anzeigen| erfahren)?|weiter ?lesen|alles (?:lesen|anzeigen)|(?:ganze|vollständige|komplette) (?:bewertung|rezension)(?: lesen| anzeigen)?|ausklappen",
  fr: "(?:voir |afficher |en savoir |lire )?plus|(?:lire |voir )?la suite|suite|voir tout|lire l['’]avis(?: complet)?",
  es: "(?:leer |ver |mostrar |saber )?más|(?:seguir|continuar) leyendo|(?:leer|ver) todo|ver reseña completa",
  it: "altro|(?:leggi|mostra|vedi) (?:di più|tutto|altro)|di più|continua(?: a leggere)?|espandi",
  nl: "(?:lees |toon )?meer(?: lezen| weergeven| tonen)?|lees verder|verder lezen|volledige (?:recensie|beoordeling)",
  pt: "(?:ler |ver |mostrar |saber |leia )?mais|continuar (?:lendo|a ler)|ver tudo",
  ca: "(?:llegir(?:-ne)? |veure(?:'n)? |mostra )?més|llegeix(?:-ne)? més",
  pl: "(?:czytaj |pokaż |zobacz )?więcej|czytaj dalej|rozwiń",
  sv: "(?:läs |visa |se )?mer|(?:læs |vis |se )?mere|(?:les |vis )mer",
  fi: "(?:lue |näytä )?lisää",
  cs: "(?:číst |zobrazit |čítať |zobraziť )?(?:více|viac|dál|celé)",
  hu: "tovább|bővebben|több(?: megjelenítése)?",
  ro: "(?:citește |vezi |afișează )?mai mult",
  tr: "devamını (?:oku|gör)|daha fazla(?:sı| göster| oku)?",
  el: "(?:διαβάστε |δείτε )?περισσότερα",
  ru: "(?:читать |показать )?(?:ещё|еще|полностью|далее|дальше|больше)|подробнее|развернуть|(?:читати|показати) (?:далі|більше|повністю)|більше",
  ar: "(?:قراءة|عرض|اقرأ) المزيد|المزيد",
  he: "(?:קראו?|הצג) עוד|עוד",
  hi: "और (?:पढ़ें|देखें)",
  th: "(?:อ่าน|ดู)?เพิ่มเติม",
  vi: "(?:xem|đọc|hiển thị) thêm",
  id: "(?:baca |lihat )?selengkapnya|lainnya",
  ja: "もっと(?:見る|読む)|続きを(?:読む|見る)|(?:すべて|全て|さらに|全文を?)(?:表示|見る|読む)|続き",
  ko: "더 ?보기|자세히 보기|전체 ?보기",
  zh: "(?:查看|显示|顯示|阅读|閱讀)?(?:更多|全文)|展开(?:全文)?|展開(?:全文)?",
});

/** Those that hide it again, and those for readers of a review: to translate, report or share it. */
export const BESIDE_TEXT = choice({
  en: "(?:(?:read|see|show|view) )?less|collapse|hide|close|translate(?: (?:this |the )?(?:review|text|comment))?(?: (?:in)?to \\p{L}+)?|(?:see|show|view) (?:the )?translation|(?:report|flag|share|like)(?: (?:this )?(?:review|comment))?|helpful\\??|(?:\\d+|one) (?:people|persons?|users?|customers?|guests?|others) (?:found|finds) (?:this|it)(?: review)? (?:helpful|useful)|(?:was|is) this (?:review )?helpful\\??|copy link",
  de: "weniger(?: lesen| anzeigen)?|(?:ein|zu)klappen|schließen|(?:mit google )?übersetzen|(?:(?:diese )?(?:bewertung|rezension) )?(?:ins|auf|in) \\p{L}+ übersetzen|übersetzung anzeigen|melden|teilen|hilfreich\\??|\\d+ (?:personen|kunden|nutzer|gäste|leute) (?:fanden|finden) (?:dies|das|diese (?:bewertung|rezension)) hilfreich|gefällt mir",
  fr: "(?:voir |afficher |lire )?moins|réduire|masquer|fermer|(?:le )?traduire|traduire (?:l['’]avis )?en \\p{L}+|voir la traduction|signaler|partager|utile\\??|\\d+ personnes? (?:ont|a) trouvé (?:cela|ceci|cet avis) utile|j['’]aime",
  es: "(?:leer |ver |mostrar )?menos|ocultar|cerrar|traducir|traducir (?:la )?(?:reseña |opinión )?al? \\p{L}+|ver (?:la )?traducción|denunciar|compartir|útil\\??|a \\d+ personas? les? (?:ha parecido|pareció) útil|me gusta",
  it: "(?:mostra |leggi )?(?:di )?meno|riduci|chiudi|traduci|traduci (?:la recensione )?in \\p{L}+|(?:vedi|mostra) (?:la )?traduzione|segnala|condividi|utile\\??|mi piace",
  nl: "(?:lees |toon )?minder(?: lezen| weergeven| tonen)?|inklappen|sluiten|vertalen?|vertalen naar (?:het )?\\p{L}+|vertaling (?:tonen|bekijken|weergeven)|rapporteren|delen|nuttig\\??",
  pt: "(?:ler |ver |mostrar )?menos|fechar|traduzir|traduzir para (?:o )?\\p{L}+|ver (?:a )?tradução|partilhar|compartilhar|curtir",
  ca: "(?:mostra(?:'n)? |veure(?:'n)? )?menys|tradueix|comparteix",
  pl: "(?:pokaż )?mniej|zwiń|(?:prze)?tłumacz|pokaż tłumaczenie|zgłoś|udostępnij|przydatne\\??",
  sv: "(?:visa |läs |vis |læs |les )?mindre|översätt|oversæt|oversett|(?:visa|vis) (?:översättning|oversættelse|oversettelse)|anmäl|rapporter",
  fi: "näytä vähemmän|käännä|näytä käännös",
  cs: "(?:zobrazit )?méně|sbalit|přeložit|zobrazit překlad|nahlásit",
  hu: "kevesebb|fordítás",
  ro: "mai puțin|tradu|traduceți",
  tr: "daha az(?: göster)?|çevir|çeviriyi gör|bildir|paylaş",
  el: "λιγότερα|μετάφραση",
  ru: "свернуть|скрыть|перевести|показать перевод|пожаловаться|поделиться|полезно\\??|згорнути|перекласти",
  ar: "عرض أقل|أقل|ترجمة|ترجم",
  he: "הצג פחות|פחות|תרגם|תרגום",
  th: "แสดงน้อยลง|แปล(?:ภาษา)?",
  vi: "thu gọn|ẩn bớt|dịch|xem bản dịch",
  id: "lebih sedikit|terjemahkan|lihat terjemahan",
  ja: "閉じる|折りたたむ|表示を減らす|翻訳(?:する|を表示|を見る)?|報告(?:する)?|シェア|参考になった",
  ko: "접기|간략히|번역(?: ?보기)?|신고|공유|도움이 돼요",
  zh: "收起|收合|显示较少|顯示較少|翻译|翻譯|查看翻译|查看翻譯|举报|檢舉|分享|有用",
});

/** Those that show a customer's own words, where the page shows a machine's translation of them. */
export const SHOW_ORIGINAL =
  "(?:see|show|view) (?:the )?original(?: (?:review|text|language))?|original(?:text|bewertung)? (?:anzeigen|ansehen|lesen)|(?:voir|afficher|lire) (?:l['’]|le )?(?:original|texte original)|ver (?:el |o )?(?:texto )?original|(?:mostra|vedi|visualizza) (?:l['’])?originale|origineel (?:bekijken|weergeven|tonen)|(?:pokaż|zobacz) (?:tekst )?oryginał(?:ny)?|(?:visa|vis) original(?:et|en)?|показать оригинал|原文を(?:表示|見る)|(?:查看|显示|顯示)原文|원문 ?보기|orijinali (?:gör|göster)|xem bản gốc";

/** What an element is called that is such a button without being one. */
export const OF_BUTTON =
  /more|less|toggle|expand|collaps|truncat|translat|mehr|weiter|suite|clamp|btn|button|show-|reveal|like|helpful|useful|vote|report|share/i;

/** How pictures and screen readers begin and end a rating: `Rated 4 out of 5`, `5 star rating`. */
export const BEFORE_STARS =
  /^(?:(?:customer |user |overall )?rat(?:ed|ing)|score|bewertet mit|bewertung|sternebewertung|noté|note|valorad[oa](?: con| en)?|valoración|calificación|valutato|valutazione|voto|gewaardeerd|beoordeling|waardering|avaliação|avaliado com|oceniono|ocena|betygsatt|betyg|vurderet|vurdert|vurdering|bedømmelse|arvosana|hodnocení|оценка)\s?:?\s/i;
export const AFTER_STARS = /\s(?:ratings?|reviews?|bewertung|rated|given)$/i;

/** Codes of WordPress and its builders that stand alone, or hold no words. */
export const BARE_CODES = new Set("gallery playlist embed video audio caption wp_caption more nextpage".split(" "));
/** Those whose words are a block of their own. */
export const BLOCK_CODES = /^(?:caption|wp_caption|et_pb_|vc_|fusion_|av_|su_|elementor|section|row|col)/;
