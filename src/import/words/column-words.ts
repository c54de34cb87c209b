/**
 * What the columns of tables and the members of JSON records are called in many languages, by field: tables of candidates,
 * the best ones first. An accent that a file lacks makes no difference.
 */

/** The fields of a review as tables have them. */
export type OwnField =
  | "rating"
  | "date"
  | "instant"
  | "author"
  | "last_name"
  | "title"
  | "text"
  | "reply"
  | "replied"
  | "source"
  | "source_url"
  | "author_avatar_url"
  | "verified"
  | "updated"
  | "id";

/**
 * A field's names in three ranks. `own`: the name says that it is the review's. `plain`: the usual names. `general`: names
 * that a place, product or order also has, which count only where no better one is filled.
 */
export interface Spellings {
  readonly own: readonly string[];
  readonly plain: readonly string[];
  readonly general: readonly string[];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** In the order in which fields choose: a column that one field has taken is no other's. */
export const SPELLINGS: Readonly<Record<OwnField, Spellings>> = {
  rating: {
    own: words(`review_rating review_stars review_score review_star_rating review_rating_value reviewer_rating
      customer_rating customer_rating_or_words kundenbewertung user_rating user_stars customer_stars reviewer_stars guest_rating guest_stars individual_rating note_de_l'avis note_avis sterne_der_bewertung puntuación_de_la_reseña calificación_de_la_reseña
      valutazione_della_recensione voto_della_recensione beoordeling_van_de_klant nota_da_avaliação ocena_opinii comment_rating comment_stars comment_score review_rating_rating_value`),
    plain:
      words(`rating stars star_rating number_of_stars rating_value stars_rating sterne anzahl_sterne sternebewertung
      score_given rating_given stars_given given_rating given_score vergebene_sterne bewertung étoiles etoiles bewertung_in_sternen sternzahl sterneanzahl gesamtbewertung étoile note_globale nombre_étoiles note_sur_5 étoiles_sur_5
      nombre_d'étoiles note_attribuée número_de_estrellas valoración puntaje número_de_estrelas classificação pontuação
      numero_di_stelle punteggio aantal_sterren waardering liczba_gwiazdek antal_stjärnor stjärnor antal_stjerner stjerner
      tähdet hvězdičky yıldız csillagok stele αστέρια  estrellas stelle sterren estrelas gwiazdki beoordeling 評価 評点 星 星の数 星評価
      별점 평점 评分 評分 星级 оценка рейтинг`),
    general: words(
      "score star grade note notation overall overall_rating ratings rate cijfer vurdering bedømmelse hodnocení értékelés nota_general puntuación puntuacion calificación calificacion valutazione voto nota avaliação ocena puan betyg",
    ),
  },
  date: {
    own: words(`review_date date_of_review review_day review_created review_created_date review_creation_date
      action_date original_created_on original_created_at original_date original_created_date review_published review_publish_date review_submitted review_posted review_date_published bewertungsdatum rezensionsdatum bewertet_am datum_review fecha_opinión date_de_l'avis date_avis fecha_de_la_reseña fecha_reseña data_recensione data_della_recensione data_da_avaliação datum_der_bewertung datum_beoordeling beoordelingsdatum data_opinii`),
    plain:
      words(`date day reviewed_on date_reviewed posted_on created_on published_on submitted_on written_on date_published published_date publish_date publication_date posted_date date_posted posted
      submission_date date_submitted submitted_date date_of_submission submitted written published datum erstellt erstellt_am fecha data  abgegeben_am verfasst_am veröffentlicht_am
      eingereicht_am   fecha_de_publicación publicado_el 
       data_di_pubblicazione pubblicato_il   geplaatst_op datum_van_plaatsing ingezonden_op inserito_il
      gepubliceerd_op plaatsingsdatum  data_de_publicação publicado_em  data_dodania
      data_publikacji data_wystawienia dodano publiceringsdatum skapad skapad_den dato oprettet opprettet skrevet_den päivämäärä dátum tarih
      date_de_dépôt publié_le posté_le déposé_le data_recenziei datum_hodnocení vytvořeno ημερομηνία дата_отзыва   date_de_publication 投稿日 投稿日時
      日付 작성일 날짜 日期 評價日期 дата`),
    general: [],
  },
  instant: {
    own: words(`review_datetime_utc review_timestamp review_time review_datetime review_date_iso review_iso_date
      review_created_at review_published_at review_date_time`),
    plain: words(`iso_date date_iso date_iso8601 published_at_date published_date_iso published_at_iso publish_time
      date_gmt date_utc date_created_gmt create_date date_add created created_at create_time created_time date_created creation_time
      creation_date written_at reviewed_at published_at submitted_at posted_at time_created time date_time datetime timestamp
      post_date added_at date_added zeitstempel horodateur marca_temporal informazioni_cronologiche tijdstempel tidstämpel tidsstempel sygnatura_czasowa časové_razítko aikaleima időbélyeg carimbo_de_data/hora отметка_времени タイムスタンプ`),
    general: words("comment_date_gmt comment_date"),
  },
  author: {
    // Public names first: beside one, the whole name is not for publication. An author beside a customer is who kept the
    // list; beside a client, who may be an agency's, the author is the customer.
    own: words(`public_name public_display_name displayed_name name_displayed name_to_display name_shown display_as reviewer_nickname reviewer_nick_name
      author_nickname user_nickname customer_nickname nickname ニックネーム pseudonym pseudo anzeigename öffentlicher_name nom_public nom_affiché nombre_público apodo
      nome_pubblico nome_público schermnaam weergavenaam bijnaam
      reviewer_display_name author_display_name user_display_name consumer_display_name customer_display_name
      review_author review_author_name reviewer_name author_name author_attribution_display_name author_attribution user_name
      consumer_name customer_name reviewer customer author client_name
      client patient_name guest_name member_name visitor_name buyer_name student_name resident_name tenant_name comment_author kunde kundenname verfasser autor auteur autore gast gastname name_des_gastes huésped ospite hóspede paciente paziente cliente kundin name_des_kunden verfasserin rezensent bewertet_von nutzer
      nutzername benutzername nom_client nom_auteur auteur_de_l'avis nombre_cliente nombre_del_autor usuario reseñador
      nome_cliente nome_del_cliente nome_autore recensore utente klant klantnaam naam_klant recensent beoordelaar nome_do_cliente
      avaliador usuário klient autor_opinii imię_i_nazwisko kund kundnamn författare anmelder forfatter kirjoittaja zákazník
      имя_клиента müşteri_adı müşteri 投稿者名 nom_du_client nombre_del_cliente nome_e_cognome cognome_e_nome nombre_y_apellidos nom_et_prénom prénom_et_nom vor_und_nachname
      voornaam_en_achternaam scritto_da geplaatst_door geschreven_door déposé_par écrit_par escrito_por publicado_por verfasst_von geschrieben_von 投稿者
      작성자 评论者 用户 用户名 用户昵称 用戶 昵称 暱稱 顾客 客户 お客様名 автор user_profile_name user_profile_display_name user_username diner_name diner author_title`),
    plain: words(
      "display_name full_name username profile_name user consumer guest reviewed_by posted_by written_by submitted_by by patient member person contact_name",
    ),
    general: words(
      "name nom nombre nome naam namn navn imię nimi jméno név nume isim όνομα ім'я 名前 お名前 이름 имя 姓名",
    ),
  },
  // Chosen only beside a first name, which is the author's then.
  last_name: { own: [], plain: [], general: [] },
  title: {
    own: words("original_title review_title review_headline review_subject reviewtitle post_title"),
    plain:
      words(`headline heading subject summary überschrift ueberschrift betreff titre objet titel título kop onderwerp overskrift rubrik tytuł nagłówek otsikko nadpis cím titlu başlık asunto encabezado assunto
      oggetto titre_de_l'avis titolo_recensione tytuł_opinii ämne emne titulo titolo タイトル 제목 标题 заголовок`),
    general: words("title"),
  },
  text: {
    own: words(`original_text originaltext comment_in_original_language text_in_original_language review_in_original_language original_language_text texte_original texto_original testo_originale originele_tekst original_text_text original_review_text review_original text_original review_text_original review_original_text original_review
      extracted_snippet_original review_text review_body review_content review_comment review_message
      review_description customer_comment customer_rating_or_words kundenbewertung customer_comments customer_feedback customer_review guest_comment guest_comments guest_review public_review public_comment public_feedback post_content original original_comment original_content full_text full_review full_comment full_review_text`),
    plain: words(`text review comment body content feedback comments message snippet text_text comment_text caption_text
      what_they_wrote what_they_said description detail comment_content testimonial opinion verbatim your_review your_feedback your_comments
      rezensionstext kundenmeinung meinung kundenfeedback erfahrungsbericht texte texte_de_l'avis témoignage avis_client
      texto texto_de_la_reseña testimonio mensaje testo testo_recensione testimonianza messaggio giudizio tekst
      beoordelingstekst ervaring bericht depoimento mensagem opinião treść_opinii komentarz recenzja recensionstext
      arvostelu teksti komentář recenze szöveg vélemény recenzie comentariu yorum κριτική σχόλιο комментарий rezension bewertungstext contenu contenuto conteúdo contenido inhalt inhoud obsah innehåll indhold innhold beoordeling valoración vurdering bedømmelse
      kommentar rückmeldung bewertung avis commentaire commentaires reseña resena opinión comentario comentarios comentário comentários recensione
      commento opinione commentaar toelichting freitext omdöme anmeldelse recensie recension opmerking opmerkingen avaliação opinia treść 口コミ クチコミ 口コミ内容 クチコミ内容 レビュー内容 本文 レビュー コメント 리뷰 내용 评论 評論 评价 评论内容 評論內容 评价内容 評價內容 内容 內容 正文 wortlaut отзыв текст
      quote experience story remarks details overall_comment nachricht mitteilung erfahrung beschreibung experiencia descripción esperienza expérience wiadomość descrição 感想`),
    general: [],
  },
  reply: {
    own: words(`original_owner_answer original_owner_reply owner_answer_original owner_reply_text owner_reply owner_reply_comment owner_reply_content owner_reply_message owner_response_comment owner_comment owner_response owner_response_text owner_answer response_from_owner_text
      response_from_owner response_from_the_owner reply_from_owner reply_from_the_owner review_reply_comment review_reply review_reply_text review_response our_reply our_answer
      our_response company_reply company_reply_text company_response business_reply business_reply_text business_response
      merchant_reply antwort_des_inhabers antwort_vom_inhaber réponse_du_propriétaire respuesta_del_propietario risposta_del_proprietario shop_reply store_reply admin_reply reply_comment unsere_antwort antwort_der_geschäftsleitung
      antwort_des_unternehmens antwort_des_eigentümers stellungnahme_des_inhabers antwort_inhaber réponse_de_l'entreprise
      réponse_de_la_direction réponse_propriétaire notre_réponse respuesta_de_la_empresa respuesta_del_dueño
      nuestra_respuesta respuesta_propietario risposta_della_direzione risposta_del_titolare risposta_proprietario
      la_nostra_risposta antwoord_eigenaar reactie_eigenaar reactie_van_de_eigenaar onze_reactie ons_antwoord
      resposta_do_proprietário resposta_da_empresa nossa_resposta odpowiedź_właściciela odpowiedź_firmy nasza_odpowiedź
      svar_från_ägaren vårt_svar svar_fra_ejer svar_fra_ejeren svar_fra_eier svar_fra_eieren vores_svar`),
    plain:
      words(`reply replies replies_comment replies_message responses answers reply_text reply_message response_comment response_message reply_content reply_body response response_text response_body response_content
      response_snippet answer comment_content comment_body antwort réponse reponse respuesta risposta replica contestación antwoord resposta
      işletme_yanıtı 返信内容 odpowiedź svar vastaus odpověď válasz răspuns yanıt απάντηση 返信 답글 回复 回覆 ответ`),
    general: [],
  },
  replied: {
    own: words(`owner_reply_date owner_reply_replied_at owner_reply_updated_at owner_response_date owner_answer_date
      owner_answer_timestamp_datetime_utc owner_answer_timestamp response_from_owner_date review_reply_update_time
      review_reply_date review_reply_created_at company_reply_date business_reply_date merchant_reply_date`),
    plain:
      words(`reply_date replies_date replies_created_at responses_date responses_created_at reply_time reply_created_at reply_updated_at reply_at replied replied_at replied_on
      response_date response_time response_iso_date response_created_at responded_at responded answer_date answered_at
      comment_date comment_created_at antwortdatum antwort_am antwort_vom date_de_réponse fecha_de_respuesta beantwortet datum_der_antwort date_réponse
      date_de_la_réponse fecha_respuesta data_risposta data_della_risposta antwoorddatum datum_reactie datum_antwoord
      reactiedatum data_da_resposta data_resposta data_odpowiedzi svarsdatum svarsdato`),
    general: [],
  },
  source: {
    own: words("source review_source source_type source_name site_name review_origin review_site review_platform"),
    plain: words("platform site quelle plattform plateforme plataforma piattaforma"),
    general:
      words(`portal bewertungsportal provider publisher website directory fuente fonte bron kilde källa źródło herkunft origine origen origem source_platform platform_name posted_where bewertungsplattform site_d'avis
      источник площадка 平台 来源 來源 网站 網站 プラットフォーム 출처 플랫폼 사이트 ソース サイト sito sitio`),
  },
  source_url: {
    own: words(
      "source_url review_url review_link review_permalink permalink permalink_url google_review_url bewertungslink link_zur_bewertung url_avis avis_url avis_lien avis_link lien_de_l'avis enlace_reseña link_recensione link_opinii unique_review_url google_maps_uri",
    ),
    plain: [],
    general: words("url link enlace lien odkaz länk lenke"),
  },
  author_avatar_url: {
    own: words(`author_avatar_url avatar_url avatar author_image author_photo profile_photo_url reviewer_photo_url
      reviewer_profile_photo_url reviewer_avatar user_thumbnail user_image_url author_attribution_photo_uri`),
    plain: [],
    general: [],
  },
  verified: { own: [], plain: ["verified"], general: [] },
  updated: {
    own: words("review_updated review_updated_at review_edited review_edited_at"),
    plain: words(
      "updated updated_at update_time updated_time edited edited_at modified modified_at last_edited_at last_edited last_modified last_updated date_modified date_updated iso_date_of_last_edit",
    ),
    general: [],
  },
  id: { own: words("review_id reviewid"), plain: words("external_id comment_id source_id"), general: ["id"] },
};

/** The two halves of a name, where no column has the whole. */
export const FIRST_NAME =
  /^(?:(?:author|customer|reviewer|client|user|contact)_)?(?:first_?name|given_?name|vorname|prénom|prenom|voornaam|nombre|förnamn|fornavn|imię)$/;
export const LAST_NAME =
  /^(?:(?:author|customer|reviewer|client|user|contact)_)?(?:last_?name|family_?name|surname|nachname|familienname|achternaam|apellidos?|cognome|sobrenome|efternamn|etternavn|nazwisko|nom(?:_de_famille)?|name)$/;

/** What stands before or behind the name of what a customer, and nobody else, has given. */
export const OF_CUSTOMER =
  /^(?:customer|client|guest|patient|visitor|diner|member|kunden|gäste|gast|klant|kund)(?:['’]?s)?_|^(?:avis|recensione|recensie|beoordeling|rese[nñ]a|opini[oó]n|avalia[cç][aã]o|rezension|bewertung|opinii)_/;
export const BY_CUSTOMER =
  /_(?:(?:given_|left_)?(?:by|of|from)_(?:the_|our_|a_)?(?:customer|client|guest|patient|visitor|diner|member)s?|(?:des|der|vom|von|durch)_(?:den_|dem_|die_)?(?:kunden?|kundin|kundschaft|gast|gastes|gästen?|patienten|patientin)|(?:du|de_la|de_l['’]?|des|par_l[ea])_?(?:client|cliente|clients|patient|patiente|hôte)|(?:del|de_la|de|por_el|do|da|dal|della|dell['’]?)_?(?:cliente|clienta|clientes|paciente|paziente|huésped|hóspede|ospite)|van_(?:de_)?(?:klant|klanten|gast)|klienta|klientki|(?:från|fra|av|af)_kunde?n?|(?:(?:der|d[ei]|d[ae]l?la|de_la|da|van_de|de_l['’])_?)?(?:avis|recensione|recensie|beoordeling|rese[nñ]a|opini[oó]n|avalia[cç][aã]o|rezension|bewertung|opinii))$/;

/** What stands before or behind the name of one of several ratings that a customer gave, or an office entered, in turn. */
export const REVISED =
  /^(?:new|old|previous|original|initial|first|second|last|latest|final|current|revised|updated|corrected|changed|edited)_|_(?:new|old|before|after|revised|updated|corrected)$/;

/** Columns of several marks on a review. */
export const OF_MARKS =
  /(?:^|_)(?:flags?|labels?|tags?|marks?|markers?|badges?|etiketten|étiquettes|etiquetas|etichette)(?:_(?:type|name|value|reason))?$/;

/** The halves of a name where only both together, or one beside a sure one, tell that they are of a name. */
export const BARE_FIRST = /^(?:(?:author|customer|reviewer|client|user|contact)_)?first$/;
export const BARE_LAST = /^(?:(?:author|customer|reviewer|client|user|contact)_)?last$/;

/** Columns that say what a rating counts to: `best_rating`, `max_score`, `rating.scale`, `out of`. */
export const SCALE_NAME =
  /^(?:(?:review_)?(?:rating|score|stars)_)?(?:(?:best|max|maximum|highest)_(?:rating|score|stars|points|value|punkte|note|nota)|(?:rating_)?scale(?:_max(?:imum)?)?|(?:bewertungs)?skala|out_of|max(?:imum)?|of)$|^(?:review_)?(?:rating|score|stars)_max$/;
/** The mean of a business's ratings, which is never more than they count to. */
export const MEAN_NAME =
  /^(?:(?:average|avg|mean|overall|total|aggregate)_?(?:rating|score|stars)(?:_value)?|rating_average|durchschnitt(?:sbewertung)?|gesamtnote|gemiddelde_?(?:cijfer|score|beoordeling)|note_moyenne|nota_media|media_voti)$/;
/** The same in a rating's own object: `{ "given": 4, "of": 10 }`. */
export const SCALE_BESIDE =
  /^(?:of|from|out_of|max(?:imum)?|best|highest|top|upper|total|base|basis|possible|denominator|full|scale|range|von|sur|de|su|sobre|van|av|av_max|ud_af)(?:_(?:value|rating|score|stars|points|marks|possible|punkte))?$|^(?:points|score|stars|marks)_(?:possible|max|total)$/;
/** What stands beside a rating alone in its object and is a number, but not what the rating counts to. */
export const NO_SCALE =
  /count|number|votes?|reviews?|likes?|helpful|index|rank|position|weight|version|level|age|price|cost|amount|discount|nights?|guests?|photos?|duration|size|limit|anzahl|stimmen|(?:^|_)(?:n|id|key|year|month|day|hour|minute)(?:_|$)/;

/** The scale at the end of a header: `(1-10)`, `/10`, `out of 100`, `(max. 10 Punkte)`, `(из 10)`. */
export const SCALE_AT_END =
  /(?:\b[01]\s?(?:-|–|\.\.|…|to|bis|à|a|tot)\s?|[([]\s?(?=100?\s?[)\]])|\/\s?|(?<!\p{L})(?:out of|of|von|sur|m[aá]x(?:im\p{L}{1,4})?\.?|de|su|sobre|auf|van|av|ud af|op|из|з|из макс\.?|макс\.?)\s)(\d{1,3})\s?(?:stars?|sterne|punkte?n?|points?|pts\.?|pkt\.?|puntos|punti|punten|pontos|poäng|point|баллов)?\s?[)\]]?\s*$/iu;
/** The scale in a question: `Sur une échelle de 0 à 10, …` */
export const SCALE_WITHIN =
  /(?:[ée]chelle|\bscale|skala|escala|\bscala|schaal|skali)[^.?!]{0,20}?\b[01]\s?(?:-|–|to|bis|à|a|al|até|tot|do)\s?(100?)(?!\d)/iu;
/** What a line above a table is about if it says what the ratings below it count to. */
export const OF_SCALE =
  /(?<!\p{L})(?:ratings?|stars?|scores?|scale|points?|marks?|bewertung(?:en)?|sterne|skala|punkte?|noten?|notes?|[ée]chelle|[ée]valuations?|puntuaci[oó]n|valoraci[oó]n|calificaci[oó]n|escala|puntos|voti|voto|valutazion[ei]|scala|punteggio|beoordeling(?:en)?|cijfers?|schaal|punten|ocen[ay]|betyg|karakter)(?!\p{L})/iu;
/** What such a line counts otherwise: the pages and parts of a list. */
export const OF_PARTS =
  /(?<!\p{L})(?:pages?|parts?|sheets?|files?|weeks?|rows?|seiten?|teil|blatt|p[áa]ginas?|pagin[ae]|blad)(?!\p{L})/iu;
/** `10点満点`, `10分满分`, `10점 만점`. */
export const FULL_MARKS = /(\d{1,3})\s?[点點分점]?\s?(?:満点|满分|滿分|만점)/u;
/** `10 = best`, `0 worst, 10 best`. */
export const BEST_MARK =
  /(?<!\d)(6|7|10|20|100)\s?(?:=|:|–|-|is|ist|est|es)?\s?(?:the\s)?(?:best|highest|top|excellent|outstanding|perfect|very (?:good|satisfied|happy|likely)|sehr (?:gut|zufrieden)|am besten|ausgezeichnet|hervorragend|excelente|muy (?:bueno|bien|satisfecho)|très (?:bien|bon|satisfait)|ottimo|uitstekend|zeer goed)/iu;

/** Words in brackets behind a header that say how the column is filled or whose it is, so that it is called the same. */
export const ASIDE =
  /^(?:(?!ai$)[a-z]{1,2}|stars?|sterne?n?|etoiles?|estrellas|stelle|sterren|gwiazdki|points?|punkte?|max|min|out|bis|from|best|worst|scale|skala|five|ten|lowest|highest|low|high|poor|excellent|good|bad|very|the|and|und|required|optional|mandatory|pflicht\w*|erforderlich|freiwillig|obligatoire|facultatif|optionnel|requis|obligatorio|opcional|obbligatorio|facoltativo|verplicht|optioneel|wymagane|opcjonalne|innen|utc|gmt|[a-z]{1,2}st|[ecmp]dt|cest|time|zone|timezone|local|yyyy|yy|jjjj|aaaa|original|translated|translation|english|german|deutsch|french|spanish|text|words|html|plain|full|first|last|name|any|shown|displayed|public|published|publicly|customers?|clients?|guests?|patients?|users?|reviewers?|kunden?|clients?|google|yelp|facebook|trustpilot|tripadvisor|owner|ours|us|created|posted|written|submitted|reviewed|review|overall|total|gesamt|copy|free|only|tooltip|hover|exact|absolute|iso|date|datetime)$/;

/** What a header says of a scale on which 1 is the best: `Rating (1 = excellent; 5 = poor)`, `Note (1 = sehr gut)`. */
export const BEST_IS_ONE =
  /(?<!\d)1\s?(?:=|:|–|-|is|ist|\()\s?(?:the\s)?(?:best|top|highest|excellent|outstanding|very (?:good|satisfied|happy)|great|perfect|beste?|sehr (?:gut|zufrieden)|hervorragend|ausgezeichnet|très (?:bien|bon|satisfait)|excelente|muy (?:bueno|bien|satisfecho)|ottimo|uitstekend|zeer goed|bardzo dobr)|(?<!\d)5\s?(?:=|:|–|-|is|ist|\()\s?(?:the\s)?(?:worst|lowest|poor|very (?:poor|bad|dissatisfied|unhappy)|bad|terrible|awful|mangelhaft|schlecht|sehr schlecht|mauvais|très mauvais|malo|muy malo|pessimo|slecht|zeer slecht)/i;
