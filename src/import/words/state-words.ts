/** How systems in many languages say that they show a review or hide it: the names of columns, and their values. */
import { beginnings, wordSet } from "./word-list.ts";

/** Whole names of columns in which a true value shows the review. */
export const SHOWING_COLUMNS = wordSet({
  en: `approved published visible public active enabled live show display displayed shown accepted curated on_site on_website
    moderated latest latest_version current_version cleared released vetted checked signed_off go_live shareable ok_to_publish ok_to_use publishable listed validate genuine legit`,
  de: "freigegeben freigeschaltet veröffentlicht sichtbar öffentlich aktiv aktiviert geprüft genehmigt zugelassen online verwenden nutzung_erlaubt verwendung_erlaubt echt",
  fr: "publié publie approuvé approuve validé valide visible affiché en_ligne actif public autorisé",
  es: "publicado publicada aprobado aprobada visible activo mostrado validado autorizado público",
  it: "pubblicato approvato visibile attivo mostrato autorizzato pubblico validato",
  nl: "goedgekeurd gepubliceerd zichtbaar actief openbaar geplaatst getoond gecontroleerd",
  pt: "aprovado aprovada publicado publicada visível ativo exibido autorizado público",
  pl: "opublikowana opublikowany opublikowane zatwierdzona zatwierdzony zatwierdzone widoczna widoczny publiczna publiczny",
  sv: "publicerad godkänd synlig offentlig aktiv visas",
  da: "offentliggjort publiceret godkendt synlig offentlig aktiv vises",
  nb: "publisert godkjent synlig offentlig aktiv",
  other:
    "公開 承認 опубликован опубликовано одобрен видимый 公开 已审核 승인 공개 hiển_thị công_khai đã_duyệt xuất_bản đã_xuất_bản",
});

/** Whole names of columns in which a true value, or a day, hides it. */
export const HIDING_COLUMNS = wordSet({
  en: `hidden keep_private stay_private between_us stay_between_us spam deleted deleted_at trashed trashed_at trash archived archived_at rejected private unpublished draft pending
    blocked removed removed_at hidden_at suppressed disabled fake test test_data internal suspicious suspected flagged flag
    reported quarantined junk dismissed banned censored excluded ignored ignore filtered invalid fraudulent disputed dispute
    under_dispute in_dispute takedown taken_down in_review under_review not_recommended withheld retracted revoked suspended
    blacklisted withdrawn duplicate confidential off_topic offtopic irrelevant inappropriate abusive declined unapproved
    unlisted snoozed on_hold held embargoed blocklisted private_feedback private_comment private_note private_message private_review do_not_publish do_not_show do_not_use not_for_publication voided
    cancelled_review incentivized_hidden soft_deleted is_bot bot erased erased_at erasure erasure_requested erasure_request
    forgotten muted test_entry test_review test_record right_to_be_forgotten opt_out opted_out opt_out_at opted_out_at optout withdrawal`,
  de: `löschdatum gelöscht gelöscht_am ausblenden versteckt verdächtig gemeldet gefälscht vertraulich ausgeblendet gesperrt verborgen abgelehnt
    entwurf archiviert nicht_veröffentlichen intern zurückgezogen themenfremd unangemessen beanstandet papierkorb dublette nur_intern nur_für_intern`,
  fr: `masqué masque supprimé signalé suspect faux confidentiel caché rejeté refusé brouillon archivé retiré hors_sujet indésirable
    corbeille ne_pas_publier doublon bloqué`,
  es: `oculto oculta eliminado eliminada borrado rechazado rechazada sospechoso denunciado falso confidencial borrador archivado
    bloqueado no_publicar fuera_de_tema privado papelera duplicado retirado`,
  it: `nascosto nascosta eliminato eliminata rifiutato segnalato sospetto riservato bozza archiviato bloccato cancellato
    non_pubblicare fuori_tema privato cestino rimosso`,
  nl: `verborgen verwijderd gerapporteerd verdacht afgekeurd afgewezen geweigerd concept gearchiveerd geblokkeerd vertrouwelijk
    niet_publiceren off_topic ingetrokken prullenbak`,
  pt: `excluído excluída oculto removido suspeito denunciada rejeitado rejeitada recusado rascunho arquivado bloqueado privado lixeira
    não_publicar fora_do_tema`,
  pl: "ukryta ukryty ukryte usunięta usunięty usunięte odrzucona odrzucony szkic zablokowana zarchiwizowana prywatna kosz zgłoszona",
  sv: "dold borttagen raderad avvisad utkast arkiverad blockerad privat anmäld skräppost",
  da: "skjult slettet fjernet afvist kladde arkiveret blokeret privat anmeldt_som_spam",
  nb: "skjult slettet fjernet avvist utkast arkivert blokkert",
  other: "非公開 скрыт скрыто удален удалено спам отклонен 已删除 已隐藏 隐藏 비공개 삭제 숨김 ẩn đã_ẩn đã_xóa",
});

/** Whole names of columns in which a word names the state. */
export const STATE_COLUMNS = wordSet({
  en: `status state moderation moderation_status moderation_state approval approval_status publication_status publication_state
    stage workflow_stage workflow_state decision moderation_decision publish_status publishing_status visibility published_status
    post_status verdict publish_state moderation_result review_state review_status lifecycle display_status disposition privacy
    privacy_status privacy_setting audience outcome_of_moderation`,
  de: `zustand prüfstatus veröffentlichungsstatus freigabe freigabestatus sichtbarkeit bearbeitungsstatus moderationsstatus
    bewertungsstatus prüfung prüfergebnis freischaltung`,
  fr: "statut état etat statut_de_publication état_de_publication statut_de_modération modération visibilité",
  es: "estado estado_de_publicación estado_de_moderación estado_publicación moderación visibilidad situación",
  it: "stato stato_di_pubblicazione stato_pubblicazione stato_moderazione moderazione visibilità stato_recensione",
  nl: "toestand moderatiestatus publicatiestatus zichtbaarheid beoordelingsstatus goedkeuringsstatus moderatie",
  pt: "situação status_de_publicação status_da_avaliação estado_de_publicação moderação visibilidade",
  pl: "stan status_publikacji status_moderacji widoczność moderacja status_opinii",
  sv: "tillstånd publiceringsstatus modereringsstatus synlighet moderering",
  da: "tilstand publiceringsstatus synlighed moderering modereringsstatus",
  other:
    "статус состояние видимость durum görünürlük stav viditelnost tila näkyvyys állapot láthatóság stare trạng_thái estat स्थिति สถานะ الحالة סטטוס מצב 状態 ステータス 公開状態 상태 状态 狀態 審核狀態 审核状态 κατάσταση",
});

