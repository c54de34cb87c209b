/** The documents that depend on the business, and for their examples on its newest review: the developers' reference, manifest and icons. */
import { type Document, JSON_TYPE, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { ICON_SIZES, OPENAPI_PATH } from "../interface.ts";
import { accents, DEFAULT_COLOR } from "./asset/accent.ts";
import { renderIcons } from "./picture/pictures.ts";
import { renderDocsPage } from "./reference/docs-page.ts";
import type { McpReference } from "./reference/guides.ts";
import { renderOpenapi } from "./reference/openapi.ts";

/** The members of an edition that these documents depend on. */
type BusinessSource = Pick<Edition, "baseUrl" | "business" | "color" | "language" | "sample" | "isStatic" | "newestId">;

/** Renders the reference, the OpenAPI description, the manifest and the icons. `mcp`: tools and samples for the reference. */
export function renderBusinessDocuments(source: BusinessSource, mcp: McpReference): Document[] {
  const openapi = renderOpenapi(source.business, source.baseUrl, source.newestId());
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
function renderManifest({ business, language, color }: BusinessSource): Document {
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
    theme_color: accents(color ?? DEFAULT_COLOR).light,
    icons: [{ src: "/assets/icon.svg", sizes: "any", type: "image/svg+xml" }, ...icons],
  };
  return makeDocument("/assets/site.webmanifest", "application/manifest+json", JSON.stringify(manifest));
}
