/** The documents that do not depend on the reviews: the reference for developers, and what installs the site. */
import { type Document, JSON_TYPE, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { ICON_SIZES, OPENAPI_PATH } from "../interface.ts";
import { accents, USUAL_COLOR } from "./asset/accent.ts";
import { renderIcons } from "./picture/pictures.ts";
import { renderDocsPage } from "./reference/docs-page.ts";
import type { McpReference } from "./reference/guides.ts";
import { renderOpenapi } from "./reference/openapi.ts";

/** What of an edition these documents depend on. */
type LastingSource = Pick<Edition, "baseUrl" | "business" | "color" | "language" | "sample" | "isStatic">;

/** Renders the documents that depend on the business only. `mcp` is what the reference shows of the MCP server. */
export function renderLastingPages(source: LastingSource, mcp: McpReference): Document[] {
  const openapi = renderOpenapi(source.business, source.baseUrl);
  return [
    renderDocsPage(source, openapi, mcp),
    makeDocument(OPENAPI_PATH, JSON_TYPE, openapi),
    renderManifest(source),
    ...renderIcons(source.color),
  ];
}

/** The first twelve characters of a name, as readers count them. */
function shortName(name: string): string {
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.slice(0, 200));
  return Array.from(characters, ({ segment }) => segment)
    .slice(0, 12)
    .join("")
    .trim();
}

/** The manifest that lets a browser install the site as an app (W3C Web Application Manifest). */
function renderManifest({ business, language, color }: LastingSource): Document {
  const icons = ICON_SIZES.map((size) => ({
    src: `/assets/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
  }));
  const manifest = {
    name: business.name,
    short_name: shortName(business.name),
    lang: language,
    start_url: "/",
    display: "minimal-ui",
    background_color: "#f6f7f9",
    theme_color: accents(color ?? USUAL_COLOR).light,
    icons: [{ src: "/assets/icon.svg", sizes: "any", type: "image/svg+xml" }, ...icons],
  };
  return makeDocument("/assets/site.webmanifest", "application/manifest+json", JSON.stringify(manifest));
}
