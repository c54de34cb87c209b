/** What the words mean that answers, pages and datasets use of all reviews, for those who read them by program. */

/** Each term with its meaning, as the end of a sentence. */
export const ANSWER_TERMS: readonly (readonly [term: string, meaning: string])[] = [
  [
    "verified",
    "the business vouches for the review, or for the place where it was written; only such reviews are published",
  ],
  ["poor", "one or two stars (in messages to the owner, three or fewer)"],
  ["answered", "the owner has replied: `owner_reply` is not null, `has_reply=true` finds it"],
  ["aspect", "what customers of the trade judge, from a fixed list: staff, price, waiting"],
  ["topic or theme", "what this business’s customers name by themselves: parking, a dish"],
  [
    "mention or finding",
    "a part of a review’s text that says something of an aspect, shown as `evidence`: praise (positive), criticism (negative), or neither (neutral)",
  ],
  ["score", "from -1, all bad, to 1, all good"],
  [
    "improving, declining",
    "the mean stars of the newest six months are at least 0.2 above or below those of the twelve before, and by more than chance; otherwise steady, and with fewer than ten reviews in either period insufficient_data",
  ],
  ["none recognised", "the analysis found nothing, which does not mean that no review says it: search by `words`"],
  ["unread", "written in a language that is not analysed: such a text counts in no share or score"],
  [
    "withheld, withdrawn, removed",
    "not verified; taken out with its source or by a newer export; taken out for good by the owner",
  ],
];
