/** Chooses a technician, service or aspect by its id or name. */
import { foldCase } from "../../edition/case-folding.ts";
import { type Choice, listed, quote } from "../../issue.ts";
import { badArgument } from "./tool.ts";

/** Maximum number of characters of the choices in a tool's description. */
const MAX_DESCRIBED_CHARACTERS = 300;

/**
 * Finds the choice for `given` by id, by label, or by another name that no other choice shares, ignoring case.
 * @throws Invalid that lists the choices, and sends to the search if it is none of them.
 */
export function choose<T extends Choice>(
  argument: string,
  given: string,
  choices: readonly T[],
  otherNames: (choice: T) => readonly string[] = () => [],
): T {
  const sought = foldCase(given.trim());
  const is = (name: string) => foldCase(name) === sought;
  const exact = choices.find(({ id }) => is(id)) ?? choices.find(({ label }) => is(label));
  if (exact !== undefined) return exact;
  const named = choices.filter((choice) => otherNames(choice).some(is));
  if (named.length === 1 && named[0] !== undefined) return named[0];
  const fault = named.length === 0 ? "names none of them" : "names more than one of them";
  const among = named.length === 0 ? choices : named;
  const isWord = named.length === 0 && sought !== "";
  const instead = isWord ? `. To find reviews that say it, call search_reviews with words=${quote(given)}` : "";
  throw badArgument(
    argument,
    `${argument} is ${quote(given)}, which ${fault}; the choices are ${listed(among)}${instead}`,
  );
}

/** The first choices as text, short enough for a tool's description, which every model reads. */
export function brieflyListed(choices: readonly Choice[]): string {
  let characters = 0;
  const fitting = choices.findIndex((choice) => {
    characters += listed([choice]).length + 2;
    return characters > MAX_DESCRIBED_CHARACTERS;
  });
  return fitting === 0 ? "get_business lists them" : listed(choices, fitting < 0 ? choices.length : fitting);
}
