/** The pages' strings in English: the reference list, which every translation must match. */

/** A sentence in the plural forms of its language (CLDR); `{count}` is the number. */
export interface Counted {
  readonly one: string;
  /** For whole millions, where the language has such a form and it differs: “1.000.000 de reseñas”. */
  readonly many?: string;
  readonly other: string;
}

export const ENGLISH = {
  skip: "Skip to the content",
  reviewsOf: "Reviews of {name}",
  sample:
    "This is a sample: the business, its people and its reviews are invented. Your own first import replaces them.",
  home: "Overview",
  allReviews: "All reviews",
  navigation: "Pages",
  developers: "For developers",
  forYourSite: "For the business’s own site",
  starsOfFive: "{stars} of 5 stars",
  noReviewsYet: "No reviews yet",
  noReviewsHint: "As soon as reviews of {name} are published, they appear here.",
  verifiedReviews: { one: "{count} verified review", other: "{count} verified reviews" },
  reviews: { one: "{count} review", other: "{count} reviews" },
  verifiedMeaning:
    "Verified means that the business vouches for the review, or for the place where it was written. Good and bad reviews are shown alike, and their words are never rewritten. A name, the words or a whole review may have been removed, for example because a customer asked for it.",
  descriptionOf: "{name}: {stars} of 5 stars from {reviews}, with what customers praise and criticise.",
  descriptionNone: "Customer reviews of {name}.",
  call: "Call {telephone}",
  website: "Website",
  email: "E-mail",
  address: "Address",
  telephone: "Telephone",
  hours: "Opening hours",
  closed: "Closed",
  areas: "Areas served",
  prices: "Prices",
  contact: "Contact",
  elsewhere: "Also on",
  summary: "In short",
  praisedFor: "Most praised",
  criticisedFor: "Most criticised",
  // Continues a number of critical reviews with the topics that they name: “AC 8, parking 6 and lift 5”.
  namedThere: "; named there: {topics}",
  customersMention: "Customers mention",
  distribution: "How many stars customers gave",
  distributionDescription: "Bar chart: {list}.",
  starsName: { one: "{count} star", other: "{count} stars" },
  share: "Share",
  count: "Reviews",
  stars: "Stars",
  asTable: "The figures as a table",
  aspects: "What customers say, by topic",
  /** `{list}`: names of languages. */
  unread: {
    one: "{count} review is in a language that is not read here ({list}): what it says is in no topic, score or quotation.",
    other:
      "{count} reviews are in languages that are not read here ({list}): what they say is in no topic, score or quotation.",
  },
  aspectsNote: "Praise to the right, criticism to the left; the number is how many reviews say it.",
  aspectsDescription: "Bar chart of praise and criticism for each topic: {list}.",
  aspect: "Topic",
  /** The aspects of the bundled taxonomies, by their labels there. */
  aspectLabels: {
    Punctuality: "Punctuality",
    Responsiveness: "Responsiveness",
    Scheduling: "Scheduling",
    Pricing: "Pricing",
    Honesty: "Honesty",
    "Technical knowledge": "Technical knowledge",
    Workmanship: "Workmanship",
    Professionalism: "Professionalism",
    Communication: "Communication",
    Cleanliness: "Cleanliness",
    Staff: "Staff",
    Quality: "Quality",
    "Price and value": "Price and value",
    "Speed and waiting": "Speed and waiting",
    Place: "Place",
    "Communication and booking": "Communication and booking",
    "Food and drink": "Food and drink",
    Gentleness: "Gentleness",
    Waiting: "Waiting",
    Appointments: "Appointments",
    Manner: "Manner",
    Explanation: "Explanation",
    Cost: "Cost",
    Trust: "Trust",
    Results: "Results",
    "Cleanliness of the practice": "Cleanliness of the practice",
  },
  praise: "Praise",
  neutral: "Neither",
  criticism: "Criticism",
  aspectFigures: "{label}: {praise} praise, {criticism} criticise",
  inTheirWords: "In customers’ words",
  months: "Month by month",
  monthsScale: {
    one: "Line: average stars. Bars: reviews per month, at most {count}.",
    other: "Line: average stars. Bars: reviews per month, at most {count}.",
  },
  monthsDescription:
    "Line of the average stars of each month and bars of its number of reviews, {from} to {to}. Highest month {best}, lowest {worst}.",
  newestMonths: "The newest {shown} of {count} months; the table has all of them.",
  month: "Month",
  average: "Average stars",
  none: "none",
  /** In place of `monthsDescription`, where no month is above another. */
  monthsAlike:
    "Line of the average stars of each month and bars of its number of reviews, {from} to {to}. The average is the same in every month: {stars}.",
  /** `{recent}` and `{before}`: numbers of reviews; `{recentStars}` and `{beforeStars}`: their mean stars. */
  improving:
    "Lately customers are more satisfied than before: {recentStars} stars on average in the six months to {month} (reviews: {recent}), {beforeStars} in the twelve months before ({before}).",
  steady:
    "No clear change in satisfaction: {recentStars} stars on average in the six months to {month} (reviews: {recent}), {beforeStars} in the twelve months before ({before}).",
  declining:
    "Lately customers are less satisfied than before: {recentStars} stars on average in the six months to {month} (reviews: {recent}), {beforeStars} in the twelve months before ({before}).",
  insufficient_data:
    "There are too few reviews to tell a trend: {recent} in the six months to {month}, {before} in the twelve months before.",
  whenItGoesWrong: "When a customer is not satisfied",
  poorReviews: { one: "{count} review gave one or two stars.", other: "{count} reviews gave one or two stars." },
  poorReplies: { one: "The owner replied to {count} of these.", other: "The owner replied to {count} of these." },
  trust: { one: "Why you can trust this review", other: "Why you can trust these reviews" },
  writtenBetween: {
    one: "{count} review, written on {to}.",
    other: "{count} reviews, written from {from} to {to}.",
  },
  eachNamesItsSource: { one: "It names where it was written.", other: "Each names where it was written." },
  linked: { one: "{count} links to the original.", other: "{count} link to the original." },
  givenDirectly: {
    one: "{count} was given to the business directly, with {stars} of 5 stars.",
    other: "{count} were given to the business directly, with {stars} of 5 stars on average.",
  },
  ownerReplied: { one: "The owner replied to {count} review.", other: "The owner replied to {count} reviews." },
  people: "The people customers name",
  services: "The services customers write about",
  places: "Where customers are",
  name: "Name",
  mentionedBy: "Reviews",
  andMore: { one: "{count} more", other: "{count} more" },
  readReview: "Read the review",
  questions: "Questions, answered from the reviews",
  groundedIn: "Reviews behind this answer:",
  newest: "Newest reviews",
  newestOf: "Newest:",
  newestWithText: "Newest reviews with text",
  readAll: { one: "Read the review", other: "Read all {count} reviews" },
  readByStars: "Read reviews with:",
  /** Names that an import gives to authors without one, and to redacted ones. */
  authors: { "A Google user": "A Google user", Anonymous: "Anonymous", Customer: "Customer" },
  withoutWords: "Stars only: no words are published here.",
  starsOnly: "stars only",
  ownerReply: "Reply from {name}",
  readOn: "Read on",
  reviewBy: "Review by {author}",
  replyTo: "Reply to {author}",
  reviewTitle: "{stars} from {author}, {date}",
  via: "on {source}",
  viaLink: "Read it on {source}",
  firstParty: "given to the business directly",
  verified: "verified",
  analysis: "What this review says",
  analysisNote: "Found in the words above by the analysis of all reviews; the marked words are the evidence.",
  unknownLanguage: "unknown",
  unreadReview: "Its language, {language}, is not read here: it counts by its stars alone.",
  overall: "Overall",
  positive: "positive",
  negative: "negative",
  neutralTone: "neutral",
  corrected: "corrected by the business",
  mentions: "Mentions",
  newer: "Newer review",
  older: "Older review",
  aboutBusiness: "About the business",
  asJson: "As data (JSON)",
  search: "Search",
  searchReviews: "Search the reviews",
  searchNeedsScript: "On this site the search needs JavaScript. All reviews can be read below without it.",
  searchHint: "words in the reviews",
  anyRating: "Any rating",
  exactly: "Only {stars}",
  atLeast: "{stars} or more",
  atMost: "{stars} or fewer",
  rating: "Exact stars",
  minRating: "At least",
  maxRating: "At most",
  anyWords: "Any of these words",
  allWords: "All of these words",
  lookIn: "Look for words in",
  inText: "Reviews",
  inReply: "Replies",
  inBoth: "Reviews and replies",
  textLanguage: "Language",
  anyLanguage: "Any language",
  topic: "Topic",
  anyTopic: "Any topic",
  technician: "Technician",
  anyTechnician: "Anybody",
  service: "Service",
  anyService: "Any service",
  text: "Text",
  anyText: "With or without",
  withText: "With text",
  withoutText: "Stars only",
  onlyWithText: "Only reviews with text",
  reply: "Owner’s reply",
  anyReply: "With or without",
  withReply: "With a reply",
  withoutReply: "Without a reply",
  pageBefore: "Previous page",
  pageAfter: "Next page",
  filterAndOrder: "Filter and order",
  order: "Order",
  newestFirst: "Newest first",
  oldestFirst: "Oldest first",
  highestFirst: "Most stars first",
  lowestFirst: "Fewest stars first",
  since: "From",
  until: "To",
  apply: "Show reviews",
  clear: "Clear all",
  chosen: "Filters in force",
  removeFilter: "Remove filter: {filter}",
  matched: { one: "{count} review matches", other: "{count} reviews match" },
  showing: "{from} to {to} shown",
  nothingMatches: "No review matches. Remove a filter to see more.",
  pastEnd: "This page is after the end of the list.",
  lastPage: "Last page",
  firstPage: "First page",
  previousPage: "Newer",
  nextPage: "Older",
  paging: "More reviews",
  pageNumber: "Page {page}",
  shortcut: "Ctrl + / jumps to the search field, Esc empties it.",
  searchOffline: "The reviews could not be fetched, so the list is as it was. Please try again when you are connected.",
  searchFault: "The search could not be understood",
  howGathered: "How these reviews were gathered",
  about: {
    title: "How these reviews were gathered",
    intro:
      "Where the reviews of {name} come from, which are not shown, and what was changed, so that anyone can check it.",
    questions: {
      gathered: "How are the reviews gathered?",
      genuine: "Are they by real customers?",
      rewarded: "Is anything given for a review?",
      complete: "Are all reviews shown, bad ones too?",
      moderated: "Who decides what is taken out?",
      fake: "What is done about fake reviews?",
      replies: "Who writes the replies?",
      twice: "Is a review shown twice?",
      rating: "How are the stars calculated, and the reviews sorted?",
      summaries: "How are the summaries made?",
      corrected: "Has the business changed what the summaries say?",
      changes: "What has changed?",
    },
    gathered:
      "The business imports them from the places where they were written, and a program publishes them as they stand there.",
    notWrittenHere: "No review can be written on these pages.",
    imported: "Imported from {first} to {last}.",
    importedOnce: "Imported on {first}.",
    newest: "The newest is from {date}.",
    verifiedBy: {
      source: "The business vouches for this source.",
      row: "Only reviews that this source’s own records mark as verified are shown.",
    },
    genuine: "Whether somebody is a real customer is checked where the review was written, if at all, and not here.",
    rewarded:
      "These pages offer nothing for a review. Whether somebody was given something for one elsewhere cannot be told from the records: that depends on the rules of the place where it was written, and the business must say so.",
    complete: "Every verified review is shown, good or bad, except those counted here as withdrawn or removed.",
    withheld: {
      one: "{count} is withheld, because nothing verifies it or the business’s own system hides it.",
      other: "{count} are withheld, because nothing verifies them or the business’s own system hides them.",
    },
    withdrawn: {
      one: "{count} was withdrawn, because its source no longer has it or the whole source was taken out.",
      other: "{count} were withdrawn, because their source no longer has them or the whole source was taken out.",
    },
    removed: { one: "{count} was removed one by one.", other: "{count} were removed one by one." },
    nothingLeftOut: "None is withheld, withdrawn or removed at present.",
    moderated:
      "The business alone, for example when a customer asks for it or a court orders it. It can remove a whole review, the author’s name or the words; it cannot change what a review says or how many stars it gives.",
    redacted: { one: "{count} name or text is hidden.", other: "{count} names or texts are hidden." },
    fake: "Fake reviews, and reviews written for an undisclosed reward, are not welcome here. Report one to the place where it was written or to the business. What is taken down there can be taken out here with the next complete export.",
    replies:
      "The business, in the place where the review was written. A reply is shown with its review, in full, and changes neither the stars nor the order.",
    shownOnce: "No. A review found in two places is shown once.",
    duplicates: { one: "{count} copy is not shown.", other: "{count} copies are not shown." },
    rating:
      "The average is taken over the stars of all reviews shown here, rounded to two decimals; none counts more than another. The newest come first, and readers can choose another order.",
    summary: "A program writes them from the figures.",
    ownSummary: "The summary at the top is the business’s own words; a program writes all the others from the figures.",
    analysis:
      "It reads every review in the languages that it knows, good and bad ones alike, and each statement names the reviews behind it. Reviews in other languages count by their stars alone.",
    corrections: "It can correct what the program found in a review, and each correction is counted here.",
    correctionFigures: "Criticism set aside: {criticism}. Praise set aside: {praise}. Other corrections: {changed}.",
    changes: "The latest changes to what is shown:",
    noChanges: "Nothing yet.",
    kinds: {
      import: "import",
      withdrawal: "source withdrawn",
      removal: "removal",
      redaction: "name or words hidden",
      restore: "backup restored",
      undo: "last change undone",
      correction: "correction of what was found",
    },
    figures: {
      published: { one: "{count} shown", other: "{count} shown" },
      withheld: { one: "{count} withheld", other: "{count} withheld" },
      added: { one: "{count} added", other: "{count} added" },
      changed: { one: "{count} changed", other: "{count} changed" },
      withdrawn: { one: "{count} withdrawn", other: "{count} withdrawn" },
      removed: { one: "{count} removed", other: "{count} removed" },
      redacted_author: { one: "{count} without its author’s name", other: "{count} without their authors’ names" },
      redacted_text: { one: "{count} without its words", other: "{count} without their words" },
    },
    asData: "All figures and the last 1,000 changes as data",
  },
  follow: "Stay up to date",
  followFeed: "Follow the reviews in a feed reader",
  followAgent: "Ask an AI assistant about them: connect it to",
  followData: "Read everything as data",
  followPush: "Be notified of changes (WebSub)",
  chain: {
    find: "Find a place: name or town",
    show: "Show",
    places: { one: "{count} place", other: "{count} places" },
    own: "Each place has its own reviews and its own rating. They are not mixed.",
  },
  errorTitle: {
    "400": "This request could not be understood",
    "404": "There is nothing at this address",
    "405": "This address does not work that way",
    "410": "This review is no longer published",
    "414": "This address is too long",
    "421": "Nothing is published here",
    "429": "Too many requests",
    "500": "Something went wrong here",
    "503": "Just starting",
  },
  errorHelp: {
    "400": "Check the address, or start again from the overview.",
    "404": "The address may be mistyped, or what stood here has moved.",
    "405": "Open it as a page, or start again from the overview.",
    "410": "It was taken out. All published reviews are still here.",
    "414": "Shorten the search.",
    "421": "Check the address. If it is right, try again later.",
    "429": "Please wait a moment and try again.",
    "500": "It is in the server’s log. Please try again in a moment.",
    "503": "The reviews are being prepared. This page goes on by itself as soon as they are ready.",
  },
  tryAgain: "Try again",
  goHome: "Go to the overview",
  goReviews: "Read all reviews",
  embedTitle: "Show the reviews on your own site",
  embedIntro:
    "Copy one of these into your web site. All of them update by themselves, set no cookies, track nobody, and load from this address only.",
  badge: "Badge",
  badgeMeaning:
    "A picture (SVG) with the stars, their number and the date, for web pages. Most e-mail programs do not show SVG.",
  frame: "Newest reviews, without script",
  frameMeaning: "A frame with the newest reviews that have words. Its links open outside the frame.",
  element: "Newest reviews, in your site’s own look",
  elementMeaning:
    "A custom element that takes fonts and colours from your site. It shows the newest reviews that have words; the attribute `count` says how many, 1 to 10.",
  policyNeeds: "If your site has a Content Security Policy, it needs {directives}.",
  policyTypes: "A site that requires trusted types must also allow {directives}.",
  markup: "For search engines (JSON-LD)",
  markupMeaning:
    "Structured data about the business and its rating. It is a copy of today’s figures: paste it again when they have changed, or let your site’s system fetch /reviews.json.",
  markupMeaningUnrated:
    "Structured data that describes the business, without stars: search engines do not accept a rating made from reviews on other sites.",
  preview: "Preview",
  code: "Code to copy",
  copy: "Copy",
  copied: "Copied",
  asOf: "as of {date}",
  noRating: "No reviews yet",
  frameTitle: "Newest reviews of {name}",
} as const;

/** The keys of the English strings, with any text. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Counted ? Counted : Translated<T[K]>;
};
export type Words = Translated<typeof ENGLISH>;

/** Sentences of the summary and the questions, for languages other than English: see page-prose.ts. */
export interface Prose {
  /** `{name}`, `{stars}` (mean), `{reviews}`, `{from}` and `{to}` (months). */
  readonly opening: {
    /** Of one review. */
    readonly single: string;
    /** Of several that were written in one month, `{to}`. */
    readonly oneMonth: string;
    readonly months: string;
  };
  /** `{list}`: aspects or people, each with its number of reviews. */
  readonly praised: string;
  readonly criticised: string;
  readonly named: string;
  /** `{aspect}`. */
  readonly aspectQuestion: string;
  /** `{reviews}`: three or more. */
  readonly aspectPraise: string;
  readonly aspectCriticism: string;
  /** `{reviews}`: those that name the topic, three or more. */
  readonly topicNamed: string;
  readonly techniciansQuestion: string;
  readonly servicesQuestion: string;
  readonly areasQuestion: string;
  readonly complaintsQuestion: string;
  readonly poorRatings: Counted;
}
