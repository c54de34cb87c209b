import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { networkDiskWarning } from "./store-note.ts";

const FILE = join(tmpdir(), "not", "there", "goodword.db");

test("networkDiskWarning() names network disks, also by a negative number, and no local one", () => {
  assert.match(networkDiskWarning(FILE, () => 0x6969) ?? "", /network disk \(NFS\).*local disk.*PostgreSQL/);
  assert.match(networkDiskWarning(FILE, () => 0xff534d42 | 0) ?? "", /network disk \(SMB\)/);
  for (const kind of [0xef53, 0x01021994, 0x9123683e])
    assert.equal(
      networkDiskWarning(FILE, () => kind),
      undefined,
    );
  assert.equal(networkDiskWarning(FILE), undefined);
});

test("networkDiskWarning() checks the nearest existing folder, and ignores an error", () => {
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
