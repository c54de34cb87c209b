/** The desk's page for imports: files are chosen, checked, settled, looked at and published. */
import { isDeepStrictEqual } from "node:util";
import { html } from "hono/html";
import { calendarDateFault } from "../../calendar-date.ts";
import type { FileSamples } from "../../import/file-samples.ts";
import { MAPPABLE_FIELDS } from "../../import/format/column-mapping.ts";
import { SHOWN_COUNTS } from "../../import/import-report.ts";
import type { ImportReport } from "../../import/importer.ts";
import { UNCONFIRMED } from "../../import/importer.ts";
import { joinedReadings } from "../../import/review/read-from.ts";
import { ASSUMED_SOURCE } from "../../import/review/review-source.ts";
import type { Issue } from "../../issue.ts";
import { plainLine } from "../../lib/printable-text.ts";
import { authorName } from "../../page/part/review-card.ts";
import { sourceName } from "../../page/part/source-name.ts";
import type { Markup } from "../../page/text/markup.ts";
import { beginning } from "../../page/text/printable.ts";
import { fill } from "../../page/text/words.ts";
import { readBusiness, readRevision } from "../../store/store.ts";
import type { ImportOutcome } from "../import-worker.ts";
import { businessFields } from "../owner/business-form.ts";
import { exampleLines, readingLine } from "../terminal/reading-line.ts";
import { deskAdvice, labelOf, warningLines } from "./desk-advice.ts";
import { NAME, presentText, stampField } from "./desk-business-file.ts";
import { type CheckMessages, columnsNamed, renderChoice, renderColumns } from "./desk-columns.ts";
import {
  actionForm,
  type DeskRequest,
  faults,
  fieldFaults,
  fieldState,
  leadTo,
  showPage,
  showProgress,
  tokenField,
} from "./desk-frame.ts";
import { showFrontPage } from "./desk-look.ts";
import { businessPath, type DeskSite, readBusinessBytes, settled, withStore } from "./desk-site.ts";
import type { ImportJob, ImportSettings } from "./import-jobs.ts";

/** A short import is shown as a whole, a longer one as it goes on. */
const PATIENCE_MS = 3_000;
const [MAX_CHANGES, MAX_ISSUES, MAX_SOURCES] = [100, 100, 10];
const SOURCES = ["google", "yelp", "facebook", "first_party", "trustpilot", "tripadvisor", "checkatrade"];

/** Answers `/import` and what is below it. */
export async function answerImport(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, form } = request;
  const [part = "", ...deeper] = rest;
  if (part === "preview") return isPost ? undefined : await showPreview(request, deeper);
  if (deeper.length > 0) return undefined;
  if (part === "progress" && !isPost) {
    const job = site.imports.current();
    return showProgress(isUnderWay(job), job === undefined ? "" : progressText(request, job));
  }
  if (part === "" && !isPost) return (await checkStoreAgain(request)) ?? (await showImport(request));
  if (!isPost) return undefined;
  const { fields } = form;
  if (part === "") {
    const isNew = form.files.length > 0;
    if (!isNew && site.imports.current() === undefined)
      return await showImport(request, [request.words.importing.noFile]);
    const settings = { ...settingsOf(fields), ...(await checkedAgainst(site)) };
    const files = isNew ? form.files.splice(0) : undefined; // closed with the form until they are taken over here
    if (!(await site.imports.check(files, settings))) return await showImport(request, [request.words.importing.busy]);
  } else if (part === "publish") {
    const asked = { skipInvalid: fields.has("skip_invalid"), yes: fields.has("yes") };
    const id = fields.get("id") ?? "";
    if (site.imports.isPublished(id)) return leadTo(request, "/import", [request.words.importing.publishedOnce]);
    const said = await checkBusinessAgain(request, id);
    if (said !== undefined) return leadTo(request, "/import", [said]);
    if (!site.imports.publish(id, asked))
      return await showImport(request, [
        site.works.isFree() ? request.words.importing.replaced : request.words.work.busy,
      ]);
  } else if (part === "cancel") await site.imports.cancel();
  else return undefined;
  await settled(site.imports.ended(), PATIENCE_MS);
  return leadTo(request, "/import");
}