/** Words in the name of a column that holds states of reviews, together: `Review publication state`. */
export const STATE_WORD = beginnings({
  en: "status state$ stage$ visibil decision outcome",
  de: "sichtbark zustand",
  fr: "statut etat$",
  es: "estado situacion",
  it: "stato$ visibilit",
  nl: "zichtbaarheid",
  pl: "widocznosc stan$",
  sv: "synlig tillstand tilstand",
});
export const OF_STATE_WORD = beginnings({
  en: "review publi moderat approv comment$ testimonial post$ display listing feedback$ rating$ wp$ cms$",
  de: "bewertung rezension freigab veroffentlich moderation prufung kundenstimme",
  fr: "avis publication temoignage commentaire",
  es: "resena opinion publicacion",
  it: "recension pubblicazione",
  nl: "beoordeling recensie publicatie",
  pl: "opini publikacj moderacj",
  sv: "recension omdome anmeldelse publicering",
  filler: "of$ the$ de$ du$ la$ della$ del$ da$ van$ der$ l$ d$",
});

/** Beginnings of words in the names of columns that tell which reviews may be shown: `Show on website`. */
export const SHOWING_WORD = beginnings({
  en: "approv moderated moderation share$ display show(?:n|s|ing)?$ visib consent permission publi cleared vetted publishable releas authori[sz]",
  de: "moderiert teilen freig freisch veroffentlich offentlich sichtbar anzeigen einwillig gepruft$ genehmig zustimm einverstand",
  fr: "partag publi affich accord$ autoris visibl validee? consentement moder[ee]$",
  es: "aprob compart publi mostra visibl autoriza consentim moderacion",
  it: "approv condivid pubbli mostra visual autorizz consens moderazione",
  nl: "goedgekeurd goedkeur tonen getoond zichtba openbaar publice gepublic weergev toestemming moderatie delen$ akkoord$ plaatsing$",
  pt: "aprov compart publi exib mostra visiv autoriza moderacao",
  pl: "widoczn opublik publik zatwierdz wyswietl pokaz zgod",
  sv: "visa visas vis$ vises nettsid hjemmesid hemsid publi godk samtyck samtyk synlig offentlig",
  other:
    "опубл публик одобр видим kozzet diterbitkan disetujui tampilkan duyet منشور معتمد نشر פורסם מאושר לפרסם เผยแพร อนมต 公開 公开 공개 승인 掲載 許可 许可 게시 同意 동의 hyvaks nayte julkai onay yayin goster zverejn schval zobraz megjelen prikaz objav δημοσ afis vizibil",
});
/** Those of columns that tell which may not. */
export const HIDING_WORD = beginnings({
  en: "hid suspic quarantin violat censor banned$ fraud exclude$ anonym spam delet trash reject unpubl suppress offtopic irrelevan embargo$ withh withdraw withdrew duplicat hold$ declin block(?:ed)?$ retract revok remov(?:e|ed|al)$ archiv suspend confidential eras(?:e|ed|ure)$ forgotten$",
  de: "ausschlie verdacht versteck ausgeblend gelosch geloscht abgelehn anonym gesperrt sperr(?:e|en)?$ sperrvermerk$ verberg verborg losch zuruckgezog archiviert unveroff themenfremd widerruf vergessen",
  fr: "masqu supprim cache[er]?$ rejet refus indesir archiv retir[ee]e?$ effac oubli$",
  es: "ocult elimina anonim sospech rechaz borrad bloquead archivad olvido$ supresion$ revocad",
  it: "nascost nascond elimina rifiut bloccat archiviat oblio$ cancella revoca",
  nl: "verborgen verberg verwijder afgewez afgekeur geweiger geblokk gewist$ vergetelheid$ ingetrokken$",
  pt: "oculta exclui exclusao$ rejeit recusad bloquead apaga esquecimento$",
  pl: "usun ukry odrzuc zablok anonimow zapomn wycofan",
  sv: "aterkalla tilbagetruk tilbaketruk glemt$ dold dolj skjul raderad slett borttag avvis avslag blokk bloke blocker",
  other: "匿名 非公開 비공개 숨김 скрыт удал отклон piilot poist gizli silin skryt smazan rejtett torolt ascuns sters",
});
export const NEGATING_WORD = beginnings({
  en: "not?$ don$ dont$ do_not$ never$ await(?:s|ing)?$ pending$ needs?$ requires?$ un$ without$ isn$ wasn$",
  de: "nicht$ kein ausstehend$ ohne$ nie$",
  fr: "pas$ ne$ non$ sans$ hors$",
  es: "sin$",
  it: "senza$",
  nl: "niet$ geen$ zonder$",
  pt: "nao$ sem$",
  pl: "bez$",
  sv: "inte$ ej$ ikke$",
  other: "не$ ei$ без$ degil$ nem$ nu$",
});
/** Names of columns in which a yes says that a review waits to be allowed: `In moderation`, `To be approved`, `À valider`. */
export const WAITING_COLUMN =
  /(?:^|_)(?:in|under|await\w*|waiting_for|pending|needs?|requires?|to_be|not_yet|yet_to_be|still_to_be|a|zu|noch_zu|da|por|para|te|do|til|till|en_(?:attente|cours)_de|in_attesa_d[ie]|pendientes?_de|pendentes?_de|en_espera_de|w_oczekiwaniu_na|venter_pa|vantar_pa)_(?:moder\w*|approv\w*|review(?:ed)?|valid\w*|aprob\w*|aprov\w*|pruf\w*|genehmig\w*|goedk\w*|godk\w*|zatwierdz\w*|moderacj\w*|revis\w*|verifi\w*|beoordel\w*)(?:$|_)|(?:^|_)(?:not_yet|yet_to_be|still_to_be|await\w*|pending|noch_zu|noch_nicht)_(?:publi\w*|freig\w*|veroffentl\w*)(?:$|_)|(?:^|_)(?:moderation|approval|review|validation|freigabe|prufung|genehmigung|validacion|aprobacion|approvazione)_(?:required|needed|pending|outstanding|ausstehend|erforderlich|notig|requise?|necessaire|necesaria|pendiente|richiesta|necessaria)(?:$|_)/;

