/**
 * Time zones by their abbreviations, as people and programs write them after a time: `8:56 AM IST`. Many abbreviations
 * stand for several zones, so an ambiguous one counts only if the business's own clock has it.
 */

/** Offsets in minutes of abbreviations that stand for one zone alone. */
const OFFSETS: Readonly<Record<string, number>> = {
  UT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  SGT: 480,
  HKT: 480,
  AWST: 480,
  JST: 540,
  KST: 540,
  ACST: 570,
  AEST: 600,
  ACDT: 630,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  NST: -210,
  NDT: -150,
  ADT: -180,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
};

/** The offset of an abbreviation that stands for one zone alone, in minutes. */
export function offsetOf(abbreviation: string): number | undefined {
  return OFFSETS[abbreviation.toUpperCase()];
}

/** The offset that `GMT-5`, `UTC+9` or `UTC+05:30` means, as times write it: `-05:00`. */
export function writtenOffset(zone: string): string | undefined {
  const [, sign, hours = "", minutes = "00"] = /^(?:GMT|UTC)\s?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(zone.trim()) ?? [];
  return sign === undefined || Number(hours) > 14 ? undefined : `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

/** Zones elsewhere whose people use the same abbreviations: Australia's EST, Manila's PST, Malaysia's and Myanmar's MST. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  EST: /^Australia\//,
  EDT: /^Australia\//,
  PST: /^Asia\/Manila$/,
  MST: /^Asia\/(?:Kuala_Lumpur|Kuching|Yangon|Rangoon)$/,
};

/** Whether an abbreviation of American zones may mean the one of the business's own, `zone`, instead. */
export function mayBeOf(abbreviation: string, zone: string): boolean {
  return ELSEWHERE[abbreviation]?.test(zone) === true;
}

/** Countries whose English names the zones of their region. */
const REGIONS = ["en-US", "en-GB", "en-IE", "en-IN", "en-AU", "en-NZ", "en-ZA", "en-CA", "en-PH", "en-IL", "de-DE"];
const ISRAEL = new Set(["Asia/Jerusalem", "Asia/Tel_Aviv"]);

/**
 * Whether a clock in `zone` (IANA) names itself so in the year of a day, in the language of some country. People write the
 * name of winter in summer too.
 */
export function isNameOfZone(abbreviation: string, zone: string, day: string): boolean {
  const wanted = abbreviation.toUpperCase();
  if (wanted === "IST" && ISRAEL.has(zone)) return true;
  const year = day.slice(0, 4);
  const seasons = ["01-15", "07-15"].map((season) => new Date(`${year}-${season}T12:00:00Z`));
  return REGIONS.some((region) => {
    const format = new Intl.DateTimeFormat(region, { timeZone: zone, timeZoneName: "short" });
    const parts = seasons.flatMap((season) => format.formatToParts(season));
    return parts.some(({ type, value }) => type === "timeZoneName" && value.toUpperCase() === wanted);
  });
}
