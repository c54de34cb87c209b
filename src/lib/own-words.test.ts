import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCode, hostOf, ownList, ownWords } from "./own-words.ts";

test("ownWords() joins literals, numbers and other own words, and the type refuses any other text", () => {
  const line = ownWords`line ${12}`;
  assert.equal(ownWords`${line}: rating is not valid`, "line 12: rating is not valid");
  assert.equal(ownList([line, ownWords`line ${13}`], ownWords`; `), "line 12; line 13");
  const cell: string = "Zebulonquux";
  // @ts-expect-error a text of unknown origin is no own word
  ownWords`It begins with ${cell}`;
  // @ts-expect-error nor may it stand for the literals
  assert.throws(() => ownWords(cell));
});

test("errorCode() takes codes only, and hostOf() a host of 255 characters at most", () => {
  assert.equal(errorCode({ code: "ENOSPC" }), "ENOSPC");
  for (const error of [
    undefined,
    new Error("x"),
    { code: 5 },
    { code: "Zebulonquux was here" },
    { code: "A".repeat(99) },
  ])
    assert.equal(errorCode(error), undefined);
  assert.equal(hostOf(new URL("https://example.com:8443/secret?x=1")), "example.com:8443");
  assert.equal(hostOf(new URL(`https://${"a".repeat(15_000)}.example/`)).length, 255);
});
