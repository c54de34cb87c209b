/**
 * <goodword-reviews count="3">: the rating and the newest reviews with words of the business whose server this file came from, in
 * the fonts and colours of the page around it. Without this script, what stands inside the element shows.
 */
const origin = new URL(import.meta.url).origin;
const root = new URL("..", import.meta.url).href.replace(/\/$/, "");

const look = new CSSStyleSheet();
look.replaceSync(`
:host { display: block; color: inherit; font: inherit; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 1em; }
li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .6em; padding: 1em; overflow: clip; overflow-clip-margin: .3em; }
p { margin: .4em 0 0; overflow-wrap: anywhere; white-space: pre-line; }
a { color: inherit; }
img { max-width: 100%; height: auto; }
.stars { letter-spacing: .1em; }
.all { margin: 0 0 1em; }
`);

/** An element with text and attributes; text is only ever set as text. */
function make(name, text, attributes = {}) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A text cut near its limit, between words. */
function beginning(text, length = 280) {
  return text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, "")}…`;
}

let policy;

/** For a page that takes HTML as a trusted type alone. It becomes a document of its own, of which only texts and addresses are shown. */
function trusted(text) {
  policy ??= globalThis.trustedTypes?.createPolicy("goodword", { createHTML: (html) => html });
  return policy === undefined ? text : policy.createHTML(text);
}

class GoodwordReviews extends HTMLElement {
  static observedAttributes = ["count"];

  connectedCallback() {
    void this.#show();
  }

  attributeChangedCallback(_name, before) {
    if (before !== null && this.isConnected) void this.#show();
  }

  async #show() {
    const count = Math.min(Math.max(Math.trunc(Number(this.getAttribute("count") ?? 3)) || 3, 1), 10);
    try {
      const answer = await fetch(`${root}/embed/reviews`, { credentials: "omit", referrerPolicy: "no-referrer" });
      if (!answer.ok) throw new Error(`${answer.status} from ${origin}`);
      this.#fill(new DOMParser().parseFromString(trusted(await answer.text()), "text/html"), count);
    } catch (error) {
      console.warn("goodword-reviews: the reviews could not be loaded", error); // what stands inside keeps showing
    }
  }

  /** Shows the reviews of the frame, which has them in the language of the business. */
  #fill(frame, count) {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [look];
    const all = make("p", undefined, { class: "all" });
    const link = make("a", undefined, { href: `${root}/`, target: "_blank", rel: "noopener" });
    const alt = frame.querySelector('meta[name="description"]')?.content ?? frame.title;
    link.append(make("img", undefined, { src: `${root}/embed/badge.svg`, alt, width: "320", height: "76" }));
    all.append(link);
    const list = make("ul");
    for (const card of [...frame.querySelectorAll("article")].slice(0, count)) list.append(this.#entry(card));
    shadow.replaceChildren(all, list);
  }

  #entry(card) {
    const entry = make("li");
    const label = card.querySelector(".stars").getAttribute("aria-label");
    const rating = Number(/\d/.exec(label)?.[0] ?? 0); // “4 of 5 stars”, « note de 4 sur 5 »
    const stars = make("span", "★".repeat(rating) + "☆".repeat(5 - rating), {
      ...{ class: "stars", role: "img", "aria-label": label },
    });
    const { textContent: name, href } = card.querySelector("h3 a");
    const author = make("a", undefined, { href, target: "_blank", rel: "noopener" });
    author.append(make("bdi", name));
    const { textContent: written, dateTime } = card.querySelector("time");
    const day = make("time", written, { datetime: dateTime });
    const text = (card.querySelector(":scope > .words") ?? card.querySelector(":scope > p")).textContent;
    entry.append(stars, " ", author, ", ", day, make("p", beginning(text), { dir: "auto" }));
    return entry;
  }
}

if (customElements.get("goodword-reviews") === undefined) customElements.define("goodword-reviews", GoodwordReviews);