/** Words of columns that are about something else, or hold words: `Marketing consent`, `Public comment`. */
export const OTHER_WORD = beginnings({
  en: `market news e?mail sms contact cookie privacy gdpr data$ terms social holiday count number score url link picture photo image
    video media buyer purchase order planning$ parking$ transport$ contractor drive$ insurance$ protection$ ceiling$`,
  de: "dsgvo kauf kaufer bestell werbung werblich",
  fr: "rgpd achat acheteur commande publicit promotion",
  es: "compra comprador pedido publicid promocion",
  nl: "koper aankoop reclame$ nieuwsbrief",
  it: "acquist pubblicit promozion",
  pt: "publicid promoc",
  pl: "marketing reklam",
  sv: "reklam nyhetsbrev nyhedsbrev",
});

/** Words that hide or show in the language of trades too: `Stump removal`, `Hidden costs`, `Drain cleared`. */
export const TRADE_WORD =
  /^(?:hold|releas\p{L}*|authori[sz]\p{L}*|remov(?:e|ed|al)|block(?:ed)?|hid(?:e|den)?|trash\p{L}*|delet\p{L}*|duplicat\p{L}*|archiv\p{L}*|display\p{L}*|show(?:n|s|ing)?|public|visible|cleared|sichtbar\p{L}*|offentlich\p{L}*|losch\p{L}{3,})$/u;
/** Words beside them by which they are of reviews: what is shown, to whom, where, by whom and why. */
export const OF_REVIEW_WORD = beginnings({
  en: `review comment$ comments$ feedback testimonial stor(?:y|ies)$ quote rating post$ posted$ posts$ names?$ initials$ authors?$
    customers?$ clients?$ guests?$ patients?$ users?$ visitor reviewer moderat admin owner$ editor staff$ page$ profile$ listing
    widget publicly all$ everyone$ everybody$ anyone$ by$ reason request policy preference consent until$ requested$ google$ yelp$ facebook$
    marked$ want wants$ wish signed$ file$ repl(?:y|ies)$ response answer`,
  de: "bewertung rezension kommentar meinung kunde kundin gast patient von$ grund$ antrag wunsch seite$ name",
});

/** Those of the law on personal data, beside words that hide: `GDPR erased`. */
export const PRIVACY_WORD = /^(?:gdpr|privacy|data|dsgvo|rgpd)$/;

/** Words by which a form asks for leave, and where the review is to be shown: `Mag dit op onze site?` */
export const ASKING_WORD = beginnings({
  en: "may$ can$ could$ allow ok$ okay$ happy$ use$ usage$ agree",
  de: "darf$ durfen konnen$ erlaub",
  fr: "puis$ pouvons$ pouvez$ peut$ accept accord",
  es: "podemos$ puedo$ permit",
  it: "possiamo$ posso$ permett",
  nl: "mag$ mogen$ kunnen$",
  pt: "pode$",
  pl: "czy$ mozemy$ moge$",
  sv: "far$ kan$ ma$",
  other: "voiko$ saako$ muzeme$ можем можно",
});
export const SITE_WORD = beginnings({
  en: "site$ website$ homepage$ web$ webpage$ internet$ online$ facebook$ instagram$ publicly$ marketing$",
  de: "webseite$ internetseite$ netz$",
  fr: "ligne$",
  es: "pagina$",
  it: "sito$",
  pl: "stronie$ strone$",
  sv: "hemsida hjemmeside nettside sida$ sidan$",
  other: "sivu webu$ сайте$",
});

/** Words of columns that hold words, unless all of their values are yes or no: `Private feedback`. */
export const OF_WORDS = /^(?:comment|feedback|note|text|message)/;