/** What a check goes by besides the files. The business.yaml beside the store is imported with the first reviews. */
async function checkedAgainst(site: DeskSite): Promise<Pick<ImportSettings, "business" | "revision">> {
  const stored = await withStore(site, async ({ database }) => ({
    business: await readBusiness(database),
    revision: (await readRevision(database)).number,
  }));
  const bytes = stored?.business === undefined ? readBusinessBytes(site) : undefined;
  return { business: bytes && { path: businessPath(site), bytes }, revision: stored?.revision };
}

/** Checks again if the business is another one now than what was checked as `id`, and says so. */
async function checkBusinessAgain({ site, words }: DeskRequest, id: string): Promise<string | undefined> {
  const job = site.imports.current();
  if (job?.id !== id || job.state !== "checked") return undefined;
  const now = await checkedAgainst(site);
  if (isDeepStrictEqual(now.business, job.settings.business)) return undefined;
  await checkAgain(site, { ...job.settings, ...now });
  return fill(words.business.changedMeanwhile, { file: NAME });
}

/** Checks again what was checked, after a change that the owner has made on the way. */
export async function checkAfterChange(site: DeskSite): Promise<void> {
  const job = site.imports.current();
  if (job?.state === "checked") await checkAgain(site, { ...job.settings, ...(await checkedAgainst(site)) });
}

/** Checks again what was checked, and says so, if the store has changed since: by a removal, whose words it would show. */
async function checkStoreAgain(request: DeskRequest): Promise<Response | undefined> {
  const { site, words } = request;
  const job = site.imports.current();
  if (job?.state !== "checked") return undefined;
  const now = await checkedAgainst(site);
  if (now.revision === job.settings.revision) return undefined;
  await checkAgain(site, { ...job.settings, ...now });
  return leadTo(request, "/import", [words.importing.storeChanged]);
}

async function checkAgain(site: DeskSite, settings: ImportSettings): Promise<void> {
  await site.imports.check(undefined, settings);
  await settled(site.imports.ended(), PATIENCE_MS);
}

function settingsOf(fields: URLSearchParams): ImportSettings {
  const given = (name: string) => fields.get(name)?.trim() ?? "";
  const source = given("source").toLowerCase().replaceAll(/\s+/g, "_");
  const columns = Object.fromEntries(
    MAPPABLE_FIELDS.flatMap((field) => {
      const column = fields.get(`column_${field}`) ?? "";
      return column === "" ? [] : [[field, column]];
    }),
  );
  const dates = given("dates");
  return {
    ...(source === "" ? {} : { source }),
    ...(given("location") === "" ? {} : { location: given("location") }),
    ...(given("encoding") === "" ? {} : { encoding: given("encoding") }),
    ...(fields.has("complete") ? { complete: true } : {}),
    ...(dates === "dmy" || dates === "mdy" ? { dates } : {}),
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
  };
}

function isUnderWay(job: ImportJob | undefined): boolean {
  return job?.state === "checking" || job?.state === "publishing";
}

async function showImport(request: DeskRequest, wrong: readonly string[] = []): Promise<Response> {
  const { words, site } = request;
  const job = site.imports.current();
  const isWaiting = isUnderWay(job);
  const noFile = wrong.includes(words.importing.noFile) ? wrong : [];
  const content = html`${
    job === undefined
      ? renderUpload(request, noFile)
      : isUnderWay(job)
        ? renderWaiting(request, job)
        : renderOutcome(request, job, await renderVouching(request, job))
  }`;
  return showPage(request, {
    entry: "import",
    title: words.navigation.import,
    content,
    isWaiting,
    faults: [
      { lines: noFile, field: { id: "files", label: words.importing.files } },
      { lines: noFile.length > 0 ? [] : wrong },
    ],
    status: wrong.length > 0 ? 400 : 200,
  });
}

