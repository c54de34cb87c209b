/** The desk's page of the business: business.yaml as a form, and as the file that it is. */
import { html } from "hono/html";
import { type BusinessFile, WEEKDAYS } from "../../business.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { ASSUMED_SOURCE } from "../../import/review/review-source.ts";
import { Invalid, type Issue } from "../../issue.ts";
import type { Markup } from "../../page/text/markup.ts";
import { ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import { likelyLanguage, machineZone, telephoneHint } from "../init/business-answers.ts";
import { differenceLines, withBusiness } from "../owner/business-difference.ts";
import {
  type BusinessFields,
  businessFields,
  LISTS,
  readBusinessForm,
  VALUES,
  WORDS,
  withBusinessFields,
} from "../owner/business-form.ts";
import { deskAdvice, differenceAdvice, labelOf } from "./desk-advice.ts";
import { NAME, otherPublished, presentText, publishText, stampField, stampOf } from "./desk-business-file.ts";
import { TOKEN_FIELD } from "./desk-form.ts";
import {
  confirmPage,
  type DeskRequest,
  fieldFaults,
  fieldState,
  leadTo,
  type PageFault,
  showPage,
} from "./desk-frame.ts";
import { checkAfterChange } from "./desk-import.ts";
import { unverifiedOf } from "./desk-site.ts";

const CATEGORIES =
  "AutoRepair Bakery Dentist Electrician GeneralContractor HairSalon HousePainter HVACBusiness LegalService LocalBusiness Locksmith MovingCompany Plumber ProfessionalService Restaurant RoofingContractor VeterinaryCare".split(
    " ",
  );
/** What is asked for first; everything else may follow later. */
const FIRST = ["name", "category", "time_zone", "language", "telephone", "url"] as const;
const LONG: ReadonlySet<string> = new Set(["description", "summary"]);

/** Answers `/business` and what is below it. */
export async function answerBusiness(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, form, site } = request;
  const part = rest.join("/");
  if (part === "") return isPost ? await save(request) : await showBusiness(request, await presentText(site));
  if (part === "file" && isPost) {
    const text = (form.fields.get("file") ?? "").replaceAll("\r\n", "\n");
    return await publish(request, { text, before: await presentText(site) });
  }
  if (part === "published" && isPost) return await takePublished(request);
  if (part === "vouch" && isPost) return await vouch(request);
  if (part === "keep" && isPost) {
    const text = await presentText(site);
    return text === undefined
      ? leadTo(request, "/business")
      : await publish(request, { text, before: text, decided: true });
  }
  return undefined;
}

/** Writes into business.yaml what is published, where the file says something else. */
async function takePublished(request: DeskRequest): Promise<Response> {
  const { site, words } = request;
  const text = await presentText(site);
  const other = text === undefined ? undefined : await otherPublished(site, parseBusinessFile(NAME, text));
  if (text === undefined || other === undefined) return leadTo(request, "/business", [words.business.taken]);
  return await publish(request, { text: withBusiness(text, other), before: text, saying: words.business.taken });
}

/** Publishes the reviews that customers gave directly, for which the owner vouches by that. */
async function vouch(request: DeskRequest): Promise<Response> {
  const text = await presentText(request.site);
  if (text === undefined) return leadTo(request, "/business");
  const sources = new Set([...(businessFields(text).verified_sources ?? "").split("\n"), ASSUMED_SOURCE]);
  const verified_sources = [...sources].join("\n");
  const { importing } = request.words;
  const isWaiting = request.site.imports.current()?.state === "checked";
  const saying = isWaiting ? importing.vouched : importing.vouchedFor;
  const next = isWaiting ? "/import" : "/"; // what was published then is told by no report yet
  const change = { text: withBusinessFields(text, { verified_sources }), before: text, next, saying };
  const answered = await publish(request, change);
  if (answered.status === 303) await checkAfterChange(request.site);
  return answered;
}