/** Days before which a review is not to be shown. */
export const SHOWN_FROM = wordSet({
  en: `embargo embargo_until embargo_till embargo_date embargoed_until hold_until hide_until hidden_until private_until locked_until
    publish_at publish_on publish_from publish_after publish_time show_from show_after visible_from visible_after available_from
    display_from live_from go_live go_live_at go_live_date go_live_on release_at release_on release_date scheduled_for
    scheduled_at scheduled_on scheduled_date schedule_date scheduled_publish_date scheduled_publish_time scheduled_publication
    publish_scheduled_at publish_date publication_date publishing_date published_date date_published not_before active_from starts_showing`,
  de: "sperrfrist sperrfrist_bis gesperrt_bis sichtbar_ab veröffentlichen_am veröffentlichen_ab veröffentlichung_am veröffentlichung_ab freigabe_ab freigabe_am geplant_für anzeigen_ab",
  fr: "embargo_jusqu'au publier_le publier_à_partir_du visible_à_partir_du afficher_à_partir_du masqué_jusqu'au publication_prévue programmé_pour",
  es: "embargo_hasta publicar_el publicar_a_partir_de visible_desde mostrar_desde oculto_hasta programado_para",
  it: "embargo_fino_al pubblicare_il pubblica_il visibile_dal mostra_dal nascosto_fino_al programmato_per",
  nl: "embargo_tot publiceren_op publiceer_op zichtbaar_vanaf tonen_vanaf gepland_voor verborgen_tot",
  pt: "embargo_até publicar_em visível_a_partir_de exibir_a_partir_de agendado_para",
  pl: "embargo_do opublikuj_od widoczna_od opublikować_dnia zaplanowano_na",
  sv: "publiceras publiceras_den synlig_från visas_från embargo_till dold_till",
  da: "publiceres offentliggøres_den synlig_fra vises_fra embargo_til",
});
/** Days after which a review is shown no longer. */
export const SHOWN_UNTIL = wordSet({
  en: `show_until shown_until visible_until visible_to display_until live_until publish_until published_until unpublish_at
    unpublish_on unpublish_date unpublished_at expire_at_site hide_after hide_on hide_at hide_from remove_after remove_on retire_on active_until`,
  de: "sichtbar_bis anzeigen_bis veröffentlicht_bis zeigen_bis ausblenden_ab",
  fr: "visible_jusqu'au afficher_jusqu'au publié_jusqu'au",
  es: "visible_hasta mostrar_hasta publicado_hasta",
  it: "visibile_fino_al mostra_fino_al",
  nl: "zichtbaar_tot tonen_tot",
  pt: "visível_até exibir_até",
  sv: "synlig_till visas_till synlig_til vises_til",
});

export const YES = wordSet({
  en: "true yes yes_please y 1 1.0 t on x checked",
  de: "ja wahr j",
  fr: "oui vrai o",
  es: "sí verdadero s",
  it: "vero",
  pt: "sim verdadeiro",
  pl: "tak prawda",
  other: "да так evet ano áno igen kyllä da ya نعم כן ใช่ はい 예 네 是 可 동의 許可 同意 var ναι ○ ◯ ⭕ ✓ ✔ ✅ ☑ 👍",
});
export const NO = wordSet({
  en: "false no no_thanks no_thank_you n 0 0.0 f off - unchecked",
  de: "nein falsch",
  fr: "non faux",
  it: "falso",
  nl: "nee",
  pt: "não",
  pl: "nie fałsz",
  sv: "nej nei",
  other:
    "нет не ні hayır không tidak لا לא ไม่ ไม่ใช่ không ne nem ei nu いいえ 아니오 否 不可 不同意 미동의 yok όχι × ✕ ✖ ✗ ✘ ❌ ☐ 👎",
});
/** Answers that are other words without their accents. */
export const ACCENTED_ANSWERS: ReadonlyMap<string, string> = new Map([["có", "yes"]]);
/** What programs write for nothing. */
export const NOTHING = new Set(["null", "undefined", "\\n", "0000_00_00", "0000_00_00_00:00:00", "none", "nil", "n/a"]);

