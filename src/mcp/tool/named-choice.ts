/** Chooses a technician, service or aspect by its id or name. */
import { foldCase } from "../../edition/case-folding.ts";
import { type Choice, listed, quote } from "../../issue.ts";
import { badArgument } from "./tool.ts";

/**
 * Finds the choice for `given` by id, by label, or by another name that no other choice shares, ignoring case.
 * @throws Invalid that lists the choices.
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
  throw badArgument(argument, `${argument} is ${quote(given)}, which ${fault}; the choices are ${listed(among)}`);
}
