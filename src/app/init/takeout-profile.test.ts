import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { typeOfTrade } from "../../local-business-types.ts";
import { businessYaml, completedAnswer, idOf, labelled } from "./business-answers.ts";
import { parseProfile, readTakeoutProfile, readTakeoutProfiles } from "./takeout-profile.ts";

const LOCATION = {
  name: "locations/1",
  title: "Northside Cooling",
  phoneNumbers: { primaryPhone: "(555) 010-0142" },
  categories: { primaryCategory: { displayName: "Air conditioning contractor" } },
  websiteUri: "https://northside.example.com/",
  storefrontAddress: {
    regionCode: "US",
    postalCode: "78701",
    administrativeArea: "TX",
    locality: "Austin",
    addressLines: ["1 Main Street", "Suite 2"],
  },
  regularHours: {
    periods: [
      { openDay: "MONDAY", openTime: { hours: 8 }, closeDay: "MONDAY", closeTime: { hours: 17, minutes: 30 } },
      { openDay: "TUESDAY", openTime: { hours: 8 }, closeDay: "TUESDAY", closeTime: { hours: 17, minutes: 30 } },
      { openDay: "FRIDAY", openTime: {}, closeDay: "SATURDAY", closeTime: {} },
    ],
  },
  latlng: { latitude: 30.27, longitude: -97.74 },
  serviceArea: { places: { placeInfos: [{ placeName: "Round Rock, TX, USA", placeId: "x" }] } },
};

const HOURS = [
  { days: ["Monday", "Tuesday"], opens: "08:00", closes: "17:30" },
  { days: ["Friday"], opens: "00:00", closes: "24:00" },
];

test("parseProfile() reads a location of the present API", () => {
  assert.deepEqual(parseProfile(JSON.stringify(LOCATION)), {
    name: "Northside Cooling",
    category: "HVACBusiness",
    url: "https://northside.example.com/",
    telephone: "(555) 010-0142",
    address: {
      street: "1 Main Street, Suite 2",
      locality: "Austin",
      region: "TX",
      postal_code: "78701",
      country: "US",
    },
    geo: { latitude: 30.27, longitude: -97.74 },
    opening_hours: HOURS,
    service_areas: [{ id: "round-rock", label: "Round Rock" }],
  });
});

test("parseProfile() reads a location of the older API", () => {
  const older = {
    locationName: "Northside Cooling",
    primaryPhone: "(555) 010-0142",
    primaryCategory: { displayName: "Plumber" },
    websiteUrl: "https://northside.example.com/",
    address: { locality: "Austin" },
    regularHours: { periods: [{ openDay: "MONDAY", openTime: "08:00", closeDay: "MONDAY", closeTime: "17:30" }] },
  };
  const profile = parseProfile(JSON.stringify(older));
  assert.equal(profile?.name, "Northside Cooling");
  assert.equal(profile.category, "Plumber");
  assert.deepEqual(profile.opening_hours, [{ days: ["Monday"], opens: "08:00", closes: "17:30" }]);
});

for (const text of ["", "[]", "{}", '{"title":"A post"}', '{"reviews":[]}', "null", '{"title":3,"websiteUri":"x"}']) {
  test(`parseProfile() finds no business in ${JSON.stringify(text)}`, () => {
    assert.equal(parseProfile(text), undefined);
  });
}

test("businessYaml() writes what can be read again, whatever is in the answers", () => {
  const profile = parseProfile(JSON.stringify(LOCATION));
  for (const name of ["Northside Cooling", 'He said: "yes" # no', "- 5", "null", "Ärger & Söhne: Kälte"]) {
    const text = businessYaml({ category: "LocalBusiness", time_zone: "America/Chicago", ...profile, name });
    const business = parseBusinessFile("business.yaml", text);
    assert.equal(business.name, name);
    assert.deepEqual(business.opening_hours, HOURS);
    assert.deepEqual(business.verified_sources, ["google"]);
  }
});

test("labelled() gives each label an id of its own", () => {
  assert.deepEqual(labelled("AC repair, AC-Repair,, 管道 "), [
    { id: "ac-repair", label: "AC repair" },
    { id: "ac-repair-2", label: "AC-Repair" },
    { id: "one", label: "管道" },
  ]);
  assert.equal(idOf("Café Crème"), "cafe-creme");
});

test("typeOfTrade() knows what common trades are called, and a form takes those words", () => {
  for (const [category, type] of [
    ["Heating contractor", "HVACBusiness"],
    ["Roofing contractor", "RoofingContractor"],
    ["General contractor", "GeneralContractor"],
    ["air conditioning", "HVACBusiness"],
    ["Klima und Heizung", "HVACBusiness"],
    ["Banquet hall", undefined],
  ] as const) {
    assert.equal(typeOfTrade(category), type);
    assert.equal(completedAnswer("category", category), type ?? category);
  }
  assert.equal(completedAnswer("category", "Aircon repair"), "HVACBusiness");
  for (const [called, zone] of [
    ["Mountain Time", "America/Denver"],
    ["EST", "America/New_York"],
    ["us central", "America/Chicago"],
    ["Pacific/Auckland", "Pacific/Auckland"],
    ["Salt Lake City", "Salt Lake City"],
    ["UTC", "UTC"],
  ] as const)
    assert.equal(completedAnswer("time_zone", called), zone);
  for (const given of ["HairSalon", "Mover", "hvac!"]) assert.equal(completedAnswer("category", given), given);
});

test("readTakeoutProfiles() reads the files once, and says of each location what readTakeoutProfile() does", async () => {
  using folder = temporaryFolder();
  const write = (name: string, profile: object) => {
    mkdirSync(join(folder.path, dirname(name)), { recursive: true });
    writeFileSync(join(folder.path, name), JSON.stringify(profile));
  };
  const locations = ["1", "2", "3"];
  for (const id of locations) write(`b/location-${id}/data.json`, { title: `Branch ${id}`, primaryPhone: "5" });
  write("b/location-1/named.json", { name: "locations/4", title: "Branch 4", primaryPhone: "5" });
  const single = await Promise.all([...locations, "4", "5"].map((id) => readTakeoutProfile([folder.path], id)));
  const profileOf = await readTakeoutProfiles([folder.path]);
  rmSync(join(folder.path, "b"), { recursive: true });
  const once = [...locations, "4", "5"].map(profileOf);
  assert.deepEqual(once, single);
  assert.deepEqual(
    once.map((profile) => profile?.name),
    ["Branch 1", "Branch 2", "Branch 3", "Branch 4", undefined],
  );

  write("a/data.json", { title: "Of no location", primaryPhone: "5" });
  const [found] = [await readTakeoutProfiles([folder.path])];
  assert.equal(found("7")?.name, "Of no location");
  await assert.rejects(readTakeoutProfiles([join(folder.path, "none")]), /does not exist/);
});