/** Beginnings of the words that say that a review is shown. Before them the hiding ones are looked for. */
export const SHOWN_VALUE = beginnings({
  en: `approv accept publish(?:ed)?$ public$ publicly$ everyone$ visible$ active$ activated$ enabled$ live$ ok$ okay$ allow(?:ed)?$
    confirm(?:ed)?$ pass(?:ed)?$ ham$ genuine$ legit trusted$ unflag unspam unfilter unhid shown?$ display(?:ed)?$ posted$ listed$
    online$ curated$ authentic$ cleared$ released$ vetted$ featured$ whitelist allowlist granted$ given$ authori[sz]ed$`,
  de: "freigegeben freigeschalt veroffentlich freizugeben$ sichtbar$ offentlich$ genehmig bestatig aktiv$ aktiviert$ gepruft$ zugelassen angenommen akzeptiert angezeigt anzeigen$ zeigen$ gezeigt erteilt$",
  fr: "publiee?s?$ approuv validee?s?$ valide$ visible actif$ active$ acceptee?s?$ affich confirm ligne$ autorise autorisee$ accordee?$ donnee?$",
  es: "publica[dr] aproba[dr] visibl activ[oa]$ aceptad mostrad confirmad validad autorizad concedid otorgad",
  it: "pubblica approva visibil attiv[oa]$ accettat confermat mostrat validat autorizzat dat[oa]$ concess[oa]$",
  nl: "gepubliceerd goedgekeurd zichtbaar$ actief$ geaccepteerd bevestigd getoond geplaatst openbaar publiceren$ goedkeuren$ gegeven$ verleend$",
  pt: "aprova[dr] ativ[oa]$ visivel aceit[oa]$ exibid",
  pl: "opublik publikacj zatwierdz widoczn aktywn zaakceptowan potwierdzon publiczn",
  sv: "publicera godkan synlig accepterad bekraftad visas$",
  da: "publiceret publisert offentliggjort godken godkjen accepteret akseptert bekraft vist$ vises$",
  other:
    "disetujui$ diterbitkan$ منشور$ معتمد$ מאושר$ פורסם$ อนมต$ เผยแพร$ เผยแพร่แล้ว$ प्रकाशित$ स्वीकृत$ опубликован одобрен принят виден видим активн показ опублікован схвален julkais hyvaksy nakyv yayin onaylan aktif$ zverejn schval viditeln aktivni kozzetett kozzeteve jovahagy lathato megjelent publicat aprobat vizibil δημοσιευ εγκεκριμ 公開 公开 承認 表示$ 已发布 已發布 已發佈 已通过 已通過 通过$ 通過$ 승인 공개 게시",
});
/** Beginnings of the words that say that it is hidden. */
export const HIDDEN_VALUE = beginnings({
  en: `reject refus declin disapprov denied$ deny$ spam hide$ hidden$ pending pend$ await hold$ held$ onhold$ trash binned$ bin$ delet
    removed?$ unpublish unapprov unlist private$ privat$ draft disabl inactiv block suppress withdraw withheld archiv quarant flag(?:ged)?$ suspicio
    suspect fake junk fraud banned$ censor exclud filtered$ takedown fail(?:ed)?$ retract revok internal$ unmoderat
    offline$ invisible embargo schedul disput offtopic irrelevan duplicat abus violat inappropriat confidential
    blacklist blocklist future$ discard queued?$ unconfirmed$ unchecked_review$ void(?:ed)?$ snoozed$ suspended$ nonpublic$ flagged_as_spam$ test$ invalid$`,
  de: `abgelehn abgewies zuruckgewies ausgeblend gelosch losch(?:en)?$ entfernt papierkorb ausstehend wartend wartet$ warten$ wartet prufung$ ungepruft
    unveroff versteckt verborgen entwurf gesperrt privat$ inaktiv deaktiv verdacht gemeldet$ gefalscht archivier zuruckgezog
    zuruckgehalt blockiert unsichtbar intern$ unbestatigt themenfremd beanstandet verweigert$ loschantrag$ loschwunsch$`,
  fr: `rejet masqu corbeille attente$ supprim brouillon prive$ privee$ indesir moderer$ valider$ cachee?s?$ signalee? bloqu desactiv
    inactif retiree?s?$ hors_sujet invisible`,
  es: `rechaz ocult papelera pendiente eliminad borrad[oa]r?$ bloquead desactivad inactiv[oa]$ retirad suspendid denunciad sospechos
    moderar$ espera$ revision$ descartad denegad pendent$`,
  it: `rifiut respint nascost cestin attesa$ eliminat cancellat rimoss bozz bloccat disattivat inattiv sospes segnalat sospett
    moderare$ revisione$ scartat negat[oa]$`,
  nl: `afgewez geweiger afgekeur verborgen prullenbak afwachting$ behandeling$ verwijder concept$ geblokk gedeactiv inactief
    gearchiv ongewenst gerapporteerd verdacht ingetrokken onzichtbaar wachtend$ wacht$`,
  pt: "rejeitad recusad lixo lixeira pendente excluid apagad rascunho suspens aguard moderacao$ inativ desativad arquivad",
  pl: "prywatn odrzuc oczekuj ukryt usuniet szkic kosz$ prywatn zablok nieaktywn zarchiw wstrzyman niewidocz niezatwierdz nieopublik",
  sv: "avvisad avslag nekad vantar vantande dold borttag raderad utkast papperskorg blockerad arkiverad skrappost opublicerad",
  da: "afvist avvist afvent venter$ skjult slettet fjernet kladde papirkurv blokeret blokkert arkivert upubliceret upublisert",
  other:
    "menunggu ditolak$ disembunyikan$ معلق$ مرفوض$ مخفي$ ממתין$ נדחה$ מוסתר$ รอ ไมอนมต$ ฉบับร่าง$ ร่าง$ लंबित$ अस्वीकृत$ var$ отклон скрыт удал спам черновик корзин заблок ожида модерац$ приват неопублик відхил очіку прихован видален hylat odotta piilot poist luonnos reddedil bekl gizli silin taslak cop$ zamit ceka skryt smaz odstran koncept kos$ elutas fuggo rejtett torolt piszkozat respins astept ascuns sters ciorna απορριφ αναμον κρυμμ διαγραμ 非公開 非公开 保留 却下 スパム 削除 下書き 非表示 承認待ち 未承認 ごみ箱 待审 待審 已删除 已刪除 垃圾 已隐藏 已隱藏 隐藏 隱藏 未公開 未发布 未發佈 未發布 拒绝 拒絕 已拒绝 驳回 草稿 未通过 대기 승인_대기 승인대기 삭제 스팸 비공개 숨김 거절 거부 반려 보류",
});
/** Words that deny what they begin with: Turkish `onaylanmadı`, Finnish `hyväksymätön`, Hungarian `jóváhagyatlan`, Japanese `承認されていない`. */
export const NEGATED_INSIDE =
  /(?:onayla|yayinla|gosteril|paylasil|kabul_edil)\p{L}{0,3}m[aei](?:d[iı]|m[iı]s|yan|z|yacak)|(?:hyvaksy|julkais|nayt)\p{L}{0,4}m(?:at|aton|attom|atont)\p{L}*|(?:jovahagy|kozze|megjelen)\p{L}{0,5}(?:atlan|etlen)|nem_(?:jovahagy|kozze|lathat)\p{L}*|(?:承認|公開|表示|掲載|確認)(?:されて(?:い)?(?:ない|ません)|し(?:ない|ません)|しておりません|不可|前|待ち)|未(?:承認|公開|確認|表示|掲載)|(?:未|不)(?:审核|发布|發佈|公开|公開|通过|通過)|(?:승인|공개|게시)(?:되지|하지)_?않/u;
