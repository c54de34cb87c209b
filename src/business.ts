/** The business as published, and the owner's file that describes it (interface §1). */
import { z } from "zod";
import { isTimeZone } from "./calendar-date.ts";
import { printableText } from "./lib/printable-text.ts";

/** YAML and exports can hold halves of characters and control characters, which readers of documents refuse. */
const text = z.string().overwrite(printableText).trim().min(1);
const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "must be 1 to 64 letters, digits, hyphens, underscores or dots")
  .describe("Identifier, stable, unique in its list");
const time = z
  .string()
  .overwrite((text) => text.trim().replace(/^\d:\d\d$/, "0$&")) // 9:00 is published as 09:00
  .regex(
    /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'must be a time of day with two digits each, in quotation marks, such as "08:00"',
  );
const link = z
  .url({ protocol: /^https?$/, error: "must be an http or https address, such as https://example.com" })
  .overwrite(printableText);

/** The days of the week as business.yaml names them (schema.org). */
export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

const serviceSchema = z.strictObject({ id, label: text.describe("Name for people") });
const technicianSchema = z.strictObject({ id, name: text.describe("Full name") });
const aliases = z
  .array(text)
  .default([])
  .describe("Other spellings by which reviews name it; used for matching, not published");

/** The published description of the business. Absent optional fields are left out. */
export const businessSchema = z
  .strictObject({
    name: text.describe("Trading name"),
    legal_name: text.optional().describe("Registered name"),
    description: text.optional().describe("What the business does, in a sentence or two"),
    category: z
      .string()
      .regex(/^[A-Z][A-Za-z]{1,63}$/, "must be a schema.org type such as HVACBusiness")
      .default("LocalBusiness")
      .describe("A schema.org LocalBusiness subtype, such as HVACBusiness"),
    url: link.optional().describe("The business's own website"),
    telephone: text.optional().describe("Telephone number, as customers dial it"),
    email: z.email().optional().describe("E-mail address for customers"),
    address: z
      .strictObject({
        street: text.optional().describe("Street and number"),
        locality: text.optional().describe("Town or city"),
        region: text.optional().describe("State, province or county"),
        postal_code: text.optional().describe("Postal code"),
        country: text.optional().describe("Country, by name or two-letter code"),
      })
      .optional()
      .describe("Postal address"),
    geo: z
      .strictObject({
        latitude: z.number().min(-90).max(90).describe("Degrees north of the equator"),
        longitude: z.number().min(-180).max(180).describe("Degrees east of Greenwich"),
      })
      .optional()
      .describe("Where the business is, in WGS 84"),
    time_zone: z
      .string()
      .refine(isTimeZone, "must be an IANA time zone such as America/Chicago")
      .describe("IANA time zone; all dates are days in it"),
    opening_hours: z
      .array(
        z.strictObject({
          days: z.array(z.enum(WEEKDAYS)).min(1).describe("The days of the week with these hours"),
          opens: time.describe("Opening time, HH:MM"),
          closes: time.describe("Closing time, HH:MM; 24:00 is the end of the day"),
        }),
      )
      .default([])
      .describe("When the business is open, local time"),
    price_range: text.optional().describe("How expensive it is, such as $$"),
    logo_url: link.optional().describe("Address of the logo"),
    same_as: z.array(link).default([]).describe("Other pages about the business, such as its profiles"),
    service_areas: z.array(serviceSchema).default([]).describe("Places served"),
    services: z.array(serviceSchema).default([]).describe("The services that the business offers"),
    technicians: z.array(technicianSchema).default([]).describe("The people who do the work"),
  })
  .meta({ id: "Business", title: "Business" });

const unique = (label: string) => (list: readonly { id: string }[], context: z.RefinementCtx) => {
  const seen = new Set<string>();
  for (const [index, entry] of list.entries()) {
    if (seen.has(entry.id)) {
      context.addIssue({
        code: "custom",
        path: [index, "id"],
        message: `${label} id ${JSON.stringify(entry.id)} is given twice`,
      });
    }
    seen.add(entry.id);
  }
};

/** An interval such as `15m`, `6h` or `1d`, in seconds; undefined if it is invalid or shorter than a minute. */
export function intervalSeconds(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * ({ m: 60, h: 3600, d: 86_400 }[unit] ?? 0);
  return seconds >= 60 && seconds <= 366 * 86_400 ? seconds : undefined;
}

/** The settings that business.yaml may name, so that it can send no other one anywhere. */
export const KEY_SETTING = /^KEY_[A-Za-z0-9_]+$/;
const NO_KEY_SETTING =
  "must be a setting that begins with KEY_, such as KEY_REVIEWS: rename the setting in goodword.env or the environment, and here";

/** A followed source: an address from which the server fetches reviews. */
const followedSourceSchema = z.strictObject({
  url: link
    .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
      error: "must hold no user name or password: give a key by header",
    })
    .describe("Where the reviews are, in any format that can be imported"),
  every: z
    .string()
    .refine((text) => intervalSeconds(text) !== undefined, "must be an interval such as 15m, 6h or 1d, at least 1m")
    .default("1d")
    .describe("Interval between fetches"),
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, "must be a word such as google, yelp or first_party")
    .optional()
    .describe("Where the reviews were written; overrides what the content says"),
  complete: z
    .boolean()
    .default(false)
    .describe("Whether it contains all reviews of its source: those that it lacks are withdrawn"),
  header: z
    .strictObject({
      name: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header such as Authorization"),
      from_env: z.string().regex(KEY_SETTING, NO_KEY_SETTING),
    })
    .optional()
    .describe("A header whose value is a setting of the server, which begins with KEY_"),
});

