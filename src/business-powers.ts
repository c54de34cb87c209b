/**
 * What a business file decides besides how the business is described: which addresses are fetched and what is sent to
 * them, and which reviews are published. Whoever takes over a file that somebody else may have written must see these.
 */
import { isDeepStrictEqual } from "node:util";
import { type BusinessFile, businessFileSchema, businessSchema, UNNAMED_BUSINESS } from "./business.ts";

/** Members that only describe or present the business. Every other one is a power, also one that is added later. */
const PRESENTATION = ["taxonomy", "summary", "language", "color", "structured_data"];
const DESCRIPTION = new Set([...Object.keys(businessSchema.shape), ...PRESENTATION]);
const POWERS = Object.keys(businessFileSchema.shape).filter((member) => !DESCRIPTION.has(member));

/** Whether a member decides more than how the business is described. */
export function isPower(member: string): boolean {
  return POWERS.includes(member);
}

/** The powers that differ between two business files, a line for each entry; undefined stands for no business file. */
export function changedPowers(before: BusinessFile | undefined, after: BusinessFile | undefined): string[] {
  return POWERS.flatMap((member) => {
    const [old, given] = [entriesOf(before, member), entriesOf(after, member)];
    const line = (what: string) => (entry: string) =>
      `${member}, ${what}: ${member === "notices" ? withoutPath(entry) : entry}`;
    return [
      ...given.filter((entry) => !old.includes(entry)).map(line("new")),
      ...old.filter((entry) => !given.includes(entry)).map(line("no longer")),
    ];
  });
}

/** An entry of `notices` with the host of its address alone: the rest is often all that protects it. */
function withoutPath(entry: string): string {
  return entry.replace(/"to":"https:\/\/(?:[^"/@]*@)?([^"/?#]+)[/?#][^"]+"/, '"to":"https://$1/…"');
}

/** Whether two business files describe and present the business in the same way. */
export function isDescribedAlike(before: BusinessFile | undefined, after: BusinessFile | undefined): boolean {
  const [old, given] = [before ?? UNNAMED_BUSINESS, after ?? UNNAMED_BUSINESS] as Readonly<Record<string, unknown>>[];
  return [...DESCRIPTION].every((member) => isDeepStrictEqual(old?.[member], given?.[member]));
}

/** The entries of a member as text. */
function entriesOf(file: BusinessFile | undefined, member: string): string[] {
  const value = ((file ?? UNNAMED_BUSINESS) as Readonly<Record<string, unknown>>)[member];
  const entries = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
}
