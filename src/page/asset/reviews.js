/**
 * Makes the list of reviews answer at once: asks the server for the same page that the form would open, and puts its
 * results in place of those shown. On a host that only serves files it searches the published data here.
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

let running = new AbortController();

/** Shows the results of a query, newest request wins. */
async function show(query, { push = false, focus = false } = {}) {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const address = `${form.action}${query.size === 0 ? "" : `?${query}`}`;
  results().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { signal, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("results");
    if (next === null) throw new Error(`No results at ${address}`);
    if (isSame(next.dataset.query ?? "", query)) results().replaceWith(document.adoptNode(next));
    else await searchHere(query, signal);
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    if (focus) document.getElementById("matched")?.focus();
  } catch {
    if (signal.aborted) return;
    location.assign(address); // the form's own way still works
  }
}

/** Whether a page holds the results of this query. A copy on a file host always holds those of none. */
function isSame(shown, query) {
  const sorted = (parameters) => {
    const copy = new URLSearchParams(parameters);
    copy.delete("limit");
    copy.sort();
    return copy.toString();
  };
  return sorted(shown) === sorted(query);
}

let published;

/** The published data, fetched once. */
function data() {
  published ??= Promise.all(
    ["reviews", "insights"].map((name) => fetch(new URL(`${name}.json`, form.action)).then((answer) => answer.json())),
  );
  return published;
}

const PAGE_LENGTH = 20;

/** The search of the server, over the published data. */
async function searchHere(query, signal) {
  const [{ reviews }, { per_review: analyses }] = await data();
  signal.throwIfAborted();
  const value = (name) => query.get(name) ?? "";
  const words = value("query").toLowerCase();
  const matching = reviews.filter(
    (review) =>
      (value("rating") === "" || review.rating === Number(value("rating"))) &&
      (value("min_rating") === "" || review.rating >= Number(value("min_rating"))) &&
      (value("since") === "" || review.date >= value("since")) &&
      (value("until") === "" || review.date <= value("until")) &&
      (value("reply") === "" || (review.owner_reply !== null) === (value("reply") === "with")) &&
      (words === "" || (review.text ?? "").toLowerCase().includes(words)) &&
      (value("mentions_technician") === "" ||
        analyses[review.id]?.technicians.includes(value("mentions_technician"))) &&
      (value("mentions_service") === "" || analyses[review.id]?.services.includes(value("mentions_service"))),
  );
  const offset = Number(value("offset"));
  const shown = matching.slice(offset, offset + PAGE_LENGTH);
  const list = results().querySelector(".cards") ?? document.createElement("div");
  list.replaceChildren(...shown.map(card));
  const heading = document.getElementById("matched");
  if (heading !== null)
    heading.textContent = `${matching.length.toLocaleString(document.documentElement.lang)} / ${reviews.length.toLocaleString(document.documentElement.lang)}`;
  for (const extra of results().querySelectorAll(".pager, p.card")) extra.remove();
  if (matching.length > PAGE_LENGTH) results().append(pager(query, offset, matching.length));
  results().dataset.query = query.toString();
  results().removeAttribute("aria-busy");
}

/** One review in the page's own template. */
function card(review) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("card"));
  const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const find = (selector) => /** @type {HTMLElement} */ (copy.querySelector(selector));
  const href = new URL(`reviews/${review.id}`, form.action.replace(/reviews\/?$/, ""));
  find(".text-stars").textContent = "★".repeat(review.rating) + "☆".repeat(5 - review.rating);
  find(".text-stars").setAttribute("aria-label", `${review.rating}/5`);
  find("bdi").textContent = review.author;
  find("time").setAttribute("datetime", review.date);
  find("time").textContent = new Date(`${review.date}T00:00:00Z`).toLocaleDateString(document.documentElement.lang, {
    dateStyle: "long",
    timeZone: "UTC",
  });
  find(".words").textContent = (review.text ?? "").slice(0, 700);
  for (const link of copy.querySelectorAll("a")) link.href = href.href;
  return copy;
}

function pager(query, offset, count) {
  const nav = document.createElement("nav");
  nav.className = "pager";
  nav.setAttribute("aria-label", "←/→");
  const link = (from, rel, text) => {
    const to = new URLSearchParams(query);
    to.set("offset", String(Math.max(from, 0)));
    const anchor = document.createElement("a");
    Object.assign(anchor, { className: "button quiet", rel, textContent: text, href: `${form.action}?${to}` });
    nav.append(anchor);
  };
  if (offset > 0) link(offset - PAGE_LENGTH, "prev", "←");
  if (offset + PAGE_LENGTH < count) link(offset + PAGE_LENGTH, "next", "→");
  return nav;
}

form.addEventListener("input", () => void show(asked()));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void show(asked(), { push: true });
});
document.getElementById("clear")?.addEventListener("click", (event) => {
  event.preventDefault();
  for (const field of form.elements) if ("value" in field) field.value = "";
  void show(asked(), { push: true });
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(".pager a") : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void show(new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams, { push: true, focus: true });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && event.ctrlKey) {
    event.preventDefault();
    queryField.focus();
    queryField.select();
  } else if (event.key === "Escape" && document.activeElement === queryField && queryField.value !== "") {
    event.preventDefault();
    queryField.value = "";
    void show(asked());
  }
});
addEventListener("popstate", () => {
  const query = new URLSearchParams(location.search);
  for (const field of form.elements)
    if (field instanceof HTMLElement && "name" in field && field.name !== "") field.value = query.get(field.name) ?? "";
  void show(query);
});
for (const hint of document.querySelectorAll(".shortcut"))
  if (matchMedia("(hover: hover)").matches) hint.hidden = false;
if (location.search !== "" && !isSame(results().dataset.query ?? "", new URLSearchParams(location.search))) {
  void show(new URLSearchParams(location.search));
}
