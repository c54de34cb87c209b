/** Validates a review from an export. Returns a candidate, or all its faults at once. */
import { quote } from "../../issue.ts";
import { isReviewId, MAX_ADDRESS_LENGTH } from "../../review.ts";
import type { Candidate, CandidateReply, FieldName, FieldNames, FieldResult, RawReview } from "./candidate.ts";
import { customerWords, oneLine } from "./customer-text.ts";
import { dayOf, type ReviewTime } from "./iso-time.ts";
import { type SourceDefaults, sourceOf } from "./review-source.ts";
import { readStars } from "./star-rating.ts";
import { isTranslationAlone } from "./translation-labels.ts";

/** Settings of an import that apply to all its reviews. */
export interface ImportDefaults extends SourceDefaults {
  /** The business's time zone. */
  readonly zone: string;
  /** Its name, and whose reviews it takes for verified, as far as these are known. */
  readonly businessName?: string | undefined;
  readonly verifiedSources?: readonly string[] | undefined;
  /** Its own web site. */
  readonly website?: string | undefined;
  /** Called for each optional field that is left out because it is invalid. */
  readonly onLeftOut?: ((fault: FieldFault) => void) | undefined;
}

/** A fault: the field, its name in the export, and the rest of the message. */
export interface FieldFault {
  readonly name: FieldName;
  readonly field: string;
  readonly message: string;
}

export const MAX_TEXT_BYTES = 1_000_000;
/** UTF-8 bytes for each UTF-16 unit of a string. */
const MAX_BYTES_PER_UNIT = 3;
const TRUE = new Set(["true", "yes", "y", "1"]);
const FALSE = new Set(["false", "no", "n", "0"]);

/** Validates all fields of a review. */
export function validateReview(
  review: RawReview,
  names: FieldNames,
  defaults: ImportDefaults,
): Candidate | FieldFault[] {
  const faults: FieldFault[] = [];
  const fault = (name: FieldName, message: string) => ({ name, field: names[name] ?? name, message });
  /** Returns the value of a result, or records its fault. */
  const take = <Value>(name: FieldName, result: FieldResult<Value>): Value | undefined => {
    if ("value" in result) return result.value;
    faults.push(fault(name, result.fault));
    return undefined;
  };
  /** Returns the value of a result. A fault leaves the field out, so that the stored value stays. */
  const takeIfGood = <Value>(name: FieldName, result: FieldResult<Value>): Value | undefined => {
    if ("value" in result) return result.value;
    defaults.onLeftOut?.(fault(name, result.fault));
    return undefined;
  };
  const day = (written: ReviewTime): FieldResult<string> => {
    const result = dayOf(written, defaults.zone);
    return "fault" in result ? result : { value: result.day };
  };
  const reply = (): CandidateReply | null | undefined => {
    const { owner_reply } = review;
    if (owner_reply === undefined || owner_reply === null) return owner_reply;
    const text = takeIfGood("reply_text", words(owner_reply.text));
    if (text === null || text === undefined) return text;
    const { written } = owner_reply;
    const date = written === null ? undefined : takeIfGood("reply_written", day(written));
    if (written === null || date === undefined) return { text, date: null, replied_at: null };
    return { text, date, replied_at: instantOf(written) };
  };
  const text = (): string | null | undefined => {
    const result = words(review.text);
    return "tooLong" in result ? take("text", result) : takeIfGood("text", result);
  };
  const source = sourceOf(review, defaults);
  const rating = take("rating", readStars(review.rating));
  const date = take("written", day(review.written));
  const id = takeIfGood("id", ownId(review.id)) ?? null;
  const isPublished = id !== null && date !== undefined && isReviewId(id, date);
  const updated = review.updated === undefined ? undefined : takeIfGood("updated", day(review.updated));
  const candidate = {
    source,
    source_id: isPublished ? null : id,
    published_id: isPublished ? id : undefined,
    author: takeIfGood("author", author(review.author)),
    author_avatar_url: takeIfGood("author_avatar_url", link(review.author_avatar_url)),
    rating: rating ?? 0,
    date: date ?? "",
    written_at: instantOf(review.written),
    text: review.text === undefined ? undefined : text(),
    source_url: takeIfGood("source_url", publicLink(review.source_url)),
    owner_reply: reply(),
    row_verified: takeIfGood("verified", truth(review.verified)),
    hidden: review.hidden,
    updated_at: updated === undefined ? undefined : (instantOf(review.updated) ?? undefined),
  };
  return faults.length > 0 ? faults : candidate;
}

function ownId(value: unknown): FieldResult<string | null> {
  if (value === undefined || value === null) return { value: null };
  if (typeof value === "number" && Number.isSafeInteger(value)) return { value: String(value) };
  if (typeof value !== "string") return { fault: `is ${quote(value)}, but must be text or a whole number` };
  const id = oneLine(value);
  if (id.length > 1000) return { fault: `is ${quote(value)}, but must be no longer than 1000 characters` };
  return { value: id === "" ? null : id };
}

const E_MAIL = /^[^\s@]{1,64}@[^\s@]{1,200}\.\p{L}{2,}$/u;

