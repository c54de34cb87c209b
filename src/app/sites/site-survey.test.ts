import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { openStore } from "../../store/store.ts";
import { siteFolder } from "./site-folder.ts";
import { surveySite } from "./site-survey.ts";

test("surveySite() keeps words of a store out of what the log says", async () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a");
  mkdirSync(join(site.folder, "data"), { recursive: true });
  const file = join(site.folder, "data", "goodword.db");
  await (await openStore(`sqlite:${file}`)).close();
  for (const described of ['{"Secret words": 1}', "Secret words"]) {
    {
      using database = new DatabaseSync(file);
      database.prepare("replace into business values (1, ?)").run(described);
    }
    const { state, plainProblem } = await surveySite({ ...site, baseUrl: "http://a.test" }, {});
    assert.equal(state, "damaged");
    assert.equal(plainProblem, "Its store describes a business as goodword does not");
  }
});
