import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { UNNAMED_BUSINESS } from "../business.ts";
import { aggregateRating } from "../edition/aggregate-rating.ts";
import type { Review } from "../review.ts";
import { noticeRequest } from "./notice-formats.ts";
import { type ComposedNotice, composeChange, composeSentence, MAX_TEXT, type NoticeHead } from "./notice-message.ts";

const HEAD: NoticeHead = {
  id: "d48c50d1-6155-44c9-93f0-6c901fdfb0ef",
  at: "2026-11-27T02:36:08.979Z",
  business: { ...UNNAMED_BUSINESS, name: "Northside Cooling" },
  base_url: "https://reviews.example.com",
  aggregate_rating: aggregateRating(Uint8Array.of(1, 5)),
};

function review(changes: Partial<Review>): Review {
  const id = "01KGGCS100KC975CXHQSFTERF7";
  const plain = { id, author: "Dana K.", author_avatar_url: null, rating: 5, date: "2026-02-03", text: "Great" };
  return { ...plain, source: "google", source_url: null, owner_reply: null, verified: true, ...changes };
}

function told(...reviews: Partial<Review>[]): ComposedNotice {
  const added = reviews.map(review);
  const poor = added.filter(({ rating }) => rating <= 3).length;
  const counts = {
    added: added.length,
    poor,
    changed: 0,
    worsened: 0,
    vanished: 0,
    remembered: added.length,
    isFirst: false,
  };
  return composeChange(HEAD, counts, { added });
}

function sent(format: Parameters<typeof noticeRequest>[0], notice: ComposedNotice): string {
  return Buffer.from(noticeRequest(format, notice).body).toString();
}

/** What would come alive in one of the services, or in a header. */
const HOSTILE = [
  "@everyone @here <!channel> <!here> <@U012AB3CD> <#C012AB3CD> <@&123> <at>Ann</at>",
  "<https://evil.example|our site> [our site](https://evil.example) https://evil.example www.evil.example 203.0.113.7 evil。example evil．example",
  "*bold* _it_ ~gone~ `code` ```block``` > quote # head ||spoiler|| - list \\*",
  "&amp; &lt;b&gt; <b>bold</b> <script>alert(1)</script> {{y}} =?UTF-8?B?eA==?=",
  "{{DATE(2017-02-14T06:00:00Z,SHORT)}} {{TIME(2017-02-14T06:00:00Z)}} @{triggerBody()}",
  "one\r\nBcc: eve@evil.example\r\n\r\n\u202egnp.exe\u2066 \u0000",
];

