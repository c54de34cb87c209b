/** How to reach the business: address, telephone, hours, areas. */
import { html } from "hono/html";
import { type Business, WEEKDAYS } from "../../business.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";

/** A section with what business.yaml says of these; nothing where it says none. */
export function renderContact(business: Business, locale: Locale): Markup {
  const { words } = locale;
  const { telephone, email, url } = business;
  const rows: readonly (readonly [string, Markup])[] = [
    [words.address, renderAddress(business)],
    [
      words.telephone,
      telephone === undefined ? "" : html`<a href="tel:${telephone.replaceAll(/[^\d+]/g, "")}">${telephone}</a>`,
    ],
    [words.email, email === undefined ? "" : html`<a href="mailto:${email}">${email}</a>`],
    [words.website, url === undefined ? "" : html`<a href="${url}">${new URL(url).host}</a>`],
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

/** The address on lines of its own, the postal code after the region as letters carry it. */
function renderAddress({ address }: Business): Markup {
  if (address === undefined) return "";
  const place = [address.locality, [address.region, address.postal_code].filter(Boolean).join(" ")]
    .filter(Boolean)
    .join(", ");
  const lines = [address.street, place, address.country].filter((line) => line !== undefined && line !== "");
  return lines.length === 0
    ? ""
    : html`<address>${lines.map((line, index) => html`${index === 0 ? "" : html`<br>`}${line}`)}</address>`;
}

function renderHours({ opening_hours: hours }: Business, locale: Locale): Markup {
  if (hours.length === 0) return "";
  const day = (name: (typeof WEEKDAYS)[number]) =>
    hours
      .filter(({ days }) => days.includes(name))
      .map(({ opens, closes }) => `${locale.time(opens)} – ${locale.time(closes)}`)
      .join(", ");
  return html`<table class="hours"><tbody>${WEEKDAYS.map(
    (name, index) =>
      html`<tr><th scope="row">${locale.weekday(index)}</th><td>${day(name) || locale.words.closed}</td></tr>`,
  )}</tbody></table>`;
}

function renderElsewhere({ same_as: links }: Business): Markup {
  if (links.length === 0) return "";
  return html`${links.map((link, index) => html`${index === 0 ? "" : " · "}<a href="${link}" rel="nofollow">${siteName(link)}</a>`)}`;
}

function siteName(link: string): string {
  const { host, pathname } = new URL(link);
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}`;
}
