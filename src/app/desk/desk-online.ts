/** The desk's page on how the publication gets online: as a folder that it writes, or by a server. */
import { join } from "node:path";
import { html } from "hono/html";
import { fill } from "../../page/text/words.ts";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { baseUrlOf, origin } from "../config.ts";
import { withScheme } from "../init/business-answers.ts";
import { faultAdvice, folderLine } from "./desk-advice.ts";
import { type DeskRequest, fieldFaults, fieldState, showPage, tokenField } from "./desk-frame.ts";
import { EXPORT_FOLDER, figuresOf, writtenFolder } from "./desk-site.ts";
import { doWork } from "./desk-work-page.ts";

/** Answers `/online`. */
export async function answerOnline(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, form, words } = request;
  if (rest.length > 0) return undefined;
  if (!isPost) return await showOnline(request);
  const typed = form.fields.get("address")?.trim() ?? "";
  const address = origin(withScheme(typed));
  if (address === undefined) return await showOnline(request, { typed, wrong: [words.online.noAddress] });
  try {
    return await doWork(request, { kind: "export", address }, "/online");
  } catch (error) {
    return await showOnline(request, { typed, wrong: faultAdvice(error, words) });
  }
}

interface Wrong {
  readonly typed: string;
  readonly wrong: readonly string[];
}

async function showOnline(request: DeskRequest, { typed, wrong }: Wrong = { typed: "", wrong: [] }): Promise<Response> {
  const { words, site, locale } = request;
  const { online } = words;
  const { reviews = 0 } = (await figuresOf(site)) ?? {};
  const folder = join(site.folder, EXPORT_FOLDER);
  const written = await writtenFolder(site);
  const known = site.config.BASE_URL || (written?.address ?? "");
  const served = baseUrlOf(site.config, site.config.PORT);
  const docs = join(PROGRAM_FOLDER, "docs");
  const atField = reviews > 0 && wrong.includes(online.noAddress) ? wrong : [];
  const write =
    reviews === 0
      ? html`<p>${online.nothingYet}</p>`
      : html`<form method="post" action="${site.prefix}/online" class="fields-form">${tokenField(request)}<p><label for="address">${online.address}</label><input id="address" name="address" value="${typed || known}" required placeholder="https://reviews.example.com" ${fieldState("address", atField, "address-hint")}><span class="soft" id="address-hint">${online.addressHint}</span></p>${fieldFaults("address", atField)}<p class="actions"><button class="button">${online.write}</button> <span class="soft">${fill(online.writeHint, { folder })}</span></p></form>`;
  const content = html`<p>${locale.counted(words.start.published, reviews)} ${online.intro}</p>
<section class="card"><h2>1. ${online.folderTitle}</h2><p>${online.folder}</p>${written === undefined || reviews === 0 ? "" : html`<p><strong>${folderLine(words, written)}</strong></p>`}${write}</section>
<section class="card"><h2>2. ${online.serverTitle}</h2><p>${online.server}</p><pre tabindex="0">npx goodword serve</pre><p>${fill(online.serverHint, { address: served, docs })}</p></section>
<section class="card"><h2>3. ${online.hostTitle}</h2><p>${fill(online.host, { docs, deploy: join(PROGRAM_FOLDER, "deploy") })}</p></section>`;
  return showPage(request, {
    entry: "online",
    title: words.navigation.online,
    content,
    faults: [
      { lines: atField, field: { id: "address", label: online.address } },
      { lines: atField.length > 0 ? [] : wrong },
    ],
    status: wrong.length > 0 ? 400 : 200,
  });
}
