/** `goodword sites`: lists the sites of a folder with their state. */
import { faultOfSites, readChain } from "../sites/chain-file.ts";
import { namesOfSites } from "../sites/site-folder.ts";
import { addressedSites } from "../sites/site-list.ts";
import { readSiteStatus, type SiteStatus } from "../sites/site-survey.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";

/** Prints a few lines for each site, or the list as JSON. @throws Error if the folder cannot be read. */
export async function sitesCommand(folder: string, json: boolean): Promise<void> {
  const { names, others, doubles } = namesOfSites(folder);
  for (const name of others)
    process.stderr.write(`warning: ${terminalText(name)} is no name of a site: a–z, 0–9 and -\n`);
  const fault = chainFault(folder, names);
  if (fault !== undefined) process.stderr.write(`warning: ${terminalText(fault)}\n`);
  const statuses: SiteStatus[] = [];
  for (const site of addressedSites(folder, { names, doubles }, process.env)) {
    statuses.push(await readSiteStatus(site, process.env));
    const { name, passedOver = [] } = site;
    if (passedOver.length > 0)
      process.stderr.write(`warning: ${name}: settings of the process have no effect here: ${passedOver.join(", ")}\n`);
  }
  if (json) return void process.stdout.write(`${JSON.stringify(statuses)}\n`);
  if (statuses.length === 0) {
    const first = "goodword import business.yaml reviews.csv --site NAME";
    return void process.stdout.write(asTyped(`There is no site in ${folder} yet. The first one is made by ${first}\n`));
  }
  for (const { name, base_url, state, reviews, newest_review, problem } of statuses) {
    const figures = `${reviews} ${reviews === 1 ? "review" : "reviews"}${newest_review === null ? "" : `, newest ${newest_review}`}`;
    process.stdout.write(`${name}  ${state}  ${base_url ?? "no address"}  ${figures}\n`);
    if (problem !== null) process.stdout.write(`  ${terminalText(problem)}\n`);
  }
}

/** What is wrong with the folder's chain.yaml; undefined if nothing is. */
function chainFault(folder: string, names: readonly string[]): string | undefined {
  try {
    const chain = readChain(folder);
    return chain && faultOfSites(chain, names);
  } catch (error) {
    return `the chain is not served: ${error instanceof Error ? error.message : String(error)}`;
  }
}
