import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { listening } from "../../test/support/loopback.ts";
import { headersOf, openMailServer, partOf } from "../../test/support/mail-server.ts";
import { UNNAMED_BUSINESS } from "../business.ts";
import { aggregateRating } from "../edition/aggregate-rating.ts";
import { sendMail } from "./notice-mail.ts";
import { type ComposedNotice, composeChange } from "./notice-message.ts";

const WORDS =
  'https://evil.example www.evil.example eve@evil.example <b>bold</b> <img src="https://evil.example/x.png"> &amp; "x"';

/** A notice about one review, of a business with this name. */
function told(name = "Northside Cooling", words = WORDS): ComposedNotice {
  const head = {
    id: "d48c50d1-6155-44c9-93f0-6c901fdfb0ef",
    at: "2026-11-27T02:36:08.979Z",
    business: { ...UNNAMED_BUSINESS, name },
    base_url: "https://reviews.example.com",
    aggregate_rating: aggregateRating(Uint8Array.of(1, 5)),
  };
  const review = { id: "01KGGCS100KC975CXHQSFTERF7", author: words, author_avatar_url: null, rating: 1 };
  const rest = {
    date: "2026-02-03",
    text: words,
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
  const counts = { added: 1, poor: 1, changed: 0, worsened: 0, vanished: 0, remembered: 1, isFirst: false };
  return composeChange(head, counts, { added: [{ ...review, ...rest }] });
}

function order(notice: ComposedNotice, timeoutMs = 60_000) {
  return { to: "office@example.com", notice, timeoutMs, signal: new AbortController().signal };
}

const from = "Reviews <reviews@example.com>";

test("a mail has a text, a simple page and headers by which programs file it; nothing in it is fetched", async () => {
  await using server = await openMailServer();
  const notice = told();
  assert.equal(await sendMail({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from }, order(notice)), undefined);
  const [mail = assert.fail()] = server.mails;
  assert.deepEqual([mail.from, mail.to], ["reviews@example.com", ["office@example.com"]]);
  const headers = headersOf(mail);
  const names = ["from", "to", "subject", "message-id", "list-id", "auto-submitted"];
  assert.deepEqual(
    names.map((name) => headers.get(name)),
    [
      ...["Reviews <reviews@example.com>", "office@example.com"],
      "Northside Cooling: 1 new review, 1 with three stars or fewer",
      "<d48c50d1-6155-44c9-93f0-6c901fdfb0ef@reviews.example.com>",
      ...['"Northside Cooling" <goodword.reviews.example.com>', "auto-generated"],
    ],
  );
  const text = partOf(mail, "text/plain").replaceAll("\r\n", "\n").trim();
  assert.equal(text.replaceAll("\u200b", ""), notice.message.text);
  assert.doesNotMatch(text, /evil\.example|@evil|https:\/\/evil|www\.\w/, "no run of characters that is an address");
  const page = partOf(mail, "text/html");
  assert.deepEqual([...new Set(page.match(/<\/?[a-z]+/g)?.map((tag) => tag.replace(/[</]/g, "")))].toSorted(), [
    ...["a", "body", "br", "html", "p", "span"],
  ]);
  const links = [...page.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, link]) => link);
  assert.deepEqual(links, [
    "https://reviews.example.com/reviews/01KGGCS100KC975CXHQSFTERF7",
    "https://reviews.example.com",
  ]);
});

test("words of customers have no markup and no link in the page of a mail, and are whole", async () => {
  await using server = await openMailServer();
  await sendMail({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from }, order(told()));
  const page = partOf(server.mails[0] ?? assert.fail(), "text/html");
  const visible = page.replace(/<a .*?<\/a>/g, "");
  assert.doesNotMatch(visible, /evil\.example|@evil|https:\/\/evil|www\./, "no run of characters that is an address");
  const read = visible
    .replace(/<br>/g, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" })[name] ?? "",
    );
  assert.ok(read.includes(`“${WORDS}”`), read);
});

for (const name of [
  "A\r\nBcc: eve@evil.example",
  "Kühlung\nX-Evil: 1",
  "=?UTF-8?Q?=0D=0ABcc:_eve?=",
  '"<eve@evil.example>, x',
]) {
  test(`no header comes of the name ${JSON.stringify(name)}`, async () => {
    await using server = await openMailServer();
    await sendMail({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from }, order(told(name, name)));
    const [mail = assert.fail()] = server.mails;
    assert.deepEqual(mail.to, ["office@example.com"]);
    const known = [
      "auto-submitted",
      "content-type",
      "date",
      "from",
      "list-id",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ];
    assert.deepEqual([...headersOf(mail).keys()].toSorted(), known);
  });
}

describe("a mail that is not accepted says why, in no words of the server", () => {
  test("the address is refused", async () => {
    await using server = await openMailServer({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error("words of the server"), { responseCode: 550 })),
    });
    const reason = await sendMail({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from }, order(told()));
    assert.equal(reason, "The mail server answered 550 (EENVELOPE)");
  });

  test("the password is wrong, which is not said", async () => {
    await using server = await openMailServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(new Error("no")),
    });
    const smtpUrl = `smtp://me:p%40ss@127.0.0.1:${server.port}`;
    assert.equal(await sendMail({ smtpUrl, from }, order(told())), "The mail server answered 535 (EAUTH)");
  });

  test("nothing listens, or what listens never answers", { timeout: 300_000 }, async () => {
    const gone = await listening(createServer());
    await gone.close();
    assert.match(
      (await sendMail({ smtpUrl: `smtp://127.0.0.1:${gone.port}`, from }, order(told()))) ?? "",
      /could not be sent \((ESOCKET|ECONNECTION|ECONNREFUSED)\)/,
    );
    await using endless = await listening(
      createServer((socket) => {
        socket.write("220 ready\r\n");
        const timer = setInterval(() => socket.write("250-still here\r\n"), 5);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const reason = await sendMail({ smtpUrl: `smtp://127.0.0.1:${endless.port}`, from }, order(told(), 200));
    assert.equal(reason, "The mail server did not answer in time");
  });
});

test("a user's name and password are sent as they are meant", async () => {
  let given: unknown;
  await using server = await openMailServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: false,
    onAuth(auth, _session, callback) {
      given = [auth.username, auth.password];
      callback(null, { user: auth.username });
    },
  });
  const smtpUrl = `smtp://me%40example.com:p%23s%2Fs@127.0.0.1:${server.port}`;
  assert.equal(await sendMail({ smtpUrl, from }, order(told())), undefined);
  assert.deepEqual(given, ["me@example.com", "p#s/s"]);
});
