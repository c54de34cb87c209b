/** What places of a business are called in many languages: in columns, objects and lists of reviews. */

/** The words of members and columns that tell a place, in front of `_id` or `_name`. */
export const PLACE =
  "place|business|biz|business_unit|location|store|branch|shop|outlet|venue|hotel|restaurant|clinic|practice|salon|dealer|property|listing|filiale|standort|franchise|studio|office|unit|depot|theatre|gym|pharmacy|hospital|campus|centre|center|garage|showroom|niederlassung|zweigstelle|praxis|betriebsstätte|agence|magasin|établissement|etablissement|boutique|point_de_vente|succursale|tienda|sucursal|oficina|negozio|sede|punto_vendita|filiaal|vestiging|winkel|loja|unidade|filial|oddział|placówka|sklep|butik|kontor|afdeling|avdeling|avdelning";
/** Columns with a place's number or code. */
export const PLACE_NUMBER =
  "(?:location|store|branch|shop|outlet|unit|depot|filiale|filial|standort|magasin|agence|tienda|sucursal|negozio|sede|winkel|vestiging|filiaal|loja|oddział|sklep|butik)_(?:code|number|no|nr|num|numéro|número|numero|nummer|#|№|n°|nº)";
/** Columns that name the place by themselves. */
export const PLACE_COLUMN =
  "business|store|branch|branch_office|outlet|restaurant|hotel|clinic|salon|studio|showroom|depot|garage|praxis|kanzlei|werkstatt|niederlassung|zweigstelle|betriebsstätte|geschäftsstelle|(?:gmb|gbp|google)_location|(?:filiale|filial)e?|standort|filiaal|vestiging|locatie|magasin|agence|boutique|établissement|etablissement|point_de_vente|succursale|tienda|sucursal|establecimiento|negozio|punto_vendita|sede|oddział|placówka|филиал|dealership|unidade|loja|listing|butik|avdeling|afdeling|avdelning|winkel|sklep|şube|pobočka|üzlet|toimipiste|магазин|отделение|店舗名?|支店名?|店名|分店|门店|門店|지점명?|매장명?";
/** Those that tell one branch of a business from another, beside its name. */
export const BRANCH =
  "branch|branch_office|store|outlet|(?:gmb|gbp|google)_location|location|niederlassung|zweigstelle|geschäftsstelle|(?:filiale|filial)e?|standort|filiaal|vestiging|magasin|agence|boutique|point_de_vente|succursale|tienda|sucursal|negozio|punto_vendita|sede|oddział|placówka|filialen|butik|avdeling|afdeling|avdelning|winkel|sklep|loja|unidade";
/** Those whose address is the business's. That of a property or location may be its customer's. */
export const OF_BUSINESS =
  /^(?:place|business|biz|business_unit|store|branch|shop|outlet|hotel|restaurant|clinic|practice|salon|dealer|franchise|filiale|standort)$/;
/** Lists whose entries are places, whatever their members. */
export const PLACE_LIST =
  "(?:places|locations|branches|stores|businesses|shops|outlets|venues|hotels|restaurants|clinics|practices|salons|studios|offices|units|depots|dealers|dealerships|filialen|standorte|niederlassungen|geschäfte|praxen|properties|listings|agences|magasins|établissements|boutiques|tiendas|sucursales|locales|negozi|sedi|filialer|vestigingen|filialen|winkels|lojas|unidades|filiais|oddziały|sklepy|butiker|afdelinger)";
/** Towns and regions: those of the business, or of its customers. */
export const TOWN =
  "city|town|stadt|ort|ville|ciudad|citt\u00e0|cidade|plaats|miasto|stad|kaupunki|region|area|gemeinde|commune|localidad|comune|gemeente|localidade|miejscowość|kommune|ort_filiale";
/** Addresses of a place's own page: several of them are several places. */
export const OWN_ADDRESS =
  /^(?:place|business|biz|listing|location|store|branch|shop|outlet|venue|hotel|restaurant|clinic|salon|property|standort|filial)_?(?:page_?)?(?:url|link|href|uri)$/;
/** Those and others that may be of the place's page at a site with reviews. */
export const PLACE_ADDRESS =
  /^(?:page|place|business|biz|listing|location|store|branch|shop|outlet|venue|hotel|restaurant|clinic|salon|property|maps?|google_maps?|gmb|gbp|input|source_page|seite|seiten|standort|filial)_?(?:page_?)?(?:url|link|href|uri|address_url|adresse_url)$|^(?:google_)?maps?$|^page$/;

/** Words of lists that tell no place. */
export const OF_ANY_LIST = new Set(
  `reviews review ratings rating feedback testimonials testimonial comments comment data items item results result records
  record list lists payload body content contents documents docs hits objects object nodes node edges edge values value
  posts entities array collection dataset model models feed report reports success orders products services bookings
  appointments visits stays jobs rows entries entry all other others more new newest old oldest recent latest featured top best worst
  positive negative neutral good bad mixed critical praise complaints complaint compliments customers customer guests guest
  users user clients client verified unverified replied answered unanswered responded open closed high low happy unhappy
  star stars one two three four five page pages batch part parts chunk archive current previous this last first second year
  month week day today text texts photo photos with without words quotes stories opinions opinion survey surveys response
  responses local external imported manual own party web online site website email sms app raw export import sheet table
  main default misc total summary highlights monday tuesday wednesday thursday friday saturday sunday english german french
  spanish italian dutch polish from for and the our your download downloads copy final backup sample example template
  bewertungen rezensionen kundenstimmen kundenbewertungen positiv neu alt aktuell alle andere referenzen gästestimmen
  sterne tabelle blatt seite deutsch englisch kommentare meinungen kunden gäste kundenliste liste
  avis commentaires positifs négatifs tous étoiles feuil feuille témoignages clients
  reseñas opiniones positivas negativas todas estrellas hoja valoraciones comentarios clientes testimonios
  recensioni positive tutte foglio commenti clienti testimonianze recensies beoordelingen blad klanten ervaringen
  avaliações planilha folha depoimentos opinie recenzje arkusz klienci recensioner omdömen kunder
  anmeldelser ark arvostelut taulukko yorumlar değerlendirmeler sayfa recenze hodnocení vélemények értékelések munka recenzii
  отзывы відгуки лист κριτικές 口コミ クチコミ レビュー シート 리뷰 시트 评论 評論`.split(/\s+/),
);
