/** The vader-sentiment package's lexicon: mean valences by word, -4 to 4. */
declare module "vader-sentiment/src/vader_lexicon.js" {
  export const lexicon: Readonly<Record<string, number>>;
}
