/** `goodword init`: writes a business.yaml from options, from a Takeout's files, or from interactive questions. */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { stringify } from "yaml";
import { parseBusinessFile } from "../../import/business-file.ts";
import { languageWarning } from "../../import/import-advice.ts";
import { type FoundPlace, readForPlaces } from "../../import/importer.ts";
import { areDifferent, choosePlaces, placeLine, placesCalled } from "../../import/place/place-choice.ts";
import { Invalid } from "../../issue.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { pageLanguageOf } from "../../page-languages.ts";
import {
  type BusinessAnswers,
  businessYaml,
  completedAnswer,
  labelled,
  likelyLanguage,
  machineZone,
  telephoneHint,
} from "../init/business-answers.ts";
import { readTakeoutProfile } from "../init/takeout-profile.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { canAsk } from "./confirmation.ts";

export interface InitFlags {
  readonly takeout?: string;
  readonly location?: string;
  readonly name?: string;
  readonly category?: string;
  readonly timeZone?: string;
  readonly language?: string;
  readonly url?: string;
  readonly telephone?: string;
  readonly email?: string;
  readonly services?: string;
  readonly technicians?: string;
  readonly areas?: string;
}

/**
 * Writes `business.yaml` into the folder.
 * @throws Error if the file exists, or the name is unknown and there is no terminal to ask on.
 * @throws Invalid with all invalid answers, or with the places of a Takeout of which none is chosen.
 */
export async function initCommand(folder: string, flags: InitFlags): Promise<void> {
  const file = join(folder, "business.yaml");
  if (existsSync(file))
    throw new Error(`There is a ${file} already, and it stays as it is. Edit it, or move it away first`);
  const takeout = flags.takeout ?? (await findTakeout(folder));
  const given = answersOf(flags);
  const isInteractive = Object.keys(given).length === 0 && canAsk();
  const places = takeout === undefined ? [] : await placesIn(takeout);
  const place = await choosePlace(places, flags.location, isInteractive);
  const location = place?.ids.find(({ kind }) => kind === "location")?.id;
  const profile = takeout === undefined ? undefined : await readTakeoutProfile([takeout], location);
  if (flags.takeout !== undefined && profile === undefined)
    process.stderr.write(`${flags.takeout} does not describe the business itself, only its reviews\n`);
  const ofPlace = {
    ...(place?.name && { name: place.name }),
    ...(places.length > 1 && place && { location: place.id }),
  };
  const defaults: BusinessAnswers = { ...ofPlace, ...profile, ...given };
  const answers = isInteractive ? await ask(defaults) : defaults;
  if (answers.name === undefined) {
    throw new Error(
      `The name of the business is missing, and there is no terminal to ask on. Give at least the name, for example: goodword init --name "Northside Cooling" --category HVACBusiness --time-zone ${machineZone()}`,
    );
  }
  const complete = { name: answers.name, category: "LocalBusiness", time_zone: machineZone(), ...answers };
  const text = asTyped(businessYaml(complete));
  parseBusinessFile(file, text);
  makeFolder(folder);
  await writeFile(file, text, { flag: "wx" });
  const from = profile === undefined ? "" : `, from ${takeout}`;
  const zone =
    answers.time_zone === undefined
      ? ` The time zone is this machine's, ${complete.time_zone}: if the business is elsewhere, correct it, because the dates of reviews are days in it.`
      : "";
  const hint = answers.telephone === undefined || isInteractive ? undefined : telephoneHint(answers.telephone);
  if (hint !== undefined) process.stderr.write(`warning: ${hint}\n`);
  const language =
    answers.language === undefined
      ? " The language is not given, so the pages are in English with American dates: add a line such as language: en-IE."
      : pageLanguageOf(answers.language) === undefined
        ? ` ${languageWarning(answers.language)}`
        : "";
  process.stdout.write(
    `Wrote ${file} for ${complete.name}${from}.${zone}${language}\nNext: look through it, then bring it in with your reviews: ${asTyped("goodword import")} ${file} ${takeout ?? "YOUR-EXPORT.zip"}\n`,
  );
}

async function placesIn(takeout: string): Promise<readonly FoundPlace[]> {
  using log = await readForPlaces([takeout]);
  return log.places.list();
}

/** Finds a Takeout in the folder, by its usual names. */
async function findTakeout(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const name =
    names.toSorted().find((each) => /^takeout[^/\\]*\.zip$/i.test(each)) ?? names.find((each) => each === "Takeout");
  return name === undefined ? undefined : join(folder, name);
}

/** The place that the business is; undefined if nothing tells. Asks if there are several. */
async function choosePlace(
  places: readonly FoundPlace[],
  option: string | undefined,
  isInteractive: boolean,
): Promise<FoundPlace | undefined> {
  const wanted = option ?? (isInteractive && areDifferent(places) ? await askPlace(places) : undefined);
  const wishes = { option: wanted, remembered: [], isConfirmed: false, hasReviews: true };
  const { kept } = choosePlaces(places, wishes);
  return wanted === undefined ? kept[0] : placesCalled(wanted, kept)[0];
}

