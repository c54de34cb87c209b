/** The language and country that `goodword init` offers: the machine's language, as it is written where the business is. */

/** A language tag such as `en-IE`; without a country if none is known. `country` wins over that of the time zone. */
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

/** The first country, by its code, that has the time zone; undefined for zones of none, such as UTC. */
export function countryOf(timeZone: string): string | undefined {
  const names = new Set([timeZone, Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone]);
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const locale = new Intl.Locale(`und-${first}${second}`);
      const isCurrent = locale.maximize().region === `${first}${second}`; // codes of countries that are gone become others
      if (isCurrent && locale.getTimeZones?.()?.some((zone) => names.has(zone))) return `${first}${second}`;
    }
  }
  return undefined;
}
