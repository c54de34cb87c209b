/** Looks at the front page on the desk: as it is published, or as an import would have it. */

import { Invalid } from "../../issue.ts";
import { HTML_TYPE } from "../../page/part/page-frame.ts";
import type { PreviewDocument } from "../../publication/preview.ts";
import { readRevision } from "../../store/store.ts";
import { DESK_HEADERS, type DeskRequest, leadTo } from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";
import { doWork } from "./desk-work-page.ts";

/** Answers `/look/` and what is below it. The page is rendered once for each revision of the store. */
export async function answerLook(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, words } = request;
  if (isPost) return undefined;
  const work = site.works.current();
  if (work?.kind === "look") {
    if (work.outcome === undefined) return leadTo(request, "/under-way");
    site.works.seen(work.id);
    if ("issues" in work.outcome) throw new Invalid(work.outcome.issues);
  }
  const revision = await withStore(site, ({ database }) => readRevision(database));
  if (revision === undefined) return leadTo(request, "/");
  const look = site.works.look();
  const note = { base: `${site.prefix}/look`, note: words.online.isLook };
  if (look?.revision === revision.number) return showFrontPage(look.documents, rest, note);
  const isPage = rest.join("/") === "";
  return isPage ? await doWork(request, { kind: "look" }, "/look/") : undefined;
}

/**
 * One of the documents, by the parts of its path. They are loaded from below `base`; the page's links lead nowhere, which
 * the note on it says.
 */
export function showFrontPage(
  documents: readonly PreviewDocument[],
  path: readonly string[],
  { base, note }: { readonly base: string; readonly note: string },
): Response | undefined {
  const document = documents.find((each) => each.path === `/${path.join("/")}`);
  if (document === undefined) return undefined;
  const { mediaType, body } = document;
  const headers = { ...DESK_HEADERS, "Content-Type": mediaType };
  if (mediaType !== HTML_TYPE) return new Response(Buffer.from(body), { headers });
  const text = Buffer.from(body)
    .toString("utf8")
    .replaceAll(/ (href|src)="\/assets\//g, ` $1="${base}/assets/`)
    .replaceAll(/ (href|action)="((?:\/|https?:|mailto:|tel:)[^"]*)"/g, (link, name: string, address: string) =>
      address.startsWith(`${base}/assets/`) ? link : ` ${name}="#content"`,
    )
    .replace('<main id="content" tabindex="-1">', `$&\n<p class="sample" role="note">${note}</p>`);
  return new Response(text, { headers });
}
