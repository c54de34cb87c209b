/**
 * Whether the owner's own system shows a review: approved, published, pending, spam, trashed … What such a system holds
 * back is not published here either.
 */
import { normalForm } from "../../lib/normal-form.ts";

/** How a column tells it: a true value shows the review, a true value hides it, or a word names its state. */
export type StateKind = "shows" | "hides" | "word";

export type State = "shown" | "hidden" | "unknown";

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const SHOWING =
  list(`approved published visible public active enabled live show display displayed shown accepted curated
  on_site on_website freigegeben veröffentlicht sichtbar öffentlich aktiv publié publie approuvé approuve publicado aprobado
  pubblicato approvato visibile goedgekeurd gepubliceerd zichtbaar aprovado visível opublikowana zatwierdzona 公開`);
const HIDING = list(`hidden spam deleted deleted_at trashed trashed_at trash archived archived_at rejected private
  unpublished draft pending blocked removed removed_at hidden_at suppressed disabled fake test test_data internal suspicious
  suspected flagged flag reported quarantined junk dismissed banned censored excluded ignored ignore filtered invalid
  fraudulent disputed under_dispute in_dispute takedown taken_down in_review under_review not_recommended withheld
  retracted revoked suspended blacklisted withdrawn löschdatum duplicate versteckt verdächtig gemeldet gefälscht signalé suspect faux sospechoso denunciado falso
  segnalato sospetto gerapporteerd verdacht suspeito denunciada gelöscht
  confidential vertraulich confidentiel confidencial riservato
  ausgeblendet gesperrt masqué masque supprimé oculto eliminado nascosto eliminato verborgen verwijderd excluído ukryta
  usunięta 非公開`);
const NAMING = list(`status state moderation moderation_status moderation_state approval approval_status
  publication_status publication_state stage workflow_stage workflow_state decision moderation_decision publish_status publishing_status visibility published_status post_status verdict
  prüfstatus veröffentlichungsstatus
  freigabe freigabestatus zustand statut état etat estado stato situação статус состояние durum stav tila állapot 状態 ステータス 상태 状态 狀態`);

/** What a column with this spelling tells of a review's state by its whole name; undefined for any other column. */
export function stateKind(spelling: string): StateKind | undefined {
  const name = spelling.replace(
    /^(?:review_)?(?:is_|was_|has_been_)?(?:review_)?(?:(?:reported|flagged|marked)_as_)?/,
    "",
  );
  for (const each of [
    name,
    name.replace(/_(?:from|by|on|at)_(?:google|yelp|facebook|trustpilot|site|website|platform|source)$/, ""),
    name.replace(/_(?:name|value|code|label|slug|text|type|id|status|state|flag|result|only|at|on|am|date)$/, ""),
  ]) {
    if (SHOWING.has(each)) return "shows";
    if (HIDING.has(each)) return "hides";
    if (NAMING.has(each)) return "word";
  }
  return undefined;
}

/** Beginnings of words in the names of columns that tell which reviews may be shown: `Show on website`. */
const SHOWING_WORD =
  /^(?:approv|moder(?:ated|ation|atie|acion|acao|azione|iert)|pubbli|widoczn|opublik|zatwierdz|опубл|одобр|видим|公開|공개|승인|godk|hyvaks|onay|yayin|zverejn|schval|share$|teilen|partag|compart|condivid|publi[ceksqz]|display|show|visib|vis[ae]s$|nettsid|hjemmesid|hemsid|nayte|wyswietl|zobraz|megjelen|goster|prikaz|consent|permission|einwillig|freig[ae]|veroffentlich|offentlich|sichtbar|anzeigen|affich|mostra|tonen|getoond|zichtba|openbaar)/;
const HIDING_WORD =
  /^(?:hid|suspic|quarantin|violat|censor|banned$|fraud|exclude$|ausschlie|verdacht|sospech|非公開|비공개|скрыт|удал|dold|skjul|piilot|gizli|skryt|anonym|anonim|spam|delet|trash|reject|unpubl|suppress|versteck|ausgeblend|gelosch|abgelehn|masqu|supprim|ocult|elimina|nascost|verborgen|verwijder|usuniet|ukryt)/;
const NEGATING_WORD =
  /^(?:not?|don|never|await(?:s|ing)?|pending|needs?|requires?|ausstehend|nicht|kein|pas|non|niet|nie|nao)$/;
/** Words of columns that are about something else, or hold words: `Marketing consent`, `Public comment`. */
const OTHER_WORD =
  /^(?:market|news|e?mail|sms|contact|cookie|privacy|gdpr|dsgvo|rgpd|data$|terms|social|holiday|count|number|score|comment|feedback|note|text|message|url|link|picture|photo|image|video|media)/;

/** `Use my name?`, `Can we use your comment?` */
const USE =
  /(?:^|_)(?:use|quote)_(?:(?:my|your|the|their|his|her|full|real|first)_)+(?:name|review|comments?|feedback|testimonial)(?:$|[_?])/;