/** `wrong`: what was wrong with the field of the files. */
function renderUpload(request: DeskRequest, wrong: readonly string[] = []): Markup {
  const { importing } = request.words;
  return html`<div class="card"><p>${importing.intro}</p>
<form method="post" action="${request.site.prefix}/import" enctype="multipart/form-data" class="fields-form">${tokenField(request)}
<p><label for="files">${importing.files}</label><input type="file" id="files" name="files" multiple required${fieldState("files", wrong, "files-hint")}><span class="soft" id="files-hint">${importing.filesHint}</span></p>${fieldFaults("files", wrong)}
${renderSource(request, undefined)}
<p class="actions"><button class="button">${importing.check}</button></p>
</form></div>
<section class="card"><h2>${importing.howTitle}</h2><p>${importing.how}</p></section>`;
}

function renderSource({ words: { importing } }: DeskRequest, source: string | undefined): Markup {
  return html`<p><label for="source">${importing.source}</label><input id="source" name="source" list="sources" value="${source ?? ""}" autocomplete="off" aria-describedby="source-hint"><datalist id="sources">${SOURCES.map((name) => html`<option value="${name}"></option>`)}</datalist><span class="soft" id="source-hint">${importing.sourceHint}</span></p>`;
}

function renderWaiting(request: DeskRequest, job: ImportJob): Markup {
  const { importing } = request.words;
  const title = job.state === "checking" ? importing.checking : importing.publishing;
  return html`<section class="card" aria-live="polite"><h2>${title}</h2><p>${namesOf(job)}</p><progress></progress><p id="progress">${progressText(request, job)}</p><p class="soft">${importing.waitHint}</p>
${job.state === "checking" ? actionForm(request, "/import/cancel", { label: request.words.cancel, kind: "quiet" }) : ""}</section>`;
}

function namesOf({ files }: ImportJob): string {
  const names = files
    .slice(0, 5)
    .map(({ name }) => name)
    .join(", ");
  return files.length > 5 ? `${names}, …` : names;
}

function progressText({ words: { importing }, locale }: DeskRequest, { state, progress }: ImportJob): string {
  if (progress === undefined || !("phase" in progress)) return importing.starting;
  const { phase, read, written } = progress;
  const isCheck = state === "checking" && phase === "writing"; // nothing is written by a check
  return fill(importing.phases[isCheck ? "comparing" : phase], {
    read: locale.number(read),
    written: locale.number(written),
  });
}

/** A button for reviews that customers gave directly, which are published only if the owner vouches for them. */
async function renderVouching(request: DeskRequest, { outcome }: ImportJob): Promise<Markup> {
  const report = outcome !== undefined && "report" in outcome ? outcome.report : undefined;
  const text = await presentText(request.site);
  if (text === undefined || report === undefined || !(ASSUMED_SOURCE in report.withheld_sources)) return "";
  if (businessFields(text).verified_sources?.split("\n").includes(ASSUMED_SOURCE)) return "";
  const { vouch, vouchHint } = request.words.importing;
  return html`<form class="card actions" method="post" action="${request.site.prefix}/business/vouch">${stampField(request, text)}<button class="button${isAllWithheld(report) ? "" : " quiet"}">${vouch}</button><span class="soft">${vouchHint}</span></form>`;
}

