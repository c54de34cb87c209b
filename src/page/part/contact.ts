/** Contact details: address, telephone, hours, areas. */
import { html } from "hono/html";
import { type Business, WEEKDAYS } from "../../business.ts";
import { type Locale, localeOf } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { webAddress } from "../text/web-address.ts";
import { fill } from "../text/words.ts";

/**
 * The telephone number as a `tel:` address (RFC 3966); undefined for one with letters or without digits, which would
 * dial something else.
 */
export function telephoneLink(telephone: string): string | undefined {
  const digits = telephone.replaceAll(/[^\d+]/g, "");
  return /\p{L}/u.test(telephone) || !/^\+?\d{3,}$/.test(digits) ? undefined : `tel:${digits}`;
}

/** Contact buttons: call first, then the website. */
export function renderActions({ telephone, url }: Business, { words }: Locale): Markup {
  const number = telephone && telephoneLink(telephone);
  const website = url && webAddress(url);
  if (!number && !website) return "";
  const call = number
    ? html`<a class="button" href="${number}">${fill(words.call, { telephone: telephone ?? "" })}</a>`
    : "";
  return html`<p class="actions">${call} ${website ? html`<a class="button quiet" href="${website}">${words.website}</a>` : ""}</p>`;
}

/** A section with the contact details from business.yaml; empty if there are none. */
export function renderContact(business: Business, locale: Locale): Markup {
  const { words } = locale;
  const { telephone, email, url } = business;
  const rows: readonly (readonly [string, Markup])[] = [
    [words.telephone, telephone === undefined ? "" : renderTelephone(telephone)],
    [words.address, renderAddress(business, locale)],
    [words.email, email === undefined ? "" : html`<a href="mailto:${email}">${email}</a>`],
    [words.website, url === undefined ? "" : html`<a href="${webAddress(url)}">${new URL(url).host}</a>`],
    [words.hours, renderHours(business, locale)],
    [
      words.areas,
      business.service_areas.length === 0 ? "" : html`${business.service_areas.map(({ label }) => label).join(" · ")}`,
    ],
    [words.prices, business.price_range === undefined ? "" : html`${business.price_range}`],
    [words.elsewhere, renderElsewhere(business)],
  ];
  const given = rows.filter(([, value]) => value !== "");
  if (given.length === 0) return "";
  return html`<section class="card" aria-labelledby="contact"><h2 id="contact">${words.contact}</h2><dl class="contact">${given.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></section>`;
}

function renderTelephone(telephone: string): Markup {
  const number = telephoneLink(telephone);
  return number === undefined ? html`${telephone}` : html`<a class="dial" href="${number}">${telephone}</a>`;
}

/** Countries whose addresses put the postal code before the town; elsewhere it follows the region. */
const POSTAL_CODE_FIRST = new Set(
  "AT BE BG CH CZ DE DK EE ES FI FR GR HR IS IT LI LT LU MC NL NO PL PT RO RS SE SI SK TR".split(" "),
);

/**
 * Whether the business's addresses have the postal code first. Its country may be given by name; without one, it is that
 * of the language.
 */
function hasPostalCodeFirst({ address }: Business, locale: Locale): boolean {
  const country = address?.country ?? new Intl.Locale(locale.tag).maximize().region ?? "";
  if (/^[A-Z]{2}$/.test(country)) return POSTAL_CODE_FIRST.has(country);
  const names = [locale, localeOf("en")].map((each) => each.country);
  return [...POSTAL_CODE_FIRST].some((code) => names.some((name) => name(code) === country));
}

/** The postal address, one line per part, in the country's order. */
function renderAddress(business: Business, locale: Locale): Markup {
  const { address } = business;
  if (address === undefined) return "";
  const { locality, region, postal_code: code, country } = address;
  const place = hasPostalCodeFirst(business, locale)
    ? [[code, locality].filter(Boolean).join(" "), region]
    : [locality, [region, code].filter(Boolean).join(" ")];
  const lines = [address.street, place.filter(Boolean).join(", "), country && locale.country(country)].filter(
    (line) => line !== undefined && line !== "",
  );
  return lines.length === 0
    ? ""
    : html`<address>${lines.map((line, index) => html`${index === 0 ? "" : html`<br>`}${line}`)}</address>`;
}

function renderHours({ opening_hours: hours }: Business, locale: Locale): Markup {
  if (hours.length === 0) return "";
  const day = (name: (typeof WEEKDAYS)[number]) =>
    hours
      .filter(({ days }) => days.includes(name))
      .map(({ opens, closes }) => `${locale.time(opens)}–${locale.time(closes)}`)
      .join(", ");
  const runs = WEEKDAYS.map((name, index) => ({ from: index, to: index, open: day(name) })).reduce<DayRun[]>(
    joinEqual,
    [],
  );
  return html`<table class="hours"><tbody>${runs.map(
    ({ from, to, open }) =>
      html`<tr><th scope="row">${locale.atStart(from === to ? locale.weekday(from) : `${locale.weekday(from, "short")}–${locale.weekday(to, "short")}`)}</th><td>${open || locale.words.closed}</td></tr>`,
  )}</tbody></table>`;
}

/** Consecutive days with the same opening hours. */
interface DayRun {
  readonly from: number;
  readonly to: number;
  readonly open: string;
}

function joinEqual(runs: DayRun[], day: DayRun): DayRun[] {
  const last = runs.at(-1);
  return last?.open === day.open ? [...runs.slice(0, -1), { ...last, to: day.to }] : [...runs, day];
}

function renderElsewhere({ same_as: links }: Business): Markup {
  if (links.length === 0) return "";
  return html`${links.map((link, index) => html`${index === 0 ? "" : " · "}<a href="${webAddress(link)}" rel="nofollow">${siteName(link)}</a>`)}`;
}

function siteName(link: string): string {
  const { host, pathname } = new URL(link);
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}`;
}
