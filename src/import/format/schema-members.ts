/**
 * What somebody has added to the members that schema.org has for a review (schema.org/Review, with those of CreativeWork and
 * Thing that pages give it): a plugin's state, a branch, a reply.
 */
import { isObject, type JsonObject } from "../../lib/json-object.ts";

const OF_SCHEMA = new Set(
  `additionalType alternateName description disambiguatingDescription identifier image mainEntityOfPage name owner
  potentialAction sameAs subjectOf url about abstract aggregateRating alternativeHeadline articleBody associatedMedia author
  comment commentCount contributor copyrightHolder copyrightNotice copyrightYear creativeWorkStatus creator creditText
  dateCreated dateModified datePublished discussionUrl editor encoding hasPart headline identifier inLanguage
  interactionStatistic interactionCount isBasedOn isBasedOnUrl isFamilyFriendly isPartOf license mainEntity maintainer mentions
  position producer provider publisher publishingPrinciples sdDatePublished sdLicense sdPublisher sourceOrganization
  summary text thumbnail thumbnailUrl translationOfWork translator upvoteCount downvoteCount version video workTranslation
  associatedClaimReview associatedMediaReview associatedReview bestRating itemReviewed negativeNotes positiveNotes
  ratingValue reviewAspect reviewBody reviewRating worstRating`.split(/\s+/),
);
/** Deeper objects are taken as they are. */
const MAX_DEPTH = 4;

/** The added members of a review, each value as plain JSON has it. */
export function addedMembers(node: JsonObject): JsonObject {
  const added = Object.entries(node).filter(([name]) => !name.startsWith("@") && !OF_SCHEMA.has(name));
  return Object.fromEntries(added.map(([name, value]) => [name, unwrapped(value)]));
}

/** A value out of its list of one, or of its literal with a type or a language. */
function unwrapped(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.length === 1 ? unwrapped(value[0], depth + 1) : value;
  if (!isObject(value)) return value;
  if ("@value" in value) return value["@value"];
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unwrapped(one, depth + 1)]));
}