/** `vouching`: what is asked of reviews that customers gave directly. */
function renderOutcome(request: DeskRequest, job: ImportJob, vouching: Markup): Markup {
  const { words, site } = request;
  const { importing } = words;
  const outcome = job.outcome ?? { issues: [] };
  const report = "report" in outcome ? outcome.report : undefined;
  const issues = "report" in outcome ? outcome.report.issues : outcome.issues;
  if (job.state === "published")
    return html`<p role="status"><strong>${report !== undefined && isAllWithheld(report) ? importing.allWithheld : importing.published}</strong></p>${report === undefined ? "" : renderReport(request, report, { refusedBecause: importing.leftOutBecause })}${vouching}
<p class="actions"><a class="button" href="${site.prefix}/">${importing.goOn}</a>${report !== undefined && Object.keys(report.withheld_sources).length > 0 ? html` <a class="button quiet" href="${site.prefix}/business#verified_sources">${words.start.chooseSources}</a>` : ""}</p>${renderUpload(request)}`;
  const questions = issues.filter(({ code }) => code === UNCONFIRMED);
  const isQuestion = report === undefined && questions.length === issues.length && issues.length > 0;
  const asked = report?.to_confirm?.length ? report.to_confirm : undefined;
  const isPublishable = isQuestion || (report !== undefined && isWorthPublishing(report));
  const settling = renderSettling(request, job, { issues, isPublishable });
  const others = html`<section class="card"><h2>${importing.otherFiles}</h2>${actionForm(request, "/import/cancel", { label: importing.startAnew, kind: isPublishable || settling.isNeeded ? "quiet" : "" })}</section>`;
  const recalled = job.settings.isRecalled === true ? ` ${importing.recalled}` : "";
  return html`<p>${importing.checked} <strong>${namesOf(job)}</strong>. ${importing.nothingYet}${recalled}</p>
${report === undefined ? faults(issues.slice(0, MAX_ISSUES).map(({ message }) => deskAdvice(message, words))) : renderReport(request, report, { isAsked: settling.isNeeded })}${vouching}
${report === undefined && issues.some(({ code }) => code === "business") ? html`<p class="actions"><a class="button" href="${site.prefix}/business">${importing.mendBusiness}</a></p>` : ""}
${isPublishable ? renderPreviewLink(request, outcome) : ""}
${isPublishable ? renderPublish(request, job, { report, questions: isQuestion ? [] : asked }) : ""}
${isPublishable || settling.isNeeded ? [settling.form, others] : [others, settling.form]}`;
}

/** Whether anything of the files can be taken; business.yaml alone is not what was uploaded. */
function isWorthPublishing({
  added,
  changed,
  unchanged,
  left_out,
  withdrawn,
  refused,
  business,
}: ImportReport): boolean {
  return added + changed + unchanged + left_out + withdrawn > 0 || (refused === 0 && business !== null);
}

function isAllWithheld({ withheld, added, changed, unchanged }: ImportReport): boolean {
  return withheld > 0 && withheld >= added + changed + unchanged;
}

/** Counts that are shown only if they are not 0. */
const SHOWN_IF_ANY = new Set<(typeof SHOWN_COUNTS)[number]>(["left_out", "other_places", "duplicates", "withdrawn"]);

interface ReportWording {
  /** Above what was refused. */
  readonly refusedBecause?: string;
  /** Whether the page has fields by which files can be read that were refused. */
  readonly isAsked?: boolean;
}

