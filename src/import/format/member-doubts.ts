/** What members or columns that nothing is read from may say: of places, and of what is not for the public. */
import { quote } from "../../issue.ts";
import { isAnswer } from "../review/publication-state.ts";
import { TOWN } from "../words/place-words.ts";

/** Members that nothing is read from, with what a few of their values tell. */
interface UnreadMembers {
  readonly unknown: readonly string[];
  readonly spelled: ReadonlyMap<string, string>;
  readonly profiles: ReadonlyMap<string, SomeValues>;
}

interface SomeValues {
  readonly examples?: ReadonlySet<string>;
  readonly filled?: number;
  readonly links?: number;
  readonly dates?: number;
}

/** A sentence for each doubt of members that a service's own format does not read. */
export function* memberDoubts(unread: UnreadMembers): Generator<string> {
  yield* severalPlaces({ ...unread, isOfShop: false });
  for (const name of unread.unknown) {
    const { examples = new Set<string>() } = unread.profiles.get(name) ?? {};
    if (OF_TOWNS.test(unread.spelled.get(name) ?? "") && examples.size > 1) yield townsDoubt(name, examples);
  }
  yield* otherStates(unread);
}

const MAX_SHOWN = 4;

export function shownOf(values: Iterable<string>): string {
  return [...values]
    .slice(0, MAX_SHOWN)
    .map((value) => quote(value))
    .join(", ");
}

/** Columns that may name several places of the business: pages, and what was searched for. */
export function* severalPlaces({
  unknown,
  spelled,
  profiles,
  isOfShop,
}: UnreadMembers & { readonly isOfShop: boolean }): Generator<string> {
  for (const name of unknown) {
    const { examples = new Set<string>(), filled = 0, links = 0 } = profiles.get(name) ?? {};
    const spelling = spelled.get(name) ?? "";
    const areFew = examples.size > 1 && examples.size <= Math.max(MAX_SHOWN, filled / 2);
    if (MAY_BE_PLACES.test(spelling) && areFew && links === 0)
      yield `${quote(name)} (${shownOf(examples)}) may name several places of the business: if it does, import one file for each`;
    const isPage = /^(?:source_)?page(?:_url|_link)?$/.test(spelling) && !isOfShop;
    if (!(isPage || /^(?:query|search_(?:query|string|term)|keyword)$/.test(spelling)) || examples.size < 2) continue;
    if (filled < 2 || (!isPage && [...examples].some((value) => /^ChIJ|^https?:/.test(value)))) continue;
    const seems = isPage
      ? "may show several places of the business: if it does"
      : "is what was searched for: if it names several places of the business";
    yield `${quote(name)} (${shownOf(examples)}) ${seems}, import one file for each`;
  }
}

/** What a business or its customers have several of. As many as there are customers are theirs. */
const MAY_BE_PLACES =
  /^(?:(?:company|profile)(?:_name)?|property|shop|objekt|firma|unternehmen|entreprise|empresa|azienda|bedrijf|(?:full_|street_|formatted_)?address|adresse?|dirección|indirizzo|adres)$/;

/** Columns of towns, which may be the business's or its customers'. */
export const OF_TOWNS = new RegExp(`^(?:location|site|place|office|unit|label|${TOWN})$`);

export function townsDoubt(name: string, values: Iterable<string>): string {
  return `${quote(name)} (${shownOf(values)}) is taken for where the customers are: if it names several places of the business, import one file for each`;
}

/** Columns of names or words that may say which reviews are not for the public, and are not known to. */
export function* otherStates({ unknown, spelled, profiles }: UnreadMembers): Generator<string> {
  for (const name of unknown) {
    const spelling = spelled.get(name) ?? "";
    const { examples = new Set<string>(), dates = 0 } = profiles.get(name) ?? {};
    const values = [...examples];
    const isOfChoice = OF_CHOICE.test(spelling) && values.every(isAnswer);
    const isOfEnd = OF_END.test(spelling) && dates > 0;
    const isOfSecret = OF_SECRET.test(spelling) && values.some(isAnswer);
    const isOfMarks = values.length > 1 && values.every((value) => MARK.test(value)) && values.some(isAnswer);
    const suspicious = values.filter((value) => OF_SUSPICION.test(value));
    if (OF_OPT_IN.test(spelling) && values.some(isAnswer))
      yield `${quote(name)} (${shownOf(values)}) does not say to what, and hides no review: if it is to being published, take out the reviews of those who did not agree`;
    if (
      values.length === 0 ||
      !(isOfChoice || isOfSecret || isOfMarks || isOfEnd || OF_ACCESS.test(spelling) || suspicious.length > 0)
    )
      continue;
    yield stateDoubt(name, suspicious.length > 0 ? suspicious : values);
  }
}

export function stateDoubt(name: string, values: Iterable<string>): string {
  return `${quote(name)} (${shownOf(values)}) is not known to say which reviews are shown: if it does, take out those that are not`;
}

/** An agreement to letters of advertising, or perhaps to more. */
const OF_OPT_IN =
  /^(?:is_|has_)?(?:double_)?opt(?:ed)?_?in(?:_(?:status|at|date))?$|^(?:dsgvo|gdpr|rgpd|avg)(?:_(?:consent|einwilligung|zustimmung|consentement|consentimiento|consenso|toestemming|ok))?$/;
/** Questions whose answer says that a review is for the business alone. */
const OF_SECRET = /between_us|confidential|vertraulich|unter_uns|entre_nous|entre_nosotros|tra_di_noi|onder_ons/;
/** A box that is ticked, crossed or waiting. */
const MARK = /^[✓✔✅☑✗✘✖❌☐⬜⏳⌛🕐👍👎🚫⛔❎🟢🔴🟡]\uFE0F?$/u;
const OF_CHOICE =
  /^(?:(?:testimonial|review|quote|feedback)_ok|ok|okay|use|pick|picked|select|selected|include|included|keep|choose|chosen|yes|ja|oui)$/;
const OF_ACCESS =
  /^(?:acl|access|access_(?:level|control|group)|permissions?|visible_to|viewers?|allowed_(?:roles|groups|users)|roles?_allowed)$/;
const OF_END =
  /^(?:expires|expired|expires_(?:at|on)|expiry|expiry_date|expiration|expiration_date|valid_(?:until|to|through)|gültig_bis|ablaufdatum|valable_jusqu'au|válido_hasta|valido_fino_al|geldig_tot)$/;
const OF_SUSPICION =
  /\b(?:fake|spam|bogus|flagged|not (?:a|our) (?:real )?customer|gefälscht|kein(?:e)? kund(?:e|in)|faux avis|pas (?:un|notre) client)\b/i;