/** Whole values that hide, whose single words say nothing. */
export const HIDDEN_PHRASE =
  /^(?:post_trashed|(?:in|under|to|needs?|for|manual|awaiting|waiting_for|zur|in|a|en|te|do|til|till|for)_(?:be_)?(?:review|reviewed|moderat\w*|approv\w*|prufung|moder\w*|valider|revis\w*|beoordel\w*)|taken_down|(?:private|internal)_(?:feedback|note|only|use)|only_me|(?:do_not|don['’]t|dont)_(?:publish|show|post|display|use)|new_unmoderated|(?:publish|approve)_later|nur_intern|(?:ex_|former_|current_)?employee|mitarbeiter(?:in)?|employee?|empleado|dipendente|medewerker|host_to_guest|cho_(?:phe_)?duyet|chua_duyet|tu_choi|ban_nhap|da_(?:an|xoa)|rieng_tu|قيد_المراجعة)$/;
/** Whole values that show: of reviews of both sides, those by the guests. */
export const SHOWN_PHRASE = /^(?:guest_to_host|da_(?:phe_)?duyet|da_(?:xuat_ban|dang)|cong_khai|hien_thi)$/;
/** Beginnings of words that deny what follows: `not published`, `non publié`. */
export const NEGATING_VALUE = beginnings({
  en: "not$ un$ never$ don$ dont$",
  de: "nicht$ noch_nicht$ kein",
  fr: "non$ pas$ hors$",
  es: "no$ sin$",
  nl: "niet$ geen$",
  pt: "nao$ sem$",
  pl: "nie$",
  sv: "inte$ ej$ ikke$",
  other: "не$ нет$ ei$ nem$ degil$",
});
/** Words before what is still to be done: `da approvare`, `zu veröffentlichen`. */
export const STILL_TO_BE = /^(?:to|to_be|zu|noch|à|a|da|por|para|te|att|til|till|do|needs?)$/;
/** Words that may stand beside those. */
export const FILLING_VALUE = beginnings({
  en: `under$ of$ for$ by$ the$ a$ an$ in$ on$ as$ to$ from$ be$ is$ yet$ review$ reviews$ comment$ post$ site$ website$ web$ google$ automatically$ auto$
    manual manually$ admin$ staff$ editor moderator moderation$ approval$ legal$ compliance$ management$ manager$ boss$ qa$ hr$ system$ only$ use$ at$ all$ do$ our$ my$`,
  de: "von$ zur$ fur$ unsere auf$ bei$ der$ die$ das$ noch$ redaktion freigabe$ automatisch veroffentlichen$",
  fr: "sur$ notre$ de$ la$ le$ les$ du$ en$ par$ pour$ approbation$ moderation$ publication$",
  es: "el$ por$ para$ aprobacion$ moderacion$ publicar$",
  it: "di$ da$ per$ il$ approvazione$ moderazione$ pubblicazione$",
  nl: "onze$ voor$ van$ op$ te$ goedkeuring$ nog$",
  pl: "na$ do$ w$ o$",
  sv: "pa$ till$ til$ av$ af$ och$ granskning$ godkannande$ godkendelse$",
  other: "на$ в$ до$",
});
/** What a yes is limited by, so that it is none: `Yes, but not online`. */
export const HIDING_ANSWER =
  /_(?:not|never|only_(?:internal|in_)|internal|offline|private|nicht|nur_intern|intern|pas|sauf|pero_no|sin|non|senza|niet|geen|nao|nie|inte|ikke)/;
/** Answers of customers who do not want their names used: `Keep me anonymous`. */
export const ANONYMITY =
  /^(?:(?:yes|ja|oui|si|sim|tak|no|nein|non),?_(?:but_|aber_|mais_|pero_|ma_|maar_|mas_|ale_|men_)?(?:only_|nur_|please_|bitte_)?)?(?:(?:please_)?(?:keep|stay|remain|post|show|list|publish)_(?:me_|it_|this_)?(?:as_)?)?(?:anonymous(?:ly)?|(?:de_(?:facon|maniere|forma|manera)_|in_forma_)?(?:anonym|anonyme|anonymement|anonimo|anonima|anoniem|anonimowo|anonymt)|(?:ohne|without|sans|sin|senza|zonder|sem|bez|utan|uden|uten)_(?:(?:my|meinen|den|mon|mes|le|mi|el|il|mio|mijn|de|o|meu|mojego|mitt|mit|min|full|whole|ganzen|real|last)_){0,3}(?:names?|namen|noms?|nombres?|nomi?|nome|naam|nazwiska|imienia|namn|navn))$/;

/** What a business has done about a review, which hides none. */
export const ANSWERED_VALUE = beginnings({
  en: "repl(?:y|ied) respon(?:d|se) answered unanswered unrepl unrespon complet incomplet partial finished$ done$ read$ unread$ resolved$ unresolved$ assigned$ unassigned$ handled$ sent$ delivered$",
  de: "beantwort unbeantwort gelesen ungelesen erledigt",
  fr: "repondu$ reponse$ lue?$ traitee?$",
  es: "respond contestad leid[oa]$",
  it: "rispost lett[oa]$",
  nl: "beantwoord gelezen",
  pt: "respondid lid[oa]$",
  pl: "odpowiedzian przeczytan",
  sv: "besvarad besvaret besvart last$",
});

const anyOf = (lists: Readonly<Record<string, string>>) => Object.values(lists).join("|");

/** How a note on a review begins that it is not for the public. */
const NOT_SHOWN = anyOf({
  en: "(?:do not|don['’]t|never|not to be|not for)\\s(?:be\\s)?(?:publish(?:ed)?|publication|public|(?:show(?:n)?|post(?:ed)?|display(?:ed)?)(?=\\s*(?:$|[.,;:!)\\]–-])|\\s(?:this|it|online|publicly|in public|yet|until|anywhere|(?:(?:the|my|his|her|their|full|real|customer['’]?s?)\\s){0,3}(?:reviews?|comment|feedback|testimonial|words|name)|(?:on|to) (?:(?:the|our|any|your)\\s)?(?:web|site|home|page|google|yelp|facebook|social|internet|public))))",
  de: "(?:bitte\\s)?nicht\\s(?:zu\\s)?(?:veröffentlichen|anzeigen|zeigen|freigeben|publizieren)",
  fr: "ne pas (?:publier|afficher|montrer)",
  es: "no (?:publicar|mostrar)",
  it: "non (?:pubblicare|mostrare)",
  nl: "niet (?:publiceren|tonen|plaatsen)",
  pt: "não (?:publicar|exibir|mostrar)",
  pl: "nie (?:publikować|pokazywać)",
  sv: "(?:publicera|visa) (?:inte|ej)",
  da: "(?:må|skal) ikke (?:offentliggøres|vises|publiseres)|ikke (?:publiser|publicer|vis|offentliggør)",
});
/** How one asks to take it out. */
const TAKE_OUT = anyOf({
  en: "(?:(?:can|could|would) you )?(?:(?:delet(?:e|ion)|erase|take down)\\b[^.\\n]{0,20}\\b(?:reviews?|comment|feedback|testimonial|words|post|data|name)|remov(?:e|al)\\b[^.\\n]{0,20}\\b(?:reviews?|comment|feedback|testimonial|(?:my|his|her|their|personal|customer['’]?s) (?:words|post|data|name))|take\\b[^.\\n]{0,20}\\b(?:reviews?|comment|feedback|testimonial)[^.\\n]{0,12}\\b(?:down|off|out|away))\\b",
  de: "(?:meine|diese|die|seine|ihre) (?:bewertung|rezension|daten|kundenstimme)[^.\\n]{0,20}(?:löschen|entfernen|zurückziehen)",
  fr: "(?:supprimer|supprimez|retirer|retirez|effacer|effacez) (?:mon|cet|l['’]|mes|ce|son|ses)",
  es: "(?:eliminar|elimine[n]?|borrar|borre[n]?|retirar|retire[n]?) (?:mi|esta|mis|la|su|sus)\\s",
  it: "(?:eliminare|elimini|eliminate|cancellare|cancelli|cancellate|rimuovere|rimuovete) (?:la|questa|i miei|il)",
  nl: "(?:verwijder|wis)\\s(?:mijn|deze|de)|(?:mijn|deze) (?:recensie|beoordeling|gegevens) verwijderen",
  pt: "(?:apagar|apague|excluir|exclua|remover|remova|eliminar) (?:a minha|minha|esta|os meus|meus|a)\\s",
  pl: "(?:usunąć|usunięcie|skasować) (?:moją|tę|opini|moje)",
  sv: "(?:ta bort|radera|slet|fjern|slett) (?:min|mitt|denna|denne|mine|mina)",
});
/** Who asks for it, and how. */
const ASKED = anyOf({
  en: "(?:(?:the\\s)?(?:customer|client|guest|reviewer|author|patient|user|he|she|they)\\s)?(?:has\\s|have\\s)?(?:(?:asked|asks|requested|requests|wants|wanted|request|would like)\\s(?:us\\s)?(?:to|that|for|this|the|their|his|her)?\\s?(?:have|be|we)?\\s?|please\\s)?(?:(?:their|his|her|this|the|my)\\s)?",
  de: "(?:(?:der\\s|die\\s)?(?:kunde|kundin|gast|patient|patientin)\\s(?:bittet|wünscht|möchte|will)[^.\\n]{0,20}\\s|bitte\\s)?",
  fr: "(?:(?:merci de|veuillez|prière de|le client demande (?:de|à)|la cliente demande (?:de|à))\\s)?",
  es: "(?:(?:por favor,?|favor de|el cliente pide|la clienta pide|se solicita)\\s)?",
  it: "(?:(?:per favore|si prega di|prego|il cliente chiede di)\\s)?",
  nl: "(?:(?:graag|gelieve|klant wil|alstublieft)\\s)?",
  pt: "(?:(?:por favor,?|favor|o cliente pede para)\\s)?",
  pl: "(?:(?:proszę(?: o)?|klient prosi o)\\s)?",
  sv: "(?:(?:vänligen|venligst|vennligst|kunden vill|kunden ønsker)\\s)?",
});
/** What a customer has taken back. */
const TAKEN_BACK = anyOf({
  en: "(?:(?:customer|client|guest|he|she|they)\\s)?(?:has\\s|have\\s)?(?:withdr[ae]wn?|revoked)\\s(?:(?:his|her|their|the)\\s)?(?:consent|permission|review)|(?:consent|permission)\\s(?:was\\s|is\\s|has been\\s)?(?:withdrawn|revoked|refused|denied)|no (?:consent|permission)(?!\\sto\\s(?!publish|show|use|post|share|quote))|(?:gdpr|right to erasure|erasure|deletion)[ -](?:request|erasure|deletion)",
  de: "(?:einwilligung|zustimmung|erlaubnis)\\s(?:wurde\\s)?(?:widerrufen|zurückgezogen|verweigert)|keine (?:einwilligung|zustimmung|erlaubnis)|löschantrag|löschwunsch",
  fr: "(?:consentement|accord)\\s(?:retiré|refusé|révoqué)|demande (?:de suppression|d['’]effacement)|droit à l['’]oubli",
  es: "consentimiento (?:retirado|revocado)|solicitud de (?:supresión|eliminación|borrado)|derecho al olvido",
  it: "consenso (?:revocato|ritirato|negato)|richiesta di (?:cancellazione|rimozione)",
  nl: "toestemming (?:ingetrokken|geweigerd)|verzoek (?:tot|om) verwijdering|verwijderverzoek",
  pt: "consentimento (?:retirado|revogado)|pedido de (?:eliminação|exclusão|remoção)",
  pl: "zgoda (?:wycofana|cofnięta)|(?:wniosek|prośba) o usunięcie",
  sv: "samtycke (?:återkallat|återkallad)|samtykke (?:trukket|tilbagetrukket)|begäran om radering|anmodning om sletning",
});
const PRIVATE =
  "private|internal|confidential|not public|non-public|not for publication|privat|intern|vertraulich|nicht öffentlich|privée?|interne|confidentiel(?:le)?|privad[oa]|intern[oa]|confidencial|privat[oa]|riservat[oa]|privé|vertrouwelijk|prywatn[ae]|wewnętrzn[ae]|poufn[ae]|konfidentiell|fortrolig";

/** A note on a review, in whichever column, that it is not to be shown, or that its customer wants it taken out. */
export const NOT_TO_BE_SHOWN = new RegExp(
  `^\\s*(?:(?:please\\s)?(?:${NOT_SHOWN})|(?:${ASKED})(?:${TAKE_OUT})|${TAKEN_BACK})(?![\\p{L}])`,
  "iu",
);
const REMOVED_REVIEW: readonly (readonly [review: string, isRemoved: string])[] = [
  [
    "(?:(?:this|the) )?(?:review|comment|post|content|message)",
    "(?:(?:has been|was|is|got|is currently) )?(?:removed|hidden|deleted|deactivated|disabled|rejected|withdrawn|unpublished|taken down|(?:flagged|reported)(?: and hidden)?|under (?:investigation|review|moderation)|(?:hidden )?(?:pending|awaiting) (?:moderation|approval|review))",
  ],
  [
    "(?:(?:diese[rs]?|die|der) )?(?:bewertung|rezension|kommentar|beitrag|inhalt)",
    "(?:(?:wurde|ist|wird) )?(?:gelöscht|entfernt|ausgeblendet|deaktiviert|gesperrt|verborgen|zurückgezogen|(?:derzeit )?geprüft|in prüfung)",
  ],
  [
    "(?:(?:cet|ce|cette|l['’]) ?)?(?:avis|commentaire|contenu|évaluation)",
    "(?:(?:a été|est) )?(?:supprimée?|retirée?|masquée?|désactivée?|en cours de (?:modération|vérification)|en attente de (?:modération|validation))",
  ],
  [
    "(?:(?:esta|este|la|el) )?(?:reseña|opinión|valoración|comentario|contenido)",
    "(?:(?:fue|ha sido|está) )?(?:eliminad[oa]|borrad[oa]|ocultad?[oa]|retirad[oa]|desactivad[oa]|en revisión|pendiente de (?:moderación|aprobación))",
  ],
  [
    "(?:(?:questa|questo|la|il) )?(?:recensione|commento|contenuto)",
    "(?:(?:è stat[ao]|è) )?(?:rimoss[oa]|eliminat[oa]|cancellat[oa]|nascost[oa]|disattivat[oa]|in (?:attesa di )?(?:moderazione|verifica))",
  ],
  [
    "(?:(?:deze|dit|de|het) )?(?:review|recensie|beoordeling|reactie|bericht)",
    "(?:(?:is|werd) )?(?:verwijderd|verborgen|gedeactiveerd|ingetrokken|in behandeling)",
  ],
  [
    "(?:(?:esta|este|a|o) )?(?:avaliação|comentário|opinião|conteúdo)",
    "(?:foi )?(?:removid[oa]|excluíd[oa]|apagad[oa]|ocultad[oa]|desativad[oa])",
  ],
  ["(?:(?:ta|ten) )?(?:opinia|recenzja|komentarz)", "(?:(?:została|został|jest) )?(?:usunięt[ay]|ukryt[ay])"],
];
/** By whom, or why, a page says that it has taken a review away; a customer who tells of it writes otherwise. */
const BY_WHOM =
  "(?: (?:by|von|vom|durch|par|por|da|dal|dallo|door|przez) [^.\\n]{1,40}| (?:for|due to|because of|wegen|pour|por|per|wegens) [^.\\n]{0,30}(?:breach|violat|guideline|polic|terms|rules|richtlin|règle|norma|regole|regels)[^.\\n]{0,40})";
const REMOVED_WORD =
  "hidden|removed|deleted|redacted|spam|rejected|pending|unapproved|not published|withheld|gelöscht|entfernt|ausgeblendet|gesperrt|supprimé|masqué|eliminado|borrado|oculto|eliminat[oa]|rimoss[oa]|nascost[oa]|verwijderd|verborgen|removido|excluído|usunięto";
/** What a page shows in the place of a review that it has taken away, or above one: `[removed by the moderators]`, `[HIDDEN] …`. */
export const IN_PLACE_OF_WORDS = new RegExp(
  [
    String.raw`^\[(?:hidden|removed|deleted|redacted|spam|rejected|pending|unapproved|not published|gelöscht|entfernt|ausgeblendet|supprimé|masqué|eliminado|oculto|eliminat[oa]|rimoss[oa]|nascost[oa]|verwijderd|verborgen)\]|^[[(](?:this|the) (?:review|comment|post) (?:has been|was|is) (?:removed|hidden|deleted|rejected|withdrawn|taken down)\b[^.\n]{0,60}[\])]\.?$|^(?:this|the) (?:review|comment) (?:has been|was|is) (?:removed|hidden|deleted|rejected|withdrawn|taken down)(?: (?:by|for|because|due to|as it|at the request)\b[^.\n]{0,60})?\.?$|^\[(?:comment|review|post)?\s?(?:removed|hidden|deleted|withdrawn) by [^\]\n]{1,40}\]$|^[[(]?(?:diese|die) (?:bewertung|rezension) wurde [^.\n]{0,40}(?:entfernt|gelöscht|ausgeblendet)[\])]?\.?$|^[[(]?cet avis a été (?:supprimé|retiré|masqué)[^.\n]{0,40}[\])]?\.?$`,
    `^[\\[(<*\\s-]+(?:${REMOVED_WORD})[\\])>*\\s.-]+$`,
    ...REMOVED_REVIEW.map(
      ([review, isRemoved]) => `^[\\[(<*\\s-]*${review} ${isRemoved}(?:${BY_WHOM}){0,2}[\\])>*\\s.-]*$`,
    ),
  ].join("|"),
  "iu",
);
/** The same in brackets, at the end. */
export const PRIVATE_IN_BRACKETS = new RegExp(`^[^.\\n]{0,40}[(\\[](?:${PRIVATE})[)\\]]$`, "iu");
