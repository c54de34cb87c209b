/** Agreement of two readers beyond chance: Cohen's kappa. */

/**
 * Cohen's kappa of pairs of categories, one pair for each thing that both readers judged: 1 is full agreement, 0 what
 * chance gives. NaN where it is not defined: no pairs, or both readers always gave one and the same category.
 */
export function kappa(pairs: readonly (readonly [string, string])[]): number {
  const share = (matches: (pair: readonly [string, string]) => boolean) => pairs.filter(matches).length / pairs.length;
  const observed = share(([first, second]) => first === second);
  const byChance = [...new Set(pairs.flat())]
    .map((category) => share(([first]) => first === category) * share(([, second]) => second === category))
    .reduce((sum, part) => sum + part, 0);
  return (observed - byChance) / (1 - byChance);
}