function renderReport(
  request: DeskRequest,
  report: ImportReport,
  { refusedBecause = request.words.importing.refusedBecause, isAsked = false }: ReportWording = {},
): Markup {
  const { words, locale } = request;
  const { importing } = words;
  const asked = new Set(report.to_confirm);
  const rows = SHOWN_COUNTS.filter((name) => report[name] > 0 || !SHOWN_IF_ANY.has(name));
  const refused = report.issues.slice(0, MAX_ISSUES).map(({ message }) => deskAdvice(message, words));
  const changes = report.changes ?? [];
  // Without a record that was read, what was refused are files.
  const unreadFiles = report.read === 0 ? report.refused : 0;
  const told = report.warnings.filter((line) => !asked.has(line)).slice(0, MAX_ISSUES);
  const warnings = warningLines({ ...report, warnings: told }, request).map((line, at) => [
    line,
    told[at]?.includes("verified_sources") === true ? renderSourcesLink(request) : "",
  ]);
  // An archive's files of one format together.
  const readFiles = Map.groupBy(
    report.files,
    ({ name, format }) => `${plainLine(name.split("!")[0] ?? "")}: ${deskAdvice(format, words)}`,
  );
  return html`<section class="card" aria-labelledby="report"><h2 id="report">${importing.report}</h2>
${report.sources.slice(0, MAX_SOURCES).map((each) => renderOrigin(request, each))}
${unreadFiles === 0 ? "" : html`<p><strong>${locale.counted(isAsked ? importing.filesAsk : importing.filesRefused, unreadFiles)}</strong></p>`}
<table class="counts"><tbody>${rows.map((name) => html`<tr><th scope="row">${importing.counts[name]}</th><td>${locale.number(report[name])}</td></tr>`)}</tbody></table>
${refused.length === 0 ? "" : html`<h3>${refusedBecause}</h3>${faults(refused)}`}
${warnings.length === 0 ? "" : html`<h3>${importing.toKnow}</h3><ul class="plain">${warnings.map(([line, link]) => html`<li>${line}${link}</li>`)}</ul>`}
<ul class="plain soft">${[...readFiles].slice(0, 20).map(([name, files]) => html`<li>${name}, ${locale.counted(importing.records, sumOfRecords(files))}${renderReading(request, files)}</li>`)}${report.passed_over.slice(0, 20).map((name) => html`<li>${plainLine(fill(importing.passedOver, { name }))}</li>`)}</ul>
${
  changes.length === 0
    ? ""
    : html`<details><summary>${locale.counted(importing.changes, changes.length)}</summary><ul class="plain">${changes
        .slice(0, MAX_CHANGES)
        .map(
          ({ change, date, author, source, fields = [] }) =>
            html`<li>${importing.changeKinds[change]}: <time datetime="${date}">${locale.shortDate(date)}</time>, <bdi>${authorName(author, locale)}</bdi> (${sourceName(source, locale)})${fields.length === 0 ? "" : `: ${fields.join(", ")}`}</li>`,
        )}</ul></details>`
}</section>`;
}

/** Leads to the field of the business in which sources are vouched for. */
function renderSourcesLink(request: DeskRequest): Markup {
  return html` <a href="${request.site.prefix}/business#verified_sources">${labelOf(request, "verified_sources")}</a>`;
}

type ReadFiles = ImportReport["files"];

function sumOfRecords(files: ReadFiles): number {
  return files.reduce((sum, { records }) => sum + records, 0);
}

/** From where the fields of the reviews in these files were read, and some of them as examples. */
function renderReading({ words }: DeskRequest, files: ReadFiles): Markup {
  const { reading } = words.importing;
  const readFrom = joinedReadings(files.map(({ read_from }) => read_from));
  const line = readingLine(readFrom, reading, (note) => deskAdvice(note, words));
  const lines = [line, ...exampleLines(files, reading)].filter((each) => each !== "");
  return html`${lines.map((each) => html`<br>${plainLine(each)}`)}`;
}

/** Where the reviews of a source were written, and who says so. What nobody says must not be overlooked. */
function renderOrigin(
  { words: { importing }, locale }: DeskRequest,
  { source, records, said_by }: ImportReport["sources"][number],
): Markup {
  const values = { source, records: locale.counted(importing.records, records) };
  const said = fill(importing.origins[said_by], values);
  return said_by === "nobody"
    ? html`<div class="faults" role="note"><p><strong>${said}</strong> <a href="#source">${importing.source}</a></p></div>`
    : html`<p>${said}</p>`;
}

