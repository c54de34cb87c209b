/** The lexicon of the vader-sentiment package: a word and its mean valence, -4 to 4. */
declare module "vader-sentiment/src/vader_lexicon.js" {
  export const lexicon: Readonly<Record<string, number>>;
}
