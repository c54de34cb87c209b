import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { networkDiskWarning, withoutPassword } from "./store-note.ts";

const FILE = join(tmpdir(), "not", "there", "goodword.db");

test("networkDiskWarning() names disks of other machines, whatever the sign of their number, and no local one", () => {
  assert.match(networkDiskWarning(FILE, () => 0x6969) ?? "", /network disk \(NFS\).*local disk.*PostgreSQL/);
  assert.match(networkDiskWarning(FILE, () => 0xff534d42 | 0) ?? "", /network disk \(SMB\)/);
  for (const kind of [0xef53, 0x01021994, 0x9123683e])
    assert.equal(
      networkDiskWarning(FILE, () => kind),
      undefined,
    );
  assert.equal(networkDiskWarning(FILE), undefined);
});

test("networkDiskWarning() asks about the nearest folder that is there, and is silent where nobody can tell", () => {
  networkDiskWarning(FILE, (folder) => {
    assert.equal(folder, tmpdir());
    return 0;
  });
  assert.equal(
    networkDiskWarning(FILE, () => {
      throw new Error("not known here");
    }),
    undefined,
  );
});

test("withoutPassword() hides every password, wherever it stands and however it is written", () => {
  for (const [address, shown] of [
    ["postgres://owner:hidden@host/name", "postgres://owner:•••@host/name"],
    ["postgres://owner:hid@den@host/name", "postgres://owner:•••@host/name"],
    ["postgres://owner:hid/d#n@host/name", "postgres://owner:•••@host/name"],
    [
      "postgres://host/name?user=a&password=hidden&sslmode=require",
      "postgres://host/name?user=a&password=•••&sslmode=require",
    ],
    ["postgres://owner@host/name", "postgres://owner@host/name"],
    ["sqlite:data/goodword.db", "sqlite:data/goodword.db"],
  ] as const)
    assert.equal(withoutPassword(address), shown);
});
