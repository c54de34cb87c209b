/** How pages, systems and people in many languages mark a business's reply to a review. */
import { beginnings } from "./word-list.ts";

/** Who answers, with what stands before: `reply from the owner`. Each part is a choice of words. */
const label = (reply: string, of: string, who: string) => `(?:${reply}) (?:${of}) ?(?:${who})`;

/** The labels that pages and people write above a reply. */
export const REPLY_LABELS = Object.values({
  en: `${label("response|reply|comment|answer|feedback", "from|by|of", "(?:(?:the|our|your) )?(?:business )?(?:owners?|management|manager|business|host|hotel|property|restaurant|company|team|staff|seller|store|shop|practice|clinic|salon|dealer(?:ship)?|venue|provider|host)")}|(?:the )?(?:business )?(?:owner|manager|management|host|hotel|company|business|property|seller)(?:['’]s)? (?:response|reply|answer|replied|responded|answered)|our (?:response|reply|answer)`,
  de: `${label("antwort|kommentar|stellungnahme|rückmeldung|reaktion", "vom|von|von der|von unserem|des|der|durch den", "inhabers?|inhaberin|eigentümers?|eigentümerin|geschäftsleitung|geschäftsführung|geschäftsführers?|unternehmens?|betreibers?|betreiberin|betriebs|hotels?|restaurants?|praxis|praxisteams?|teams?|firma|managements?|hoteliers?|gastgebers?|anbieters?|verkäufers?|studios?|werkstatt|händlers?")}|(?:die )?unsere (?:antwort|stellungnahme)|(?:der )?inhaber (?:antwortete|hat geantwortet)`,
  fr: `${label("réponse|commentaire|retour", "du|de la|de l['’]|de notre", "propriétaire|direction|entreprise|établissement|gérante?|hôtel|restaurant|équipe|société|responsable|professionnel|vendeur|commerçant|magasin|hôte")}|(?:le propriétaire|la direction) a répondu|notre réponse`,
  es: `${label("respuesta|comentario|contestación", "del|de la|de", "propietari[oa]|dueño|dueña|empresa|dirección|gerencia|gerente|hotel|restaurante|establecimiento|equipo|negocio|vendedor|anfitrión|tienda|local|responsable")}|nuestra respuesta`,
  it: `${label("risposta|commento|replica", "del|della|dell['’]|di|dallo", "proprietari[oa]|direzione|titolare|gestore|struttura|hotel|ristorante|azienda|team|staff|negozio|venditore|host|locale")}|(?:la )?nostra risposta`,
  nl: `${label("reactie|antwoord", "van|door|van de|van het|van ons|door de", "eigenaar|eigenaresse|directie|bedrijf|beheerder|hotel|restaurant|manager|team|verkoper|winkel|praktijk|ondernemer")}|(?:onze reactie|ons antwoord)`,
  pt: `${label("resposta|comentário", "d[oae]", "proprietári[oa]|empresa|don[oa]|gerência|gerente|direção|hotel|restaurante|estabelecimento|equip[ea]|vendedor|loja|anfitrião|responsável")}|(?:a )?nossa resposta`,
  ca: "resposta (?:del propietari|de l['’]empresa)",
  pl: `(?:odpowiedź|komentarz) (?:od )?(?:właściciela|właścicielki|firmy|obiektu|hotelu|restauracji|kierownictwa|zespołu|sklepu|sprzedawcy|gospodarza)|nasza odpowiedź`,
  sv: label(
    "svar|kommentar",
    "från|av",
    "ägaren?|företaget|hotellet|ledningen|restaurangen|verksamheten|säljaren|butiken|värden",
  ),
  da: label(
    "svar|kommentar",
    "fra|af|av",
    "ejeren?|eieren?|virksomheden|bedriften|hotellet|ledelsen|restauranten|sælgeren|butikken|værten|verten",
  ),
  fi: "(?:omistajan|yrityksen|hotellin) vastaus",
  cs: "odpověď (?:od )?(?:majitele|vlastníka|firmy|hotelu|provozovatele)",
  hu: "a (?:tulajdonos|cég|szálloda) válasza",
  ro: "răspunsul (?:proprietarului|firmei|hotelului)",
  tr: "(?:işletme sahibinin|işletmenin|otelin) (?:yanıtı|cevabı)",
  ru: "ответ (?:от )?(?:владельца|компании|организации|отеля|ресторана)",
  el: "απάντηση (?:από τον |του )?ιδιοκτήτη",
  ja: "オーナーからの返信|店舗からの返信|お店からの返信|施設からの返信",
  ko: "사장님 ?(?:답글|댓글)|업체 ?답변",
  zh: "(?:商家|业主|業主|店家)(?:回复|回覆)",
  any: "[^\\n:()]{1,60} \\((?:(?:business )?owner|inhaber(?:in)?|eigentümer(?:in)?|propriétaire|propietari[oa]|proprietari[oa]|proprietári[oa]|titolare|eigenaar|właściciel|ägare|ejer|eier|владелец)\\)",
}).join("|");