describe("words of customers stay words", () => {
  for (const hostile of HOSTILE) {
    const notice = told({ author: hostile, text: hostile, rating: 1 });
    const words = notice.parts.map((part) => part.words);
    const shown = JSON.stringify(hostile.slice(0, 40));

    test(`Slack has them as plain text alone: ${shown}`, () => {
      const { text, blocks } = JSON.parse(sent("slack", notice));
      assert.equal(text, "Northside Cooling: 1 new review, 1 with three stars or fewer");
      const texts = blocks.map((block: { text: { type: string; text: string } }) => block.text);
      const plain = texts.filter(({ type }: { type: string }) => type === "plain_text");
      assert.deepEqual(
        plain.map((each: { text: string }) => each.text),
        words,
      );
      for (const each of texts.filter(({ type }: { type: string }) => type === "mrkdwn"))
        assert.match(each.text, /^<https:\/\/reviews\.example\.com(\/reviews\/\w+)?>$/);
    });

    test(`Discord has them in code blocks alone, and mentions nobody: ${shown}`, () => {
      const { content, allowed_mentions, flags } = JSON.parse(sent("discord", notice));
      assert.deepEqual([allowed_mentions, flags], [{ parse: [] }, 4]);
      assert.doesNotMatch(content.replace(/^```$/gm, ""), /```/, "no word ends a block");
      const outside = content.split(/^```$/m).filter((_: string, at: number) => at % 2 === 0);
      for (const each of outside) assert.match(each, /^\s*(<https:\/\/reviews\.example\.com(\/reviews\/\w+)?>)?\s*$/);
      const inside = content.split(/^```$/m).filter((_: string, at: number) => at % 2 === 1);
      const restored = inside.map((each: string) => each.replaceAll("\u200b", "").trim());
      assert.deepEqual(
        restored,
        words.map((each) => each.trim()),
      );
    });

    test(`Teams has them in runs of text, which have no Markdown: ${shown}`, () => {
      const [attachment] = JSON.parse(sent("teams", notice)).attachments;
      assert.equal(attachment.contentType, "application/vnd.microsoft.card.adaptive");
      const runs = attachment.content.body.flatMap(
        (block: { type: string; inlines: { type: string; text: string }[] }) => {
          assert.equal(block.type, "RichTextBlock");
          return block.inlines;
        },
      );
      for (const { type, selectAction } of runs) {
        assert.equal(type, "TextRun");
        if (selectAction !== undefined) assert.match(selectAction.url, /^https:\/\/reviews\.example\.com/);
      }
      const texts = runs.map(({ text }: { text: string }) => text).join("\n");
      for (const part of words) assert.ok(texts.replaceAll("\u200b", "").includes(part));
      assert.doesNotMatch(texts, /\{\{/, "no function that writes a date in its place");
    });

    test(`ntfy has them in its plain body without a link, and no header has: ${shown}`, () => {
      const { headers, body } = noticeRequest("ntfy", notice);
      assert.deepEqual(headers, {
        "Content-Type": "text/plain; charset=utf-8",
        Title: "Northside Cooling: 1 new review, 1 with three stars or fewer",
        Priority: "high",
        Click: "https://reviews.example.com/reviews/01KGGCS100KC975CXHQSFTERF7",
      });
      const plain = Buffer.from(body).toString();
      assert.equal(plain.replaceAll("\u200b", ""), notice.message.text);
      // As its web app finds links (web/src/components/Notifications.jsx).
      const links = plain.match(/\bhttps?:\/\/[-A-Z0-9+&’@#/%?=()~_|!:,.;]*[-A-Z0-9+&@#/%=~()_|]\b|\bwww\.\w/gi) ?? [];
      for (const link of links) assert.match(link, /^https:\/\/reviews\.example\.com/);
      assert.doesNotMatch(plain, /(\d{1,3}\.){3}\d/, "of which Android makes a link, too");
      assert.doesNotMatch(plain, /evil[.。．]example/, "a browser takes these marks for dots");
    });

    test(`JSON has them as they are: ${shown}`, () => {
      const { added, text } = JSON.parse(sent("json", notice));
      assert.deepEqual([added[0].author, added[0].text], [hostile, hostile]);
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\0]|\r/, "no character that turns or ends the others");
    });
  }
});

describe("the limits of the services", () => {
  const long = "🙂 ``".repeat(2_000);
  const notice = told(...Array.from({ length: 20 }, () => ({ author: long, text: long, rating: 2 })));

  test("a text has at most 1,500 characters, names how many are left out, and breaks no character", () => {
    const { text } = notice.message;
    assert.ok(text.length <= MAX_TEXT, `${text.length}`);
    assert.ok(text.isWellFormed());
    assert.match(text, /And \d+ more\./);
  });

  test("Discord gets 2,000 characters at most", () => {
    const { content } = JSON.parse(sent("discord", notice));
    assert.ok(content.length <= 2_000, `${content.length}`);
    assert.equal(content.match(/^```$/gm)?.length % 2, 0, "every block is closed");
  });

  test("Slack gets 3,000 characters in a block and 50 blocks at most, Teams less than 28 KB", () => {
    const { blocks } = JSON.parse(sent("slack", notice));
    assert.ok(blocks.length <= 50);
    for (const block of blocks) assert.ok(block.text.text.length > 0 && block.text.text.length <= 3_000);
    assert.ok(Buffer.byteLength(sent("teams", notice)) < 28_000);
  });

  test("ntfy gets less than 4,096 bytes, which would be an attachment, and a title in ASCII", () => {
    const wide = told(...Array.from({ length: 9 }, () => ({ text: "漢字".repeat(300) })));
    assert.ok(noticeRequest("ntfy", wide).body.byteLength <= 4_000);
    assert.ok(sent("ntfy", wide).isWellFormed());
    const named = composeSentence(
      { ...HEAD, business: { ...HEAD.business, name: "Kühlung Nord\r\nX: y" } },
      { type: "test", what: "x", isUrgent: false },
    );
    const { Title } = noticeRequest("ntfy", named).headers;
    assert.match(Title ?? "", /^=\?UTF-8\?B\?[\w+/=]+\?=$/);
    assert.equal(Buffer.from(Title?.slice(10, -2) ?? "", "base64").toString(), "Kühlung Nord X: y: x");
  });
});

test("the poor ones come first in the text", () => {
  const { text } = told({ text: "Fine" }, { text: "Poor", rating: 3 }, { text: "Worst", rating: 1 }).message;
  assert.deepEqual(text.match(/“\w+”/g), ["“Poor”", "“Worst”", "“Fine”"]);
});

test("a message is in the business's language", () => {
  const business = { ...HEAD.business, language: "de-AT" };
  const counts = { added: 2, poor: 1, changed: 0, worsened: 0, vanished: 0, remembered: 0, isFirst: false };
  const { text } = composeChange({ ...HEAD, business }, counts, { added: [] }).message;
  assert.match(text, /^Northside Cooling: 2 neue Bewertungen, 1 mit höchstens drei Sternen\n/);
  assert.match(text, /3,00 von 5 Sternen aus 2 Bewertungen\./);
});

test("a body is signed with the key of the address", () => {
  const notice = told({});
  const { headers, body } = noticeRequest("json", notice, "the key");
  const expected = createHmac("sha256", "the key").update(body).digest("hex");
  assert.equal(headers["X-Goodword-Signature"], `sha256=${expected}`);
  assert.equal(noticeRequest("json", notice).headers["X-Goodword-Signature"], undefined);
});

test("JSON has the members of the interface, in its order", () => {
  assert.deepEqual(Object.keys(JSON.parse(sent("json", told({})))), [
    ...["id", "type", "at", "business", "base_url", "added", "added_count", "changed_count"],
    ...["vanished", "vanished_count", "aggregate_rating", "text"],
  ]);
});