/** A number with its country, or with blanks or signs between its digits. */
const TELEPHONE =
  /^(?:\+|00)\d[\d\s()./-]{6,20}$|^\(?0\d{1,5}[\s()./-]+\d[\d\s()./-]{4,16}$|^\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$/;
/** What a page shows beside a name, and is copied with it: `Local Guide · 12 reviews`. */
const BESIDE_NAME =
  /(?:\s*·)?(?:\s*\bLocal Guide)?\s*·\s*\d[\d.,]*\s(?:reviews?|photos?|rezension(?:en)?|fotos?|avis|reseñas?|recensioni|recensies?|opini[eio]s?)(?:\s*·.*)?$/iu;

function author(value: unknown): FieldResult<string | undefined> {
  if (value === undefined || value === null) return { value: undefined };
  if (typeof value !== "string" && typeof value !== "number")
    return { fault: `is ${quote(value)}, but must be a name` };
  const line = oneLine(String(value));
  if (line.length > 1000) return { fault: `is ${quote(value)}, but must be no longer than 1000 characters` };
  const name = line.replace(BESIDE_NAME, "").replace(CONTACT, "").replace(NUMBER_BEHIND, "").trim();
  if (E_MAIL.test(name)) return { fault: "is an e-mail address, and no name to publish" };
  if (TELEPHONE.test(name)) return { fault: "is a telephone number, and no name to publish" };
  return { value: name === "" ? undefined : name };
}

/** An address of mail beside a name: `Ann <ann@example.org>`; and a telephone number behind it. */
const CONTACT =
  /(?<=\S)(?:[\s,;:–-]+[<([]?|[<([])(?:mailto:)?[^\s@<>()[\]]{1,64}@[^\s@<>()[\]]{1,200}\.\p{L}{2,}[>)\]]?$/u;
const NUMBER_BEHIND = /(?<=\p{L}\.?)[\s,;:–-]*[([]?(?:\+|0)\d[\d\s()./-]{7,20}$/u;

const TRANSLATION =
  "is Google's translation without the customer's own words (ask for those: of the Places API with reviews_no_translations=true)";

/** A text above 1 MB has the record refused (interface §5); any other fault leaves the text out. */
function words(given: unknown): FieldResult<string | null> | { readonly fault: string; readonly tooLong: true } {
  if (given === undefined || given === null) return { value: null };
  const value = typeof given === "number" ? String(given) : given;
  if (typeof value !== "string") return { fault: `is ${quote(value)}, but must be text` };
  const bytes = value.length * MAX_BYTES_PER_UNIT > MAX_TEXT_BYTES ? Buffer.byteLength(value, "utf8") : 0;
  if (bytes > MAX_TEXT_BYTES) {
    return { fault: `has ${bytes} bytes, but must have no more than ${MAX_TEXT_BYTES} (1 MB)`, tooLong: true };
  }
  const own = customerWords(value);
  return own !== null && isTranslationAlone(own) ? { fault: TRANSLATION } : { value: own };
}

/**
 * An address that is certain to be valid, so that it need not be parsed: a host of labels that begin with a letter, none
 * of them encoded (`xn--`), and after it only characters that may stand there.
 */
const PLAIN_ADDRESS =
  /^https?:\/\/(?:(?!xn--)[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.)+(?!xn--)[a-z]{2,}\/[\w\-.~!$&'()*+,;=:@%/?#]*$/;

/** An ampersand of an address that was copied from a page's source. */
const AMPERSAND = /&(?:amp;)?(?:amp|#0{0,5}38|#x0{0,4}26);/gi;

function link(value: unknown): FieldResult<string | null | undefined> {
  if (value === undefined || value === null) return { value };
  if (typeof value !== "string") return { fault: `is ${quote(value)}, but must be an http or https address` };
  const text = value.trim().replace(AMPERSAND, "&");
  if (text === "") return { value: null };
  if (text.length > MAX_ADDRESS_LENGTH)
    return { fault: `has ${text.length} characters, but must have no more than ${MAX_ADDRESS_LENGTH}` };
  if (PLAIN_ADDRESS.test(text)) return { value: text };
  const address = text.startsWith("//") ? `https:${text}` : text;
  const isWeb = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(address) && URL.canParse(address) && address.isWellFormed();
  return isWeb ? { value: address } : { fault: `is ${quote(value)}, but must be an http or https address` };
}

/** An address of mail, or a key, in an address: `?email=ann%40example.org`, `&token=…`; and a page of those who run a site. */
const NOT_PUBLIC =
  /[\w.+-](?:@|%40)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|[?&](?:access_?token|token|api_?key|auth|password|secret)=|^https?:\/\/admin\.|\/(?:wp-)?admin\//i;

/** The address of a review, which is published. */
function publicLink(value: unknown): FieldResult<string | null | undefined> {
  if (typeof value === "string" && NOT_PUBLIC.test(value))
    return { fault: "holds an e-mail address, a key or an admin's page, and is not for the public" };
  return link(value);
}

function truth(value: unknown): FieldResult<number | undefined> {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === undefined || word === null || word === "") return { value: undefined };
  if (word === true || word === 1 || TRUE.has(word as string)) return { value: 1 };
  if (word === false || word === 0 || FALSE.has(word as string)) return { value: 0 };
  return { fault: `is ${quote(value)}, but must be true or false` };
}

function instantOf(written: ReviewTime | undefined): string | null {
  return written !== undefined && "instant" in written ? written.instant : null;
}