/** A label that names who answers, who may be the business: `Reply from Acme Plumbing:`. The name follows. */
export const NAMED_REPLY =
  /(?:^|\n)[ \t]*(?:On [^\n]{6,90} wrote:|Am [^\n]{6,90} schrieb[^\n]{0,60}:|Le [^\n]{6,90} a écrit ?:)\s*?\n|(?:^|\n)[ \t]*(?:(?:response|reply|answer) (?:from|by)|(?:antwort|rückmeldung|stellungnahme) (?:von|vom)|réponse (?:de|d['’]|du)|respuesta (?:de|del)|risposta (?:di|da|dal)|(?:reactie|antwoord) van|resposta d[aeo]|odpowiedź od|svar (?:från|fra)|răspuns de la|ответ от) ?([^\n:：]{2,60}?)[ \t]*(?:[:：]|\r?\n)/iu;

/** What a column of replies is called, by its words. */
export const OF_REPLIES =
  /^owner_(?:timestamp|date|time$)|repl(?:y|ie)|respon|answer|antwort|stellungnahme|erwiderung|répon|reponse|respuesta|contestaci|risposta|replica|antwoord|reactie|resposta|odpow|svar|vastaus|yanıt|cevap|ответ|відповід|απάντηση|odpověď|válasz|răspuns|返信|返答|답글|답변|回[复覆應应]/;
/** Words that a customer's comment may have too, where nobody is named. */
export const OF_COMMENTS = /comment|kommentar|coment|commento|nachricht|mensaje|komentarz|opmerking|коммент/;
export const OF_OWNER =
  /owner|inhaber|eigent[üu]mer|betreiber|geschäftsführ|propriét|propriet|propiet|dueñ|gérant|titolare|gestore|eigenaar|właściciel|wlasciciel|ägare|ejer|eier|omistaj|majitel|tulajdon|proprietar|владел|власник|オーナー|사장/;
/** Who answers for a business, in the words of a trade. */
export const OF_BUSINESS =
  /manag|dire[ck]tion|compan|business|merchant|vendor|seller|host|staff|team|shop|store|hotel|propert|restaurant|clinic|practice|dealer|salon|provider|public|official|(?:^|_)(?:our|we|us|unsere|notre|nuestra|nostra|nossa|ons|onze|nasza|vårt|vores)(?:_|$)|unternehmen|firma|betrieb|praxis|händler|établissement|entreprise|équipe|société|vendeur|struttura|azienda|negozio|venditore|empresa|negocio|gerencia|gerente|tienda|loja|equipe|bedrijf|winkel|verkoper|ondernemer|firmy|sklep|företag|virksomhed|butik|店舗|店家|商家|업체/;
/** What a business or a customer may give. */
export const OF_EITHER =
  /^(?:responses?|answers?|antwort|réponse|reponse|respuesta|risposta|antwoord|resposta|odpowiedź|svar|vastaus|ответ)$/;
/** Replies that nobody has sent. */
export const OF_NOBODY =
  /intern|privat|draft|entwurf|vorlage|vorschlag|brouillon|borrador|bozza|concept|rascunho|szkic|utkast|kladde|suggest|proposed|template|generated|unsent|черновик/i;
/** Names of people, of words by customers, and of questions to them. */
export const OF_OTHERS =
  /name|_id$|author|responder|customer|client|kunde|guest|survey|(?:^|_)(?:ai|how|what|why|did|do|does|would|was|were|is|are|wie|warum|time|speed|rate)(?:_|$)/;

/** Who did not reply for the business. */
export const CUSTOMER =
  /(?:^|[([])\s*(?:customer|reviewer|user|guest|consumer|client|author|visitor|member|buyer|kunde|kundin|gast|cliente?|klant|acheteur|comprador|ospite|hóspede|huésped|kund|kunden|klient)\s*(?:[)\]]\s*)?$/i;
/** What stands where there is no reply. */
export const NO_REPLY =
  /^\s*[([]?(?:[-–—]+|n\/a|none|nothing|no (?:owner )?(?:reply|response|answer)(?: yet)?|(?:not|un)(?: ?yet)? ?(?:replied|answered)(?: yet)?|(?:awaiting|pending) (?:reply|response)|keine(?: antwort)?(?: vorhanden)?|(?:noch )?(?:keine antwort|nicht beantwortet|unbeantwortet)|(?:pas (?:encore )?de|aucune|sans) réponse|sin (?:respuesta|contestar)|(?:nessuna|senza) risposta|(?:geen|nog geen) (?:reactie|antwoord)|(?:sem|nenhuma) resposta|(?:brak|bez) odpowiedzi|(?:inget|intet|ikke noe) svar|нет ответа|返信なし|답글 없음|未回复)[)\]]?\.?\s*$/i;

/** The words of an office that notes whether and how it has answered: `Email sent`, `Replied by phone`, `Erledigt am 3.1.` */
export const OFFICE_WORD = beginnings({
  en: `repl(?:y|ied)$ respon(?:d|ded|se)$ answer(?:ed)?$ e?_?mail(?:ed|s)?$ phoned?$ call(?:ed)?$ rang$ text(?:ed)?$ messaged?$ contact(?:ed)?$
    thanked$ apologi[sz]ed$ acknowledged$ actioned$ escalated$ followed$ forwarded$ handled$ resolved$ closed$ completed?$ done$ finished$
    sent$ posted$ published$ draft(?:ed)?$ dealt$ refunded$ logged$ assigned$ pending$ waiting$ awaiting$ open$ todo$ outstanding$ overdue$
    needed$ required$ necessary$ skipped$ ignored$ auto(?:mated|matic|matically)?$ template$ standard$ letter$ card$ dm$ sms$ voicemail$
    google$ facebook$ yelp$ trustpilot$ customer$ client$ guest$ patient$ manager$ owner$ staff$ team$ office$ person$ private(?:ly)?$
    public(?:ly)?$ offline$ online$ directly$ via$ by$ on$ in$ to$ with$ at$ the$ an?$ no$ not$ none$ yet$ yes$ ok$ okay$ action$ up$ back$
    again$ already$ and$ twice$ do$ be$ is$ was$ has$ been$ x$ y$ n$ na$ tbd$ tbc$ wip$ progress$ approved$ rejected$ left$ issued$ refund$ see$ \\dx$ once$ voice$ mailbox$ machine$ message$ needs?$ for$ her$ him$ them$ voucher$ coupon$ crm$ ticket$ case$ ditto$ too$ old$ later$ check(?:ed)?$ chased?$`,
  de: `beantwortet$ geantwortet$ antwort(?:en)?$ erledigt$ gesendet$ verschickt$ versendet$ geschickt$ angerufen$ telefoniert$ kontaktiert$
    entschuldigt$ offen$ ausstehend$ wartet$ wartend$ notig$ erforderlich$ notwendig$ geklart$ gelost$ weitergeleitet$ fertig$ gelesen$
    bearbeitung$ arbeit$ in$ abgeschlossen$ keine?$ per$ am$ vom$ von$ durch$ an$ kunden?$ kundin$ telefon(?:isch)?$ brief$ personlich$ schriftlich$
    privat$ noch$ nicht$ schon$ bereits$ ist$ wurde$ ja$ nein$ siehe$ erl$ bearb$ beantw$ tel$ mail$ e_?mail$ wird$ werden$ muss$ soll$ geloscht$ gutschein$ geschickt$ chef$ dito$ s$ spater$ ruckruf$ anrufbeantworter$ mailbox$`,
  fr: `repondu$ reponse$ envoyee?s?$ faite?$ faire$ appelee?$ contactee?$ traitee?$ resolue?$ attente$ necessaire$ cours$ courriel$ par$ au$ le$
    la$ telephone$ en$ pas$ de$ du$ aucune?$ deja$ non$ oui$ e$`,
  es: `respondid[oa]$ contestad[oa]$ enviad[oa]$ hech[oa]$ llamad[oa]$ contactad[oa]$ resuelt[oa]$ pendiente$ necesari[oa]$ cerrad[oa]$ correo$
    respuesta$ por$ el$ al$ cliente$ telefono$ sin$ ya$ si$`,
  it: "rispost[oa]$ inviat[oa]$ fatt[oa]$ chiamat[oa]$ contattat[oa]$ risolt[oa]$ attesa$ necessari[oa]$ nessuna$ gia$",
  nl: `beantwoord$ gereageerd$ verstuurd$ verzonden$ gestuurd$ gedaan$ gebeld$ gemaild$ afgehandeld$ afgerond$ nodig$ klant$ antwoord$
    reactie$ geen$ niet$ naar$ op$ nee$`,
  pt: "feit[oa]$ ligad[oa]$ resolvid[oa]$ pendente$ concluid[oa]$ resposta$ telefone$ sem$ sim$ nao$",
  pl: "odpowiedzian[oy]$ odpisan[oy]$ wyslan[oya]$ zrobione$ zalatwion[ea]$ zakonczone$ oczekuje$ odpowiedz$ mailem$ klient(?:a|em)?$ nie$ trzeba$ brak$",
  sv: `svarat?$ besvara[dt]$ skicka[dt]$ ringt$ klart?$ vantar$ behovs$ kund(?:en)?$ inget$ ej$ inte$ pa$ besvaret$ sendt$ svaret$ ringet$
    faerdig$ ferdig$ afventer$ venter$ ikke$ intet$`,
});
/** What greets, thanks or asks pardon in one word or two, as names do not. */
export const ADDRESSING =
  /hello|^hi$|hallo|bonjour|hola|^ciao|hej|than[kx]|^thx|^ty$|danke|dank|merci|gracias|grazie|bedankt|obrigad|dzięk|\btac?k|kiitos|cheers|welcome|pleasure|glad|great|love|sorry|entschuldig|désolé|pardon|perdón|scus|спасибо|ευχαριστ|teşekkür|děkuj|köszön|mulțum|hvala/i;