/** A text that cannot be read as YAML at all has only the faults of its lines. */
function fieldsOf({ locale }: DeskRequest, text: string | undefined): BusinessFields {
  if (text !== undefined) return businessFields(text);
  const timeZone = machineZone();
  const language = locale.tag === "en" ? likelyLanguage({ timeZone }) : locale.tag; // the browser asked for it
  return { category: "LocalBusiness", time_zone: timeZone, language };
}

async function save(request: DeskRequest): Promise<Response> {
  const { form, site } = request;
  const text = await presentText(site);
  const names = [...VALUES, ...Object.keys(LISTS), ...WORDS, ...WEEKDAYS.map((day) => `hours.${day}`)];
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = form.fields.get(name);
      return value === null ? [] : [[name, value.replaceAll("\r\n", "\n")]];
    }),
  );
  try {
    return await publish(request, { text: withBusinessFields(text, given), before: text, given });
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return showForm(request, { text, fields: { ...fieldsOf(request, text), ...given }, issues: error.issues });
  }
}

interface Publishing {
  readonly text: string;
  /** What it was made from, and no other reading of the file: by it is known whether the owner was shown the same. */
  readonly before: string | undefined;
  /** The fields that it was made from. */
  readonly given?: BusinessFields;
  /** The page that is shown then, in place of this one. */
  readonly next?: string;
  /** What was done, in place of what it changed. */
  readonly saying?: string;
  /** Whether the owner knows what the file says otherwise than what is published. */
  readonly decided?: boolean;
}

async function publish(request: DeskRequest, publishing: Publishing): Promise<Response> {
  const { text, before, given = {}, next, saying, decided = request.form.fields.has("decided") } = publishing;
  const differences =
    decided || !isOfForm(request, before) || !(await isUndecided(request, before))
      ? []
      : (await differencesOf(request, text)).lines;
  if (differences.length > 0) return askToSave(request, differences);
  const published = await publishText(request, { text, before });
  if ("issues" in published) {
    const { file, issues } = published;
    return showForm(request, { text: before, file, fields: { ...fieldsOf(request, before), ...given }, issues });
  }
  const { telephone } = published.business;
  const isNew = telephone !== undefined && telephone !== fieldsOf(request, before).telephone;
  const hint = isNew ? telephoneHint(telephone) : undefined;
  const [said = "", ...warnings] = published.done;
  return leadTo(request, next ?? (before === undefined ? "/" : "/business"), [
    saying ?? said,
    ...(hint ? [deskAdvice(hint, request.words)] : []),
    ...warnings,
  ]);
}

async function showBusiness(request: DeskRequest, text: string | undefined): Promise<Response> {
  if (text === undefined) return showForm(request, { text, fields: fieldsOf(request, text), issues: [] });
  const { fields, business, issues } = readBusinessForm(text);
  return showForm(request, { text, fields, issues, differences: await differencesFrom(request, business) });
}

/** What publishing a business would change: the labels of the fields, and a line for each with both values. */
interface Differences {
  readonly labels: readonly string[];
  readonly lines: readonly string[];
}

const NO_DIFFERENCES: Differences = { labels: [], lines: [] };

async function differencesFrom(request: DeskRequest, business: BusinessFile | undefined): Promise<Differences> {
  const { words, locale, site } = request;
  const published = business && (await otherPublished(site, business));
  if (published === undefined) return NO_DIFFERENCES;
  const { goesBack: differs, nothing } = ownerWordsFor(locale.tag);
  const label = (name: string) => labelOf(request, name);
  const lines = differenceLines(published, business, { differs, nothing, label });
  const named = differenceLines(published, business, { differs: "{field}", nothing, label });
  return {
    labels: [...new Set(named.map((line) => line.replace(/^(\w+), .*$/s, (_all, power: string) => label(power))))],
    lines: lines.map((line) => differenceAdvice(line, words)),
  };
}

async function differencesOf(request: DeskRequest, text: string | undefined): Promise<Differences> {
  return text === undefined ? NO_DIFFERENCES : await differencesFrom(request, readBusinessForm(text).business);
}

/** Whether the form was made from this text: if not, it is refused, and nothing is asked. */
function isOfForm({ form }: DeskRequest, text: string | undefined): boolean {
  return form.fields.get("before") === stampOf(text);
}

