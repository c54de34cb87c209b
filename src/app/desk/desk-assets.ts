/** What the desk's pages load. Each has an address of this start, and is named by what it holds. */
import { createHash, randomBytes } from "node:crypto";
import { html } from "hono/html";
import { renderAssets, renderDeskAssets } from "../../page/asset/asset-files.ts";
import type { Markup } from "../../page/text/markup.ts";

export const DESK_ASSETS = new Map([...renderAssets(), ...renderDeskAssets()].map((asset) => [asset.path, asset]));

/** In the addresses: no earlier program at this port can have left others for them in the browser's cache. */
const THIS_START = randomBytes(12).toString("base64url");

export function assetAddress(path: string): string {
  return `${path}?${THIS_START}`;
}

/** The attribute by which a browser takes nothing else for it: neither from its cache, nor from a service worker (SRI, §3.5). */
export function integrityOf(path: string): Markup {
  const { body } = DESK_ASSETS.get(path) ?? { body: "" };
  return html`integrity="sha384-${createHash("sha384").update(body).digest("base64")}"`;
}
