/**
 * Makes the list of reviews answer at once: asks the server for the same page that the form would open, and puts its
 * results in place of those shown. Pages made for a host that only serves files bring a template, and are searched here.
 */
const form = /** @type {HTMLFormElement} */ (document.getElementById("filter"));
const results = () => /** @type {HTMLElement} */ (document.getElementById("results"));
const queryField = /** @type {HTMLInputElement} */ (document.getElementById("query"));

/** The query of the form: only fields that say something. */
function asked() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, String(value));
  return query;
}

/** Whether there is no server to ask: the page brings what a search here needs. */
const isStatic = document.getElementById("card") !== null;

/** Puts the values of a query into the form. */
function fillIn(query) {
  for (const field of form.elements)
    if (field instanceof HTMLElement && "name" in field && field.name !== "") field.value = query.get(field.name) ?? "";
}

let running = new AbortController();

/** Whether the newest entry of the history is of words that are still being typed. */
let isTyping = false;

/**
 * Puts the address of a query into the history before its results are there. Words that are being typed are one entry,
 * however many letters they have; every other change is an entry of its own, so that Back takes back the last one.
 */
function note(query, { typed = false } = {}) {
  const address = addressOf(query);
  if (address !== location.href) {
    if (typed && isTyping) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  }
  isTyping = typed;
}

function addressOf(query) {
  return `${form.action}${query.size === 0 ? "" : `?${query}`}`;
}

/** Shows the results of a query, newest request wins. */
async function show(query, { focus = false } = {}) {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const address = addressOf(query);
  results().setAttribute("aria-busy", "true");
  try {
    const next = await (isStatic ? searchFiles(query) : askServer(address, signal));
    signal.throwIfAborted();
    put(next);
    if (focus) document.getElementById("matched")?.focus();
  } catch (error) {
    if (signal.aborted) return;
    if (isStatic || error instanceof Unreachable) sayUnreachable();
    else if (address === location.href) location.reload();
    else location.assign(address); // the form's own way still works
  }
}

/**
 * Puts new results in place of those shown. The element that tells their number stays, with new words: what is announced
 * is what changes in an element that was there before (WAI-ARIA, live regions).
 */
function put(next) {
  const shown = results();
  const [status, told] = [shown, next].map((section) => section.querySelector('[role="status"]'));
  for (const gone of ["aria-busy", "aria-labelledby"]) shown.removeAttribute(gone);
  status.replaceChildren(...told.childNodes);
  while (status.nextSibling !== null) status.nextSibling.remove();
  told.remove();
  shown.append(...next.childNodes);
  const label = next.getAttribute("aria-labelledby");
  if (label !== null) shown.setAttribute("aria-labelledby", label);
  document.title = next.dataset.title ?? document.title;
  shown.dataset.query = next.dataset.query;
}

/** No answer came: there is no connection, or no server. */
class Unreachable extends Error {}

/** Says that the results could not be fetched, beside those that are shown. */
function sayUnreachable() {
  results().removeAttribute("aria-busy");
  const status = results().querySelector('[role="status"]');
  status.querySelector(".unreachable")?.remove();
  const said = document.createElement("p");
  said.className = "unreachable";
  said.textContent = form.dataset.unreachable ?? "";
  status.append(said);
}

/** The results of the page at an address. */
async function askServer(address, signal) {
  const answer = await fetch(address, { signal, headers: { Accept: "text/html" } }).catch((error) => {
    throw new Unreachable(String(error));
  });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("results");
  if (next === null) throw new Error(`No results at ${address}`);
  return document.adoptNode(next);
}

async function searchFiles(query) {
  const { findReviews } = await import("./file-search.js");
  return await findReviews(query, form.action);
}

/** Whether a page holds the results of this query. */
function isSame(shown, query) {
  const sorted = (parameters) => {
    const copy = new URLSearchParams(parameters);
    copy.delete("limit");
    copy.sort();
    return copy.toString();
  };
  return sorted(shown) === sorted(query);
}

/** Shows what the form asks for. */
function search(options) {
  note(asked(), options);
  void show(asked());
}

form.addEventListener("input", (event) => search({ typed: event.target instanceof HTMLInputElement }));
form.addEventListener("change", () => {
  isTyping = false; // what is typed from now on is another search
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
document.getElementById("clear")?.addEventListener("click", (event) => {
  event.preventDefault();
  for (const field of form.elements) if ("value" in field) field.value = "";
  search();
});
document.addEventListener("click", (event) => {
  const link =
    event.target instanceof Element ? event.target.closest(".pager a, .chosen a, .narrower a, #past-end a") : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (isStatic && link.search === "") return; // a page of its own
  event.preventDefault();
  const query = new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams;
  fillIn(query);
  note(query);
  void show(query, { focus: true });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && event.ctrlKey) {
    event.preventDefault();
    queryField.focus();
    queryField.select();
  } else if (event.key === "Escape" && document.activeElement === queryField && queryField.value !== "") {
    event.preventDefault();
    queryField.value = "";
    search({ typed: true });
  }
});
/** Shows what the address asks for, in the form too, unless it is what the page shows. */
function followAddress() {
  if (location.pathname !== new URL(form.action).pathname) return void location.reload(); // a page of a static list
  const query = new URLSearchParams(location.search);
  isTyping = false;
  running.abort();
  results().removeAttribute("aria-busy");
  fillIn(query);
  if (!isSame(results().dataset.query ?? "", query)) void show(query);
}

addEventListener("popstate", followAddress);
for (const hint of document.querySelectorAll(".shortcut"))
  if (matchMedia("(hover: hover)").matches) hint.hidden = false;
if (location.search !== "") followAddress();