/** Whether the file says something else than what is published, and the owner has not said which counts. */
async function isUndecided(request: DeskRequest, before: string | undefined): Promise<boolean> {
  return (await differencesOf(request, before)).lines.length > 0;
}

/** Asks before a form publishes what the file says otherwise, beside what was changed in it. */
function askToSave(request: DeskRequest, differences: readonly string[]): Response {
  const { words, form, rest } = request;
  const { business: said } = words;
  const { [TOKEN_FIELD]: _, ...fields } = Object.fromEntries(form.fields);
  const path = ["/business", ...rest].join("/");
  const action = { path, yes: said.yesSave, back: "/business", fields: { ...fields, decided: "on" } };
  const lines = [fill(said.willSave, { file: NAME }), ...differences];
  return confirmPage(request, { entry: "business", title: said.askSave, lines }, action);
}

interface ShownForm {
  readonly text: string | undefined;
  /** The text to show in place of it. */
  readonly file?: string | undefined;
  readonly fields: BusinessFields;
  readonly issues: readonly Issue[];
  /** What is published otherwise. */
  readonly differences?: Differences;
}

/** The form, with each fault at its field and the others above. */
async function showForm(
  request: DeskRequest,
  { text, file = text, fields, issues, differences = NO_DIFFERENCES }: ShownForm,
): Promise<Response> {
  const { words, site, locale } = request;
  const { business: said } = words;
  const isFirst = text === undefined;
  const names = new Set<string>([...VALUES, ...Object.keys(LISTS), ...WORDS, ...WEEKDAYS.map((day) => `hours.${day}`)]);
  const faultsAt = Map.groupBy(issues, ({ path }) => fieldAt(path, names));
  const plain = ({ message }: Issue) => deskAdvice(message.replace(/^business\.yaml:\d+: /, ""), words);
  const labelled = (said: string) => said.replace(/^[a-z_.]+(?= )/, (name) => labelOf(request, name));
  const faultsOf = (name: string) => (faultsAt.get(name) ?? []).map((issue) => labelled(plain(issue)));
  const [inFile, general] = [true, false].map((isInFile) =>
    (faultsAt.get(undefined) ?? [])
      .filter(({ path }) => (!isFirst && path.length > 0) === isInFile)
      .map(({ message }) => deskAdvice(message, words)),
  ) as [string[], string[]];
  const pageFaults: PageFault[] = [
    { lines: general },
    ...[...names].map((name) => ({ lines: faultsOf(name), field: { id: idOf(name), label: labelOf(request, name) } })),
    { lines: inFile, field: { id: "file", label: NAME } },
  ];
  const unverified = isFirst ? [] : [...((await unverifiedOf(site)) ?? [])];
  const stored = unverified.map(([source, count]) => `${source} (${locale.number(count)})`).join(", ");
  const notes = stored === "" ? {} : { verified_sources: fill(said.unverified, { stored }) };
  const context: FieldContext = { request, fields, faultsOf, notes };
  const stamp = stampField(request, text);
  const others = VALUES.filter((name) => !(FIRST as readonly string[]).includes(name));
  const content = html`${isFirst ? html`<p>${said.firstIntro}</p>` : ""}${differences.lines.length === 0 ? "" : renderDifferences(request, stamp, differences)}
<form method="post" action="${site.prefix}/business" class="fields-form">${stamp}
<div class="card">${isFirst ? "" : html`<h2>${said.facts}</h2>`}<div class="fields">${FIRST.map((name) => renderField(context, name))}</div>${isFirst ? html`<p class="actions"><button class="button">${said.save}</button></p>` : ""}</div>
<div class="card"><fieldset><legend>${said.hours}</legend><p class="soft">${said.hoursHint}</p><div class="fields">${WEEKDAYS.map((day) => renderField(context, `hours.${day}`))}</div></fieldset></div>
<section class="card"><h2>${said.lists}</h2><p class="soft">${said.listsHint}</p><div class="fields">${Object.keys(LISTS).map((name) => renderField(context, name))}</div></section>
<section class="card"><h2>${said.more}</h2><div class="fields">${others.map((name) => renderField(context, name))}${WORDS.map((name) => renderField(context, name))}</div></section>
<p class="actions"><button class="button">${said.save}</button> <span class="soft">${fill(said.saveHint, { file: NAME })}</span></p>
</form>
${isFirst ? "" : html`<div class="card"><details${issues.length > 0 ? html` open` : ""}><summary>${said.itself}</summary><p class="soft">${said.itselfHint}</p><form method="post" action="${site.prefix}/business/file" class="fields-form">${stamp}<label for="file">${NAME}</label><textarea id="file" name="file" rows="20" spellcheck="false" class="code"${fieldState("file", inFile)}>${file}</textarea>${fieldFaults("file", inFile)}<p class="actions"><button class="button quiet">${said.saveFile}</button></p></form></details></div>`}`;
  return showPage(request, {
    entry: "business",
    title: isFirst ? said.first : words.navigation.business,
    content,
    faults: pageFaults,
    status: issues.length > 0 && request.isPost ? 400 : 200,
  });
}

