/** An invented business whose customers write everything that a page must show as text. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BUSINESS = `name: '<b>Bold & "Sons"</b> <script>alert(1)</script>'
category: HVACBusiness
time_zone: America/Chicago
color: "#ffee00"
structured_data: all
telephone: "+1 512 555 0142"
url: 'https://example.com/a b|c^"><script>[1]#x#y'
same_as: ['https://example.com/%zz?q={a}&b=^c', 'http://example.org/<b>']
address: { street: 'A<br>B', locality: '${"Llanfairpwllgwyngyll".repeat(10)}', country: US }
technicians: [{ id: x1, name: "Ã\u202eevil <i>Dana</i>" }]
services: [{ id: s1, label: "${"Cooling".repeat(30)}" }]
service_areas: [{ id: a1, label: 'محمد' }]
verified_sources: [google]
`;

/** Texts that have broken pages: markup, quotes, right to left, emoji, endless words, control characters. */
export const HOSTILE_TEXTS: readonly string[] = [
  "<script>alert('x')</script><img src=x onerror=alert(1)>",
  "</script></style></textarea></title><!-- --><svg onload=alert(1)>",
  "\"quotes\" 'single' &amp; &lt; &#x3c; ]]> %00 $(x) {{y}} <%= z %>",
  "ممتاز جدا، وصلوا في الوقت المحدد <b> \u202eLRO\u202c \u2066isolated",
  "👍🏽👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿 great 🇺🇸 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
  "w".repeat(10_000),
  "control \u0001\u0008\u000b\u001f\u007f\u0085 end \ufffe\uffff tab\tnew\nline\r\ncarriage",
  `${"A very long review that goes on and on. ".repeat(400)}`,
];

const AUTHORS = [
  "<b>Bob</b>",
  "x".repeat(300),
  "\u202eevil",
  "מרים כהן",
  'O\'Brien & "Co"',
  "👩‍🔧",
  "a\u0007b",
  "</a>",
];

/** Writes that business and its reviews below `folder` and gives the path of it. */
export function hostileFolder(folder: string): string {
  const path = join(folder, "hostile");
  mkdirSync(path);
  const reviews = HOSTILE_TEXTS.map((text, index) => ({
    id: `h${index}`,
    author: AUTHORS[index],
    rating: (index % 5) + 1,
    date: `2026-03-${String(10 + index)}`,
    text: `${text} They came on time and fixed it, but it was expensive.`,
    source: "google",
    source_url: `https://example.com/review ${index}|"><script>?a=[1]`,
    owner_reply: { text: `Thanks! ${text}`, date: "2026-04-01" },
  }));
  writeFileSync(join(path, "business.yaml"), BUSINESS);
  writeFileSync(join(path, "reviews.jsonl"), reviews.map((review) => `${JSON.stringify(review)}\n`).join(""));
  return path;
}
