/** `chain.yaml`: the chain that a folder of sites is, with a page of its own. */
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { quote } from "../../issue.ts";
import { readSmallFile } from "../../lib/small-file.ts";
import type { Chain } from "../../page/chain-page.ts";
import { origin } from "../config.ts";

/** No site has such a name. */
export const CHAIN_FILE = "chain.yaml";

/** Missing sites that a message names. */
const MAX_NAMED = 10;

const chainSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  base_url: z.string().transform((text, context) => {
    const address = text === "" ? undefined : origin(text);
    if (address === undefined)
      context.addIssue({ code: "custom", message: "must be an http or https address without a path" });
    return address ?? "";
  }),
  description: z.string().trim().max(2_000).optional(),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i)
    .optional(),
  language: z.string().refine(isLanguage, "must be a language tag, such as en-IE").default("en"),
  sites: z.array(z.string()).optional(),
});

/** A chain, and the names of its sites; all of the folder if they are not named. */
export interface ChainFile extends Chain {
  readonly sites?: readonly string[] | undefined;
}

/** Reads the chain of a folder; undefined if it is none. @throws Error that says what is wrong with the file. */
export function readChain(folder: string): ChainFile | undefined {
  const text = readSmallFile(join(folder, CHAIN_FILE));
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new Error(`${CHAIN_FILE} is no valid YAML`, { cause: error });
  }
  const parsed = chainSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const members = [...new Set(parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`))];
  throw new Error(`${CHAIN_FILE} is at fault. ${members.join("; ")}`);
}

/** What is wrong with the sites that a chain names; undefined if each is among those that there are. */
export function faultOfSites({ sites = [] }: ChainFile, names: readonly string[]): string | undefined {
  const known = new Set(names);
  const missing = [...new Set(sites)].filter((name) => !known.has(name));
  if (missing.length === 0) return undefined;
  return `${CHAIN_FILE} names what is no site: ${missing.slice(0, MAX_NAMED).map(quote).join(", ")}${missing.length > MAX_NAMED ? " …" : ""}`;
}

/** The path of the file, which changes with it. */
export function chainPath(folder: string): string {
  return join(folder, CHAIN_FILE);
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