/** Lists the places, and asks until one of them is named. */
async function askPlace(places: readonly FoundPlace[]): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const lines = places.map((place, index) => `  ${index + 1}  ${terminalText(placeLine(place))}\n`).join("");
    process.stderr.write(`There are reviews of ${places.length} places:\n${lines}`);
    for (;;) {
      const answer = (await terminal.question("Which one is the business? Its number, name or id: ")).trim();
      const place = places[Number(answer) - 1] ?? (placesCalled(answer, places).length === 1 ? answer : undefined);
      if (place !== undefined) return typeof place === "string" ? place : place.id;
      process.stderr.write(`${answer} is none of them, or several\n`);
    }
  } finally {
    terminal.close();
  }
}

function answersOf({
  takeout: _takeout,
  location: _location,
  timeZone,
  services,
  technicians,
  areas,
  ...rest
}: InitFlags): BusinessAnswers {
  return {
    ...rest,
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(services === undefined ? {} : { services: labelled(services) }),
    ...(technicians === undefined ? {} : { technicians: people(technicians) }),
    ...(areas === undefined ? {} : { service_areas: labelled(areas) }),
  };
}

function people(text: string) {
  return labelled(text).map(({ id, label }) => ({ id, name: label }));
}

/** Says in a sentence why an answer is invalid; undefined if it is valid. */
function faultOf(member: string, answer: string): string | undefined {
  try {
    parseBusinessFile("", stringify({ name: "A", time_zone: "UTC", [member]: answer }));
    return undefined;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return error.issues.map(({ message }) => message.replace(/^:\d+: /, "")).join("; ");
  }
}

/**
 * Asks for the most important facts. An empty answer takes the default, or omits the fact; after an invalid one the
 * question is repeated. A telephone number without country code is accepted when it is given twice.
 */
async function ask(defaults: BusinessAnswers): Promise<BusinessAnswers> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const prompt = async (question: string, fallback?: string, member?: string): Promise<string | undefined> => {
    let value = fallback;
    let hinted: string | undefined;
    for (;;) {
      const shown = value === undefined ? "" : ` [${value}]`;
      const given = (await terminal.question(`${question}${shown}: `)).trim();
      const answer = given === "" ? value : completedAnswer(member ?? "", given);
      if (answer === undefined) return undefined;
      if (given !== "" && answer !== given) process.stderr.write(`Taken as ${answer}\n`);
      const fault = member === undefined ? undefined : faultOf(member, answer);
      const hint = member === "telephone" && answer !== hinted ? telephoneHint(answer) : undefined;
      if (fault === undefined && hint === undefined) return answer;
      process.stderr.write(`${fault ?? `${hint} Enter keeps it as it is.`}\n`);
      if (fault === undefined) [value, hinted] = [answer, answer];
    }
  };
  try {
    let name = await prompt("Name of the business", defaults.name);
    while (name === undefined) name = await prompt("Name of the business (it cannot be empty)");
    const category = await prompt(
      "Kind of business, a schema.org type such as HVACBusiness or Plumber",
      defaults.category ?? "LocalBusiness",
      "category",
    );
    const time_zone = await prompt(
      "Time zone of the business, such as Europe/Berlin (the dates of reviews are days in it)",
      defaults.time_zone ?? machineZone(),
      "time_zone",
    );
    const language = await prompt(
      "Language and country of your pages, such as en-IE or de (they decide words, dates and clock)",
      defaults.language ?? likelyLanguage({ timeZone: time_zone ?? machineZone(), country: defaults.address?.country }),
      "language",
    );
    const url = await prompt("Web site, such as https://example.com (Enter: none)", defaults.url, "url");
    const telephone = await prompt(
      "Telephone with country code, such as +353 1 555 0142 (Enter: none)",
      defaults.telephone,
      "telephone",
    );
    const services = await prompt("Your services, separated by commas (Enter: later)");
    const technicians = await prompt("Your technicians, separated by commas (Enter: later)");
    return {
      ...defaults,
      ...{ name, ...(category === undefined ? {} : { category }), ...(time_zone === undefined ? {} : { time_zone }) },
      ...(language === undefined ? {} : { language }),
      ...(url === undefined ? {} : { url }),
      ...(telephone === undefined ? {} : { telephone }),
      ...(services === undefined ? {} : { services: labelled(services) }),
      ...(technicians === undefined ? {} : { technicians: people(technicians) }),
    };
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError")
      throw new Error("You ended the questions early. Nothing was written.", { cause: error });
    throw error;
  } finally {
    terminal.close();
  }
}