function renderPublish(
  request: DeskRequest,
  job: ImportJob,
  {
    report,
    questions,
  }: { readonly report: ImportReport | undefined; readonly questions: readonly string[] | undefined },
): Markup {
  const { words } = request;
  const { importing } = words;
  const isQuestion = questions !== undefined;
  return html`<div class="card"><form method="post" action="${request.site.prefix}/import/publish">${tokenField(request)}<input type="hidden" name="id" value="${job.id}">
${report !== undefined && isAllWithheld(report) ? html`<p><strong>${importing.wouldWithhold}</strong></p>` : ""}
${report === undefined || report.refused === 0 ? "" : html`<p class="check"><input type="checkbox" id="skip_invalid" name="skip_invalid" required aria-describedby="skip-hint"><label for="skip_invalid">${importing.leaveOut}</label> <span class="soft" id="skip-hint">${importing.leaveOutHint}</span></p>`}
${faults((questions ?? []).map((line) => deskAdvice(line, words)))}
${isQuestion ? html`<p class="check"><input type="checkbox" id="yes" name="yes" required><label for="yes">${importing.confirm}</label></p>` : ""}
<p class="actions"><button class="button${report !== undefined && isAllWithheld(report) ? " quiet" : ""}">${importing.publish}</button> <span class="soft">${importing.publishHint}</span></p></form></div>`;
}

/**
 * A field for everything that the check could not tell, with examples from the files beside it. `isNeeded`: nothing can be
 * published before it is settled.
 */
function renderSettling(
  request: DeskRequest,
  job: ImportJob,
  { issues, isPublishable }: { readonly issues: readonly Issue[]; readonly isPublishable: boolean },
): { readonly form: Markup; readonly isNeeded: boolean } {
  const { importing } = request.words;
  const { settings, outcome } = job;
  const { tables = [], encodings = [] }: Partial<FileSamples> = outcome ?? {};
  const asks = (option: string) => issues.some(({ message }) => message.includes(`--${option}`));
  const messages: CheckMessages = {
    faults: issues.map(({ message }) => message),
    warnings: outcome !== undefined && "report" in outcome ? outcome.report.warnings : [],
  };
  const isNamed = messages.warnings.some((message) => columnsNamed(message).length > 0);
  const isColumns = asks("columns") || isNamed || settings.columns !== undefined;
  const ambiguous = tables.flatMap(({ rows }) => rows.flat()).find(isAmbiguous);
  const columns = tables.length === 0 ? "" : renderColumns(request, tables, { settings, messages });
  const fields = [
    ...(asks("dates") || settings.dates !== undefined || (!isPublishable && isColumns && ambiguous !== undefined)
      ? [renderDates(request, dateIn(issues) ?? ambiguous ?? "", settings)]
      : []),
    ...(encodings.length > 0 || asks("encoding") || settings.encoding !== undefined
      ? [renderEncodings(request, encodings, { issues, settings })]
      : []),
    ...(issues.some(({ code }) => code === "places") || settings.location !== undefined
      ? [renderChoice("location", importing.location, placesIn(issues), settings.location)]
      : []),
  ];
  const isNeeded = !isPublishable && (isColumns || fields.length > 0 || asks("source"));
  const form = html`<section class="card"><h2>${isNeeded ? importing.settle : importing.otherwise}</h2>
<form method="post" action="${request.site.prefix}/import" class="fields-form">${tokenField(request)}
${fields}
${renderSource(request, settings.source)}
<p class="check"><input type="checkbox" id="complete" name="complete"${settings.complete === true ? html` checked` : ""} aria-describedby="complete-hint"><label for="complete">${importing.complete}</label></p><p class="soft" id="complete-hint">${importing.completeHint}</p>
${columns === "" ? "" : isColumns ? columns : html`<details><summary>${importing.ownColumns}</summary>${columns}</details>`}
<p class="actions"><button class="button${isNeeded ? "" : " quiet"}">${importing.check}</button></p></form></section>`;
  return { form, isNeeded };
}