export type FollowedSource = Readonly<z.infer<typeof followedSourceSchema>>;

/** What the owner may be told of; `poor` is a new review with at most `MAX_POOR_RATING` stars. */
export const NOTICE_SUBJECTS = ["new", "poor", "vanished", "trouble"] as const;
export const MAX_POOR_RATING = 3;
const MAX_NOTICE_ADDRESSES = 20;

/** An address that is told what is new (interface §9). */
const noticeAddressSchema = z
  .strictObject({
    to: z
      .string()
      .max(2_048)
      .refine(
        (to) => mailAddressOf(to) !== undefined || isNoticeUrl(to),
        "must be an https address without a user name, password or fragment, at port 443 or one from 1024 on, of ASCII characters (percent-encode others), or mailto: with one address, such as mailto:office@example.com",
      )
      .describe("Where messages are sent: an https address, or mailto: and an e-mail address"),
    when: z
      .array(z.enum(NOTICE_SUBJECTS))
      .default([...NOTICE_SUBJECTS])
      .describe("What it is told of: new reviews, poor ones (three stars or fewer), vanished ones, trouble"),
    digest: z.enum(["weekly", "monthly"]).optional().describe("How often it gets a summary"),
    format: z
      .enum(["json", "slack", "discord", "teams", "ntfy"])
      .default("json")
      .describe("The form of messages to an https address"),
    secret_env: z
      .string()
      .regex(KEY_SETTING, NO_KEY_SETTING)
      .optional()
      .describe("The setting with the key that signs the messages, which begins with KEY_"),
  })
  .describe("An address that is told what is new");

export type NoticeAddress = Readonly<z.infer<typeof noticeAddressSchema>>;

/** The e-mail address of a `mailto:` one; undefined if it is none, or says more than one address. */
export function mailAddressOf(to: string): string | undefined {
  const address = /^mailto:(.+)$/i.exec(to)?.[1];
  return address !== undefined && z.email().safeParse(address).success ? address : undefined;
}

/** As callbacks are, which are sent in the same way. */
function isNoticeUrl(to: string): boolean {
  const url = URL.parse(to);
  const isOurs = url?.protocol === "https:" && url.username === "" && url.password === "";
  return isOurs && /^[\x21-\x7e]*$/.test(to) && !/[#\\]/.test(to) && (url.port === "" || Number(url.port) >= 1024);
}

function uniqueNotices(list: readonly { readonly to: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { to }] of list.entries()) {
    if (seen.has(to))
      context.addIssue({ code: "custom", path: [index, "to"], message: "is given twice: join the two entries" });
    seen.add(to);
  }
}

/** `business.yaml`: the business as published, and settings for its publication. */
export const businessFileSchema = z.strictObject({
  ...businessSchema.shape,
  service_areas: z.array(serviceSchema.extend({ aliases })).default([]).superRefine(unique("service area")),
  services: z.array(serviceSchema.extend({ aliases })).default([]).superRefine(unique("service")),
  technicians: z.array(technicianSchema.extend({ aliases })).default([]).superRefine(unique("technician")),
  verified_sources: z.array(text).default(["google"]).describe("Sources whose reviews are verified"),
  location: text
    .max(300)
    .optional()
    .describe("The id of the place whose reviews are imported, where files hold those of several"),
  taxonomy: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, "must be the name of a taxonomy file without its ending")
    .optional()
    .describe("Which taxonomy reads the reviews; chosen by the category when absent"),
  summary: text.optional().describe("The owner's own summary; written from the figures when absent"),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a BCP 47 language tag")
    .default("en"),
  color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as "#0b5cad": # and six hexadecimal digits, in quotation marks')
    .optional()
    .describe("The colour of the pages"),
  structured_data: z
    .enum(["first_party", "all", "none"])
    .default("first_party")
    .describe(
      "Of which reviews search engines get ratings as structured data: those given to the business itself, all, none",
    ),
  sources: z.array(followedSourceSchema).max(100).optional().describe("Addresses from which reviews are fetched"),
  notices: z
    .array(noticeAddressSchema)
    .max(MAX_NOTICE_ADDRESSES)
    .superRefine(uniqueNotices)
    .optional()
    .describe("Addresses that are told what is new"),
});

export type Business = Readonly<z.infer<typeof businessSchema>>;
export type BusinessFile = Readonly<z.infer<typeof businessFileSchema>>;

/** The published part of the owner's file: everything but aliases and settings. */
export function publishedBusiness(file: BusinessFile): Business {
  const { verified_sources: _s, taxonomy: _t, summary: _u, language: _l, color: _c, ...described } = file;
  const { structured_data: _d, sources: _f, notices: _n, location: _p, ...rest } = described;
  const areas = file.service_areas.map(({ id, label }) => ({ id, label }));
  const services = file.services.map(({ id, label }) => ({ id, label }));
  const technicians = file.technicians.map(({ id, name }) => ({ id, name }));
  return { ...rest, service_areas: areas, services, technicians };
}

/** The sources whose reviews are published; undefined stands for no business file. */
export function verifiedSourcesOf(file: BusinessFile | undefined): readonly string[] {
  return (file ?? UNNAMED_BUSINESS).verified_sources;
}

/** Used while the store has no business file. */
export const UNNAMED_BUSINESS: BusinessFile = {
  name: "Unnamed business",
  category: "LocalBusiness",
  time_zone: "UTC",
  opening_hours: [],
  same_as: [],
  service_areas: [],
  services: [],
  technicians: [],
  verified_sources: ["google"],
  language: "en",
  structured_data: "first_party",
};
