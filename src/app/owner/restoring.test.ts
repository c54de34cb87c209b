import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openSandbox } from "../../../test/support/import-sandbox.ts";
import { UNNAMED_BUSINESS } from "../../business.ts";
import { backupStore } from "../../store/store.ts";
import { fieldLines } from "./business-difference.ts";
import { prepareRestore } from "./restoring.ts";

const ROWS = "id,author,rating,date,source,text\na,Ann,5,2026-01-02,google,Quick\nb,Bo,4,2026-01-03,google,Tidy\n";
const OPEN = '{ days: [Monday], opens: "08:00", closes: "17:00" }';

test("prepareRestore() asks with what becomes of the pages, and with each field of the business that changes", async () => {
  await using box = await openSandbox(async (folder) => `sqlite:${join(folder, "goodword.db")}`);
  const file = join(box.folder, "old.db");
  await box.take([
    box.write(
      "business.yaml",
      `name: Ours\ntime_zone: UTC\nopening_hours: [${OPEN}]\nverified_sources: [google, own]\n`,
    ),
    box.write("a.csv", ROWS),
  ]);
  await backupStore(box.store, file);
  const asked = async (language: string) => {
    await using restore = await prepareRestore(box.url, file, {
      name: "old.db",
      language,
      label: (field) => `<${field}>`,
    });
    return [restore.question?.replace(/^.*\.db/s, ""), ...restore.details];
  };
  const same = [". Removals, redactions and subscriptions stay. No review leaves your pages, and none returns."];
  assert.deepEqual(
    (await asked("en")).map((line) => line?.replace(/^.*?(?=\. Rem)/, "")),
    same,
  );
  await box.take([
    box.write("business.yaml", "name: Theirs\ntime_zone: UTC\n"),
    box.write(
      "a.csv",
      `${ROWS.replace("Quick", "Slow")}c,Cy,3,2026-01-04,google,Late\nd,Di,2,2026-01-05,google,Dear\n`,
    ),
  ]);
  assert.deepEqual(await asked("en"), [
    ". Removals, redactions and subscriptions stay. Your pages lose 2 reviews and get back none. 1 review on them becomes as it was. Of the business it puts back:",
    "<name>: Theirs → Ours",
    "<hours.Monday>: (nothing) → 08:00–17:00",
    "Restore only a file that you know. It changes what the program does:",
    "verified_sources, new: own",
  ]);
  const [german, ...details] = await asked("de");
  assert.match(
    String(german),
    /Ihre Seiten verlieren 2 Bewertungen und bekommen keine zurück\. 1 Bewertung darauf wird wieder, wie sie war\. Beim Betrieb gilt dann wieder:$/,
  );
  assert.deepEqual(details.slice(0, 2), ["<name>: Theirs → Ours", "<hours.Monday>: (nichts) → 08:00–17:00"]);
});

test("fieldLines() shows what differs in long texts, wherever it stands", () => {
  const words = { differs: "{field}: {from} → {to}", nothing: "nothing", label: (field: string) => field };
  const described = (description: string) => ({ ...UNNAMED_BUSINESS, description });
  const [alike, added] = ["We repair. ".repeat(40), `Pay here instead${", or there".repeat(900)}.`];
  const lines = fieldLines(described(alike), described(alike + added), words);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^description: …[\w. ]{40} → …[\w. ]{40}Pay here instead(, or there){900}\.$/);
});
