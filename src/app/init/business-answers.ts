/** The facts that `goodword init` collects about a business, hints for them, and the `business.yaml` with them. */

import { stringify } from "yaml";
import { UNNAMED_BUSINESS } from "../../business.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { typeOfTrade } from "../../local-business-types.ts";

/** Facts under their names in business.yaml. Unknown ones are omitted. */
export interface BusinessAnswers {
  readonly name?: string;
  readonly category?: string;
  readonly time_zone?: string;
  readonly location?: string;
  readonly language?: string;
  readonly url?: string;
  readonly telephone?: string;
  readonly email?: string;
  readonly address?: Readonly<Record<string, string>>;
  readonly geo?: { readonly latitude: number; readonly longitude: number };
  readonly opening_hours?: readonly {
    readonly days: readonly string[];
    readonly opens: string;
    readonly closes: string;
  }[];
  readonly service_areas?: readonly { readonly id: string; readonly label: string }[];
  readonly services?: readonly { readonly id: string; readonly label: string }[];
  readonly technicians?: readonly { readonly id: string; readonly name: string }[];
}

/** The text of a business.yaml with these facts, and with an example for each empty list. */
export function businessYaml(answers: BusinessAnswers): string {
  const { services = [], technicians = [], service_areas = [], ...facts } = answers;
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const lists = [
    listOf("What you do. Reviews that mention it are found by its label and its aliases.", { services }, SERVICE),
    listOf("Who does the work, as customers name them.", { technicians }, TECHNICIAN),
    listOf("The places that you serve.", { service_areas }, AREA),
  ];
  const hours = "opening_hours" in given ? "" : `\n${HOURS}`;
  return `# The business whose reviews are published. After each change: npx goodword import business.yaml\n\n${stringify(given)}${hours}\n${lists.join("\n")}\n${SOURCES}`;
}

const HOURS = `# When you are open, in times with two digits such as "09:00"; days without an entry are closed. For example:
# opening_hours:
#   - { days: [Monday, Tuesday, Wednesday, Thursday, Friday], opens: "08:00", closes: "17:00" }
#   - { days: [Saturday], opens: "09:00", closes: "13:00" }
`;
const SERVICE = `#   - { id: ac-repair, label: AC repair, aliases: [air conditioner repair] }`;
const TECHNICIAN = `#   - { id: dana, name: Dana Keller, aliases: [Dee] }`;
const AREA = `#   - { id: oakfield, label: Oakfield }`;
const SOURCES = `# Reviews of these sources are published; others are kept and withheld. Reviews that customers gave you directly, for
# example at your front desk, have the source first_party. To publish those too: [google, first_party]
verified_sources: [google]
`;

function listOf(meaning: string, list: Readonly<Record<string, readonly unknown[]>>, example: string): string {
  const [[name, entries] = ["", []]] = Object.entries(list);
  if (entries.length > 0) return `# ${meaning}\n${stringify(list)}`;
  return `# ${meaning} For example:\n# ${name}:\n${example}\n`;
}

/** An id for a label: its letters and digits in lower case, joined by hyphens. */
export function idOf(label: string): string {
  const plain = normalForm(label, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 64) || "one"
  );
}

/** Makes entries with unique ids from comma-separated labels. */
export function labelled(text: string): { id: string; label: string }[] {
  const seen = new Set<string>();
  return text
    .split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "")
    .map((label) => {
      const base = idOf(label);
      let id = base;
      for (let count = 2; seen.has(id); count += 1) id = `${base}-${count}`;
      seen.add(id);
      return { id, label };
    });
}

/** A telephone number as typed, with its international prefix 00 as a plus. */
export function dialledNumber(typed: string): string {
  return typed.replace(/^00(?=\s*[1-9])/, "+");
}

/** A hint that a number is not international (ITU-T E.164); undefined if it is. It is accepted all the same. */
export function telephoneHint(number: string): string | undefined {
  const digits = number.replace(/\(0\)/g, "").replaceAll(/\D/g, "");
  const example =
    "With it, the number begins with +, such as +353 1 555 0142 for Dublin or +1 512 555 0142 for Austin.";
  if (!/^\s*\+/.test(number))
    return `${number} has no country code, so a phone may not reach it from elsewhere. ${example}`;
  if (digits.startsWith("0")) return `${number} has a 0 where the country code belongs. ${example}`;
  if (digits.length < 7 || digits.length > 15)
    return `${number} has ${digits.length} digits; numbers with a country code have 7 to 15. Please check it.`;
  return undefined;
}

/**
 * The language tag that is offered, such as `en-IE`: this machine's language in the business's country. `country` wins
 * over that of the time zone; without either, the tag has no country.
 */
export function likelyLanguage({
  timeZone,
  country,
  machine = Intl.DateTimeFormat().resolvedOptions().locale,
}: {
  readonly timeZone: string;
  readonly country?: string | undefined;
  readonly machine?: string;
}): string {
  const { language } = new Intl.Locale(machine);
  const region = /^[A-Z]{2}$/.test(country ?? "") ? country : countryOf(timeZone);
  return region === undefined ? language : `${language}-${region}`;
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** The code of the first country that has the time zone; undefined for a zone without a country, such as UTC. */
export function countryOf(timeZone: string): string | undefined {
  const names = new Set([timeZone, Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone]);
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const locale = new Intl.Locale(`und-${first}${second}`);
      const isCurrent = locale.maximize().region === `${first}${second}`; // codes of former countries become others
      if (isCurrent && locale.getTimeZones?.()?.some((zone) => names.has(zone))) return `${first}${second}`;
    }
  }
  return undefined;
}

export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A web site's address, with https:// if only the host is given, in the letters of any language. */
export function withScheme(address: string): string {
  return /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}-]+)+([:/?#]\S*)?$/u.test(address) ? `https://${address}` : address;
}

/** What people in the United States call their time zones, with summer time where they have it. */
const CALLED_ZONES: readonly (readonly [RegExp, string])[] = [
  [/^(?:us )?(?:eastern|e[sd]?t)\b/, "America/New_York"],
  [/^(?:us )?(?:central|c[sd]t|ct)\b/, "America/Chicago"],
  [/^(?:us )?(?:mountain|m[sd]?t)\b/, "America/Denver"],
  [/^(?:us )?(?:pacific|p[sd]?t)\b/, "America/Los_Angeles"],
  [/^arizona\b/, "America/Phoenix"],
  [/^(?:alaska|ak[sd]?t)\b/, "America/Anchorage"],
  [/^(?:hawaii|hst)\b/, "Pacific/Honolulu"],
];

function zoneCalled(given: string): string {
  const word = given.toLowerCase();
  return word.includes("/") ? given : (CALLED_ZONES.find(([called]) => called.test(word))?.[1] ?? given);
}

const COMPLETIONS: Readonly<Record<string, (given: string) => string>> = {
  // A type itself stays; what is no words, too, so that it is refused.
  category: (given) =>
    /^[A-Z][A-Za-z]*$|[^\p{L}\s&/,-]/u.test(given)
      ? given
      : (typeOfTrade(given) ?? (given || UNNAMED_BUSINESS.category)),
  time_zone: zoneCalled,
  url: withScheme,
  telephone: dialledNumber,
  language: (given) => given.replaceAll("_", "-"),
};

/** An answer for a member, with what people often leave out and a program needs. */
export function completedAnswer(member: string, given: string): string {
  return COMPLETIONS[member]?.(given) ?? given;
}