/** The places that a fault lists, each with its number of reviews. */
function placesIn(issues: readonly Issue[]): (readonly [string, string])[] {
  const places = issues.flatMap(({ code, path, message }) =>
    code === "places" && path[1] !== undefined ? [[String(path[1]), message] as const] : [],
  );
  return places.slice(0, MAX_PLACES).map(([id, message]) => [id, beginning(message, MAX_PLACE_LENGTH).text]);
}

const [MAX_PLACES, MAX_PLACE_LENGTH] = [500, 200];

/** A line for each way in which the encodings read a file. The one that the message names is chosen. */
function renderEncodings(
  { words: { importing } }: DeskRequest,
  encodings: FileSamples["encodings"],
  { issues, settings }: { readonly issues: readonly Issue[]; readonly settings: ImportSettings },
): Markup {
  const named = issues.flatMap(({ message }) => /--encoding ([\w-]+)/.exec(message)?.[1] ?? []);
  const preferred = [settings.encoding, ...named, "windows-1252"];
  const choices = [...Map.groupBy(encodings, ({ words }) => words)].map(([words, alike]) => {
    const names = alike.map(({ encoding }) => encoding);
    const name = preferred.find((each) => each !== undefined && names.includes(each)) ?? names[0] ?? "";
    return [name, `${words} (${name})`] as const;
  });
  const chosen = settings.encoding ?? named.find((each) => choices.some(([name]) => name === each)) ?? choices[0]?.[0];
  return renderChoice("encoding", importing.encoding, choices, chosen, { hint: importing.encodingHint });
}

const WRITTEN_DATE = /^\s*(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{2,4})(?!\d)/;

/** Whether a cell is a date that can be one day or another. */
function isAmbiguous(cell: string): boolean {
  const [, first, second] = WRITTEN_DATE.exec(cell) ?? [];
  return first !== second && Number(first) <= 12 && Number(second) <= 12;
}

/** The date that a fault asks about. */
function dateIn(issues: readonly Issue[]): string | undefined {
  const { message = "" } = issues.find((each) => each.message.includes("--dates")) ?? {};
  return /"(\d{1,2}\D{1,3}\d{1,2}\D{1,3}\d{2,4}[^"]*)"/.exec(message)?.[1];
}

/** Both readings of a date. */
function renderDates({ words: { importing }, locale }: DeskRequest, example: string, settings: ImportSettings): Markup {
  const [, first = "", second = "", year = ""] = WRITTEN_DATE.exec(example) ?? [];
  const read = (day: string, month: string) => {
    const date = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    return calendarDateFault(date) === undefined ? `: ${first}/${second} = ${locale.date(date)}` : "";
  };
  const choices = [
    ["dmy", `${importing.dayFirst}${read(first, second)}`],
    ["mdy", `${importing.monthFirst}${read(second, first)}`],
  ] as const;
  return renderChoice("dates", importing.dates, choices, settings.dates);
}

function renderPreviewLink({ words: { importing }, site }: DeskRequest, { preview = [] }: ImportOutcome): Markup {
  return preview.length === 0
    ? ""
    : html`<section class="card"><h2>${importing.preview}</h2><p>${importing.previewHint}</p><p class="actions"><a class="button quiet" href="${site.prefix}/import/preview/" target="_blank">${importing.openPreview}</a></p></section>`;
}

/** The front page as it would be, which is stored nowhere. It is made again if the store has changed since, as by a removal. */
async function showPreview(request: DeskRequest, rest: readonly string[]): Promise<Response | undefined> {
  const { site, words } = request;
  const job = site.imports.current();
  if (job !== undefined && job.outcome === undefined) return leadTo(request, "/import", site.notice); // it is being checked
  const { outcome } = job ?? {};
  if (outcome?.preview === undefined) return undefined;
  const changed = await checkStoreAgain(request);
  if (changed !== undefined) return changed;
  return showFrontPage(outcome.preview, rest, {
    base: `${site.prefix}/import/preview`,
    note: words.importing.isPreview,
  });
}
