/**
 * <goodword-reviews count="3">: the rating and the newest reviews of the business whose server this file came from, in
 * the fonts and colours of the page around it. Without this script, what stands inside the element shows.
 */
const origin = new URL(import.meta.url).origin;
const root = new URL("..", import.meta.url).href.replace(/\/$/, "");

const look = new CSSStyleSheet();
look.replaceSync(`
:host { display: block; color: inherit; font: inherit; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 1em; }
li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .6em; padding: 1em; }
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
      const answer = await fetch(`${root}/api/feed.json`, { credentials: "omit", referrerPolicy: "no-referrer" });
      if (!answer.ok) throw new Error(`${answer.status} from ${origin}`);
      const feed = await answer.json();
      this.#fill(feed, count);
    } catch (error) {
      console.warn("goodword-reviews: the reviews could not be loaded", error); // what stands inside keeps showing
    }
  }

  #fill(feed, count) {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [look];
    const all = make("p", undefined, { class: "all" });
    const link = make("a", undefined, { href: feed.home_page_url, target: "_blank", rel: "noopener" });
    link.append(
      make("img", undefined, { src: `${root}/embed/badge.svg`, alt: feed.title, width: "320", height: "76" }),
    );
    all.append(link);
    const list = make("ul");
    for (const item of feed.items.slice(0, count)) list.append(this.#entry(item));
    shadow.replaceChildren(all, list);
  }

  #entry({ url, authors, content_text: text, date_published: date, _goodword: { rating } }) {
    const entry = make("li");
    const stars = make("span", "★".repeat(rating) + "☆".repeat(5 - rating), {
      class: "stars",
      role: "img",
      "aria-label": `${rating}/5`,
    });
    const author = make("a", undefined, { href: url, target: "_blank", rel: "noopener" });
    author.append(make("bdi", authors[0]?.name ?? ""));
    const written = date.slice(0, 10); // the day where the business is, not where the reader is
    const day = make(
      "time",
      new Date(written).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" }),
      {
        datetime: written,
      },
    );
    entry.append(stars, " ", author, ", ", day, make("p", beginning(text), { dir: "auto" }));
    return entry;
  }
}

if (customElements.get("goodword-reviews") === undefined) customElements.define("goodword-reviews", GoodwordReviews);