/** What the words in a column's name tell, if it holds states: `May we publish this?`, `Do not show`. */
export function stateKindInWords(spelling: string): Exclude<StateKind, "word"> | undefined {
  const words = normalForm(spelling, "NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .split(/[^\p{L}]+/u);
  const isHiding = words.some((word) => HIDING_WORD.test(word));
  if (USE.test(spelling) && !isHiding) return words.some((word) => NEGATING_WORD.test(word)) ? "hides" : "shows";
  if (words.some((word) => OTHER_WORD.test(word)) || !(isHiding || words.some((word) => SHOWING_WORD.test(word))))
    return undefined;
  return isHiding === words.some((word) => NEGATING_WORD.test(word)) ? "shows" : "hides";
}

const TRUE = list(
  "true yes yes_please y 1 t on x ja oui sí si sim tak да evet ano igen kyllä sì はい 예 네 是 ✓ ✔ ✅ ☑ checked wahr vrai verdadero vero",
);
const FALSE = list(
  "false no no_thanks no_thank_you n 0 f off - nein non não nee nie нет hayır ne nem ei nej nu いいえ 아니오 否 ✗ ✘ ❌ ☐ unchecked falsch faux falso",
);
const NOTHING = list("null undefined \\n 0000-00-00 0000-00-00_00:00:00");

const SHOWN_WORDS =
  list(`approved approve published publish public visible active live ok enabled accept accepted allow allowed confirmed
  unspam pass passed ham not_spam genuine legitimate trusted unflagged unfiltered not_suspicious shown displayed online posted listed
  curated freigegeben veröffentlicht sichtbar öffentlich genehmigt bestätigt
  aktiv publié publiée approuvé approuvée validé validée visible publicado publicada aprobado aprobada pubblicato
  pubblicata approvato approvata goedgekeurd gepubliceerd zichtbaar aprovado aprovada opublikowana zatwierdzona
  опубликован опубликовано одобрен 公開 承認済み 已发布 已發布 已發佈 승인됨 공개 show display`);
const HIDDEN_WORDS =
  list(`rejected reject spam hidden hide pending pending_review pending_approval pending_moderation awaiting_moderation awaiting_approval
  awaiting_review needs_approval needs_review to_review in_moderation
  in_review under_review unapproved not_approved disapproved declined hold on_hold held trash trashed post-trashed deleted
  removed unpublished not_published private draft disabled inactive blocked suppressed withdrawn archived quarantined
  flagged flagged_as_spam suspicious suspected fake junk fraudulent banned censored excluded filtered taken_down
  takedown fail failed not_recommended retracted revoked internal new_unmoderated unmoderated offline not_visible invisible abgelehnt ausgeblendet gelöscht
  papierkorb ausstehend wartend in_prüfung nicht_freigegeben nicht_veröffentlicht unveröffentlicht versteckt entwurf
  gesperrt privat inaktiv rejeté rejetée refusé refusée masqué masquée corbeille en_attente supprimé supprimée brouillon
  non_publié privé indésirable à_modérer a_modérer en_modération à_valider rechazado rechazada oculto oculta papelera pendiente eliminado eliminada borrador
  no_publicado privado rifiutato rifiutata nascosto nascosta cestino in_attesa eliminato eliminata bozza non_pubblicato
  afgewezen verborgen prullenbak in_afwachting in_behandeling verwijderd concept niet_gepubliceerd rejeitado rejeitada
  lixo pendente excluído excluída rascunho odrzucona oczekująca ukryta usunięta szkic отклонен отклонено скрыт скрыто
  удален удалено спам черновик 非公開 保留 却下 スパム 待审核 已删除 垃圾 已隐藏 待審核 已刪除 已隱藏 未公開 private_feedback internal_feedback do_not_publish don't_publish 대기 삭제됨 스팸 비공개`);

/**
 * The state that a value tells in a column of this kind. An empty value of a column that shows is no approval, unless the
 * column only ever hides (`isHidingOnly`).
 */
export function stateOf(value: unknown, kind: StateKind, isHidingOnly = false): State {
  const word = wordOf(value);
  if (word === "") return kind === "hides" || isHidingOnly ? "shown" : "hidden";
  const isTrue = TRUE.has(word);
  if (isTrue || FALSE.has(word)) return isTrue === (kind !== "hides") ? "shown" : "hidden";
  if (kind === "hides") {
    if (SHOWN_WORDS.has(word)) return "shown";
    return HIDDEN_WORDS.has(word) || /^\d{4}-\d\d-\d\d/.test(word) ? "hidden" : "unknown";
  }
  if (HIDDEN_WORDS.has(word)) return "hidden";
  if (kind === "shows" && /^\d{4}-\d\d-\d\d/.test(word)) return "shown";
  return SHOWN_WORDS.has(word) ? "shown" : "unknown";
}

/** Whether a value is a word by which systems say that they hide something. */
export function isHidingWord(value: unknown): boolean {
  return (
    HIDDEN_WORDS.has(wordOf(value)) || /^(?:do_not|don['’]t)_(?:publish|show|post|display)(?:_|$)/.test(wordOf(value))
  );
}

/** Whether a value is one that states are told by, rather than a place's state or a date. */
export function isStateValue(value: unknown): boolean {
  const word = wordOf(value);
  return TRUE.has(word) || FALSE.has(word) || SHOWN_WORDS.has(word) || HIDDEN_WORDS.has(word);
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const word = String(value).trim().toLowerCase().replace(/\s+/g, "_");
  return NOTHING.has(word) ? "" : word;
}
