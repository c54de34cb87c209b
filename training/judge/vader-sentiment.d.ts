/** The analyser of the vader-sentiment package, a baseline. */
declare module "vader-sentiment" {
  const vader: { SentimentIntensityAnalyzer: { polarity_scores(text: string): { compound: number } } };
  export default vader;
}
