import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KEY_SETTING } from "../business.ts";
import { Invalid } from "../issue.ts";
import { readConfig, SETTINGS } from "./config.ts";

function faults(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.issues.map(({ message }) => message);
  }
}

describe("readConfig()", () => {
  test("takes two waits for HUB_RETRY_SECONDS, and no empty one for 0", () => {
    assert.deepEqual(readConfig({ HUB_RETRY_SECONDS: "1.5, 0" }).HUB_RETRY_SECONDS, [1.5, 0]);
    for (const text of ["60,", ",60", ",", "60, ", "60", "60,600,6000", "60,x", "60,-1"]) {
      assert.match(
        faults({ HUB_RETRY_SECONDS: text }).join(),
        /^HUB_RETRY_SECONDS is ".*, but must be two numbers/,
        text,
      );
    }
  });

  test("refuses an address whose password cannot be read, and does not show it", () => {
    const from = { MAIL_FROM: "reviews@example.com" };
    for (const [setting, scheme] of Object.entries({ SMTP_URL: "smtp", HUB_PROXY: "http", SOURCES_PROXY: "https" })) {
      const [message = "", ...others] = faults({ ...from, [setting]: `${scheme}://user:50%off@mail.example` });
      assert.match(message, new RegExp(`^${setting} is set, but must be .*%25`));
      assert.ok(!message.includes("50%off"), message);
      assert.deepEqual(others, []);
      assert.deepEqual(faults({ ...from, [setting]: `${scheme}://user:50%25off@mail.example` }), []);
    }
  });

  test("takes keys of 32 bytes for HUB_SECRET_KEY, and shows none that is wrong", () => {
    const [first, second] = ["0f".repeat(32), "A1".repeat(32)];
    const keys = readConfig({ HUB_SECRET_KEY: `${first},${second}` }).HUB_SECRET_KEY;
    assert.deepEqual(
      keys.map((key) => key.length),
      [32, 32],
    );
    assert.deepEqual(readConfig({}).HUB_SECRET_KEY, []);
    for (const text of ["a secret", "0f0f", `${first}0f`, `${first},x`]) {
      const [message = ""] = faults({ HUB_SECRET_KEY: text });
      assert.match(message, /^HUB_SECRET_KEY is set, but must be keys of 64 hexadecimal digits/);
      assert.ok(!message.includes(text), message);
    }
  });

  test("takes no SMTP_URL with a password that cannot be decoded, and shows none", () => {
    const from = { MAIL_FROM: "reviews@example.com" };
    const good = "smtp://office:100%25@mail.example.com";
    assert.equal(readConfig({ ...from, SMTP_URL: good }).SMTP_URL, good);
    const [message = "", ...others] = faults({ ...from, SMTP_URL: "smtp://office:100%@mail.example.com" });
    assert.match(message, /^SMTP_URL is set, but must be smtp:.* % is %25/);
    assert.deepEqual([message.includes("100%"), others], [false, []]);
  });
});

test("business.yaml can name no setting of the program", () => {
  const wrong = Object.keys(SETTINGS).filter((name) => KEY_SETTING.test(name));
  assert.deepEqual(wrong, []);
});
