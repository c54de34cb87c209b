/** The desk's page of what is under way, and how other pages begin work and show what came of it. */
import { html } from "hono/html";
import { Invalid } from "../../issue.ts";
import { fill } from "../../page/text/words.ts";
import { deskAdvice, questionAdvice } from "./desk-advice.ts";
import { confirmPage, type DeskRequest, leadTo, showPage, showProgress } from "./desk-frame.ts";
import { settled } from "./desk-site.ts";
import { isQuestion, type RestoreQuestion, type Work, type WorkTask } from "./desk-work.ts";

/** Short work is answered with what came of it, longer work with its progress, and a look, which is a page, at once. */
const PATIENCE_MS = 1_500;

/** Begins work and leads to what came of it, on the page `back` if it is short. @throws Invalid if other work is under way. */
export async function doWork(request: DeskRequest, task: WorkTask, back: string): Promise<Response> {
  const { site, words } = request;
  const begun = site.works.begin(task, request.locale.tag, back);
  if (begun === undefined) throw new Invalid([{ code: "busy", path: [], message: words.work.busy }]);
  if (task.kind !== "look") await settled(begun.ended, PATIENCE_MS);
  const { id, outcome } = begun;
  if (outcome === undefined || isQuestion(outcome)) return leadTo(request, "/under-way");
  site.works.seen(id);
  if ("lines" in outcome) return leadTo(request, back, outcome.lines);
  const issues = outcome.issues.map((issue) => ({ ...issue, message: deskAdvice(issue.message, words) }));
  if (issues.every(({ code }) => code !== "failed")) throw new Invalid(issues);
  throw new Error(issues.map(({ message }) => message).join(" "));
}

/** Answers `/under-way` and what is below it. */
export async function answerWork(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, form } = request;
  const work = site.works.current();
  switch (rest.join("/")) {
    case "":
      return isPost ? undefined : showWork(request, work);
    case "progress":
      return isPost ? undefined : showProgress(isUnderWay(work), work === undefined ? "" : progressText(request, work));
    case "seen":
      if (!isPost) return undefined;
      site.works.seen(form.fields.get("id") ?? "");
      return leadTo(request, "/");
    default:
      return undefined;
  }
}

function isUnderWay(work: Work | undefined): boolean {
  return work !== undefined && work.outcome === undefined;
}

function showWork(request: DeskRequest, work: Work | undefined): Response {
  const { words } = request;
  if (work === undefined) return leadTo(request, "/");
  if (work.kind === "import") return leadTo(request, "/import");
  const { outcome, kind, back } = work;
  if (outcome !== undefined)
    return isQuestion(outcome) ? showRestoreQuestion(request, work.id, outcome.asked) : leadTo(request, back);
  const content = html`<div class="card" aria-live="polite"><progress></progress><p id="progress">${progressText(request, work)}</p><p class="soft">${words.importing.waitHint}</p></div>`;
  return showPage(request, { entry: "under-way", title: words.work.kinds[kind], content, isWaiting: true });
}

/** With the id, nobody confirms what another window has put in its place. */
function showRestoreQuestion(request: DeskRequest, id: string, asked: RestoreQuestion): Response {
  const { words } = request;
  const { history } = words;
  const lines = questionAdvice({ ...asked, question: asked.question ?? history.restoreNew, name: asked.name }, words);
  const [path, cancelPath] = ["/history/restore/confirmed", "/history/restore/cancelled"];
  const action = { path, cancelPath, yes: history.yesRestore, back: "/history", fields: { id } };
  return confirmPage(request, { entry: "history", title: history.askRestore, lines }, action);
}

function progressText({ words, locale }: DeskRequest, { at, progress }: Work): string {
  const seconds = Math.round((Date.now() - at.getTime()) / 1_000);
  const { done = 0, all = 0 } = progress ?? {};
  const files = fill(words.work.files, { done: locale.number(done), all: locale.number(all) });
  return `${all === 0 ? "" : `${files} `}${locale.counted(words.work.seconds, seconds)}`;
}