/** What differs, published → in the file, and the two ways to settle it. */
function renderDifferences(request: DeskRequest, stamp: Markup, { labels, lines }: Differences): Markup {
  const { words, site } = request;
  const { business: said } = words;
  const fields = labels.join(", ");
  const way = (path: string, label: string, kind: string) =>
    html`<form method="post" action="${site.prefix}/business/${path}">${stamp}<button class="button ${kind}">${fill(label, { file: NAME })}</button></form>`;
  return html`<section class="card"><p><strong>${fill(said.differs, { file: NAME, fields })}</strong></p><div class="actions">${way("published", said.takePublished, "")}${way("keep", said.keepFile, "quiet")}</div><details><summary>${said.wouldChange}</summary><ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul></details></section>`;
}

/** The id of a field in the page. */
function idOf(name: string): string {
  return name.replaceAll(".", "-");
}

/** The field that a fault's path is about: `["business.yaml", 3, "opening_hours", 0, "days"]` is about none alone. */
function fieldAt(path: Issue["path"], names: ReadonlySet<string>): string | undefined {
  const [, , first = "", second = ""] = path;
  return [`${first}.${second}`, String(first)].find((name) => names.has(name));
}

interface FieldContext {
  readonly request: DeskRequest;
  readonly fields: BusinessFields;
  readonly faultsOf: (name: string) => readonly string[];
  /** What is said at a field beside its hint. */
  readonly notes: Readonly<Record<string, string>>;
}

function renderField({ request, fields, faultsOf, notes }: FieldContext, name: string): Markup {
  const label = labelOf(request, name);
  const wrong = faultsOf(name);
  const id = idOf(name);
  const { hints } = request.words.business;
  const hint = hints[name as keyof typeof hints] as string | undefined;
  const state = fieldState(id, wrong, hint === undefined ? undefined : `hint-${id}`);
  const value = fields[name] ?? "";
  const isLong = LONG.has(name) || name in LISTS || (WORDS as readonly string[]).includes(name);
  const suggested = { category: CATEGORIES, time_zone: Intl.supportedValuesOf("timeZone") }[name];
  const field = isLong
    ? html`<textarea id="${id}" name="${name}" rows="4"${state}>${value}</textarea>`
    : html`<input id="${id}" name="${name}" value="${value}"${name === "name" ? html` required` : ""}${suggested === undefined ? "" : html` list="list-${id}"`}${state}>`;
  return html`<div${isLong ? html` class="wide"` : ""}><label for="${id}">${label}</label>${field}${fieldFaults(id, wrong)}${hint === undefined ? "" : html`<span class="soft" id="hint-${id}">${hint}${notes[name] === undefined ? "" : html` <strong>${notes[name]}</strong>`}</span>`}${suggested === undefined ? "" : html`<datalist id="list-${id}">${suggested.map((each) => html`<option value="${each}"></option>`)}</datalist>`}</div>`;
}
