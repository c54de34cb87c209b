import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../../business.ts";

import { mentionFinder } from "./mentions.ts";

const taxonomy = taxonomyNamed("home-services");

/** Finds what a business with these services offers. */
function finderFor(
  services: readonly { readonly id: string; readonly label: string; readonly aliases?: readonly string[] }[],
) {
  return mentionFinder(businessFileSchema.parse({ name: "Ash", time_zone: "UTC", services }), taxonomy);
}

const business = businessFileSchema.parse({
  name: "Maple Air of Elmford",
  time_zone: "UTC",
  technicians: [
    { id: "will", name: "Will Stone" },
    { id: "joy", name: "Joy Brand" },
    { id: "mike", name: "Michael Reyes" },
    { id: "dana-k", name: "Dana King" },
    { id: "dana-p", name: "Dana Pruitt" },
    { id: "bea", name: "Beatriz Lund", aliases: ["Bea"] },
  ],
  services: [
    { id: "ac-repair", label: "AC repair", aliases: ["air conditioner repair"] },
    { id: "duct-cleaning", label: "Duct cleaning" },
    { id: "heat-pump", label: "Heat pump service", aliases: ["heat pump"] },
    { id: "furnace-repair", label: "Furnace repair" },
    { id: "leak-hunt", label: "Leak hunt" },
    { id: "plumbing-repair", label: "Plumbing repair" },
    { id: "electrical-repair", label: "Electrical repair" },
  ],
  service_areas: [
    { id: "elmford", label: "Elmford" },
    { id: "summer-hill", label: "Summer Hill", aliases: ["Summerhill"] },
    { id: "hope", label: "Hope" },
  ],
});
const find = mentionFinder(business, taxonomy);

const TECHNICIANS: readonly (readonly [string, string])[] = [
  ["Will was on time.", "will"],
  ["Thanks Will!", "will"],
  ["Will and Joy did a great job.", "will joy"],
  ["Will's work is neat.", "will"],
  ["I hope they will call. Will use them again.", ""],
  ["Will they ever come?", ""],
  ["such a joy to deal with", ""],
  ["The technician, Joy, was kind.", "joy"],
  ["our technician will fixed it", "will"],
  ["My husband Will let him in.", ""],
  ["Our neighbor Joy told us about them.", ""],
  ["Will from Polar Bros could not find it.", ""],
  ["Will from Maple Air found it.", "will"],
  ["Will Johnson next door", ""],
  ["mike fixed it", "mike"],
  ["Michael Reyes came", "mike"],
  ["Mike R. came", "mike"],
  ["Dana was great.", ""],
  ["Dana P. was great.", "dana-p"],
  ["Dana King was great.", "dana-k"],
  ["bea knew her stuff", "bea"],
  ["WILL WAS LATE", "will"],
  ["WE WILL CALL", ""],
  ["Great service.\n- Mike", ""],
];

for (const [text, ids] of TECHNICIANS) {
  test(`mentionFinder() finds ${ids === "" ? "no technician" : ids} in ${JSON.stringify(text)}`, () => {
    assert.equal(find(text).technicians.join(" "), ids);
  });
}

const SERVICES: readonly (readonly [string, string])[] = [
  ["They repaired our AC.", "ac-repair"],
  ["air conditioner repairs", "ac-repair"],
  ["Cleaned all of our ducts.", "duct-cleaning"],
  ["They serviced the heat pump.", "heat-pump"],
  ["No heat on Sunday.", "furnace-repair"],
  ["Best leak hunt ever", "leak-hunt"],
  ["The AC hums.", "ac-repair"],
  ["Solved a humming noise in our AC.", "ac-repair"],
  ["The AC has been great since he left.", "ac-repair"],
  ["AC, parking and decoration were good.", ""],
  ["Mark does solid work, the AC is a dream.", "ac-repair"],
  ["The tech was in and out. AC is a dream.", "ac-repair"],
  ["A cool hall with air conditioning.", ""],
  ["The AC was working and the food came piping hot.", ""],
  ["Clean toilets, a light room.", ""],
  ["Great outlet with plenty of lights.", ""],
  ["He stopped the toilet from running.", "plumbing-repair"],
  ["The heat quit.", "furnace-repair"],
  ["The heat exchanger is fine.", ""],
  ["The vents look nice.", ""],
  ["Cold air at last.", "ac-repair"],
  ["Nice people.", ""],
];

for (const [text, ids] of SERVICES) {
  test(`mentionFinder() finds ${ids === "" ? "no service" : ids} in ${JSON.stringify(text)}`, () => {
    assert.equal(find(text).services.join(" "), ids);
  });
}

const AREAS: readonly (readonly [string, string])[] = [
  ["Best in Elmford", "elmford"],
  ["best in elmford", "elmford"],
  ["Maple Air of Elmford came", ""],
  ["Summerhill and Summer Hill", "summer-hill"],
  ["a summer hillside", ""],
  ["I hope so", ""],
  ["We live in Hope", "hope"],
];

for (const [text, ids] of AREAS) {
  test(`mentionFinder() finds ${ids === "" ? "no place" : ids} in ${JSON.stringify(text)}`, () => {
    assert.equal(find(text).service_areas.join(" "), ids);
  });
}

test("mentionFinder() finds nothing where there are no words, and nothing in a business that lists nothing", () => {
  const nothing = { technicians: [], services: [], service_areas: [] };
  assert.deepEqual(find(null), nothing);
  const empty = businessFileSchema.parse({ name: "Elmford Air", time_zone: "UTC" });
  assert.deepEqual(mentionFinder(empty, taxonomy)("Will fixed the AC in Elmford"), nothing);
});

test("a service whose label or other spelling names two is found by the words for either", () => {
  const services = [
    { id: "air", label: "Ductwork & indoor air quality" },
    { id: "pumps", label: "Heating for cabins", aliases: ["mini-split"] },
  ];
  const found = finderFor(services);
  assert.deepEqual(found("He vacuumed a sock out of our vents.").services, ["air"]);
  assert.deepEqual(found("They put in a UV light.").services, ["air"]);
  assert.deepEqual(found("A ductless unit for the attic.").services, ["pumps"]);
  assert.deepEqual(found("They were on time.").services, []);
});

test("a word for the work on anything, in a label of several names, is about what the label names before it", () => {
  const services = [
    { id: "furnaces", label: "Furnace repair, replacement and installation" },
    { id: "wires", label: "Electrical repair & installation" },
    { id: "pipes", label: "Pipes", aliases: ["repair"] },
  ];
  const found = finderFor(services);
  assert.deepEqual(found("They installed a new air conditioner, a three ton unit.").services, []);
  assert.deepEqual(found("Our AC died and they fixed the AC the same day.").services, []);
  assert.deepEqual(found("They put in a new furnace.").services, ["furnaces"]);
});

test("a service whose label only ends in a known name is found by the words for that name", () => {
  const services = [
    { id: "furnaces", label: "Residential gas furnace repair" },
    { id: "taps", label: "Solar hot water systems" },
  ];
  const found = finderFor(services);
  assert.deepEqual(found("Not a spark of life in the boiler.").services, ["furnaces"]);
  assert.deepEqual(found("An ice cold shower every morning.").services, ["taps"]);
});

test("a label that ends in a known name with another thing before it is not found by that name's words", () => {
  for (const [label, text] of [
    ["Water filtration system installation", "They installed a new furnace in a day."],
    ["Septic system replacement", "They put in a new furnace and AC unit."],
    ["Alarm system installation", "They replaced our furnace."],
    ["Pool heater repair", "Our furnace quit and they fixed it."],
  ] as const) {
    const services = [{ id: "job", label }];
    const found = finderFor(services);
    assert.deepEqual(found(text).services, [], label);
  }
});

test("a word of the owner inside a phrase that names something else does not name the service", () => {
  const services = [{ id: "ducts", label: "Duct cleaning", aliases: ["ducts", "duct tape removal"] }];
  const found = finderFor(services);
  assert.deepEqual(found("He left the duct tape on the stairs.").services, []);
  assert.deepEqual(found("He left dust in a duct.").services, ["ducts"]);
  assert.deepEqual(found("Asked for a duct tape removal.").services, ["ducts"]);
});

test("work on ducts other than cleaning is one of a firm that lists ductwork, and none of one that cleans ducts", () => {
  const finder = (label: string) => finderFor([{ id: "job", label }]);
  const text = "They added a return in the den and sealed the plenum.";
  assert.deepEqual(finder("Ductwork")(text).services, ["job"]);
  assert.deepEqual(finder("Duct cleaning")(text).services, []);
});

test("a new part of a furnace or an air conditioner is no new system", () => {
  const services = [{ id: "install", label: "System installation" }];
  const found = finderFor(services);
  assert.deepEqual(found("They replaced the furnace blower motor.").services, []);
  assert.deepEqual(found("He replaced the AC capacitor.").services, []);
  assert.deepEqual(found("They replaced the furnace.").services, ["install"]);
});

test("a new furnace with its motor is an installation", () => {
  const services = [{ id: "install", label: "Furnace installation" }];
  const found = finderFor(services);
  assert.deepEqual(found("They put in a new furnace, motor included.").services, ["install"]);
  assert.deepEqual(found("They put in a new furnace motor.").services, []);
});

test("a plumber's supply line, a return trip and a balance paid are no ductwork", () => {
  const services = [{ id: "ducts", label: "Ductwork" }];
  const found = finderFor(services);
  for (const text of [
    "He replaced the supply line under the sink.",
    "They made another return trip.",
    "We paid the balance for the air conditioner.",
  ])
    assert.deepEqual(found(text).services, [], text);
  assert.deepEqual(found("They added a return duct.").services, ["ducts"]);
});

test("a bare installation is one of a firm that lists systems, and none of one that lists air conditioners", () => {
  const finder = (label: string) => finderFor([{ id: "install", label }]);
  const text = "The installation took a day and the installers were tidy.";
  assert.deepEqual(finder("System installation and replacement")(text).services, ["install"]);
  assert.deepEqual(finder("AC installation")(text).services, []);
});

const OTHERS_WORDS: readonly (readonly [string, string])[] = [
  ["They had our AC back up and running by noon.", "ac"],
  ["The kitchen sink backed up.", "drains"],
  ["He backed up the drive.", ""],
  ["He found the wasp nest in seconds.", ""],
  ["Hooked up our Nest.", "thermostat"],
  ["He chewed through the thermostat wire.", ""],
  ["The rep told him he had wired it backwards.", ""],
  ["Traced a fault in the old wiring.", "electrical"],
  ["Annual checkup on the furnace.", "tune-up"],
  ["That furnace is a beauty.", "furnace"],
  ["They patched the furnace through March.", "furnace"],
  ["Two weeks with the AC out.", "ac"],
  ["The AC they put in is too small.", "install"],
  ["The AC gas was topped in May.", "refrigerant"],
  ["Our aircon packed up in the middle of January.", "ac"],
  ["The rooftop unit over the hall quit at ten.", "ac"],
  ["Still no cooling upstairs.", "ac"],
  ["The combi was knackered and he revived it.", "furnace"],
  ["He sorted the central heating before tea.", "furnace"],
  ["The old condenser was craned off the roof.", "install"],
  ["They serviced the boiler on Monday.", "tune-up"],
  ["Their membership pays for itself.", "tune-up"],
  ["Every autumn they come and look at it.", "tune-up"],
  ["He unblocked the loo.", "drains"],
  ["Two sockets fixed and a security light hung.", "electrical"],
  ["He lit the pilot light.", "furnace"],
  ["The boiler room door squeaks.", ""],
  ["A furnace company that never answers.", ""],
  ["The AC people came late.", ""],
  ["They put in a new boiler.", ""],
  ["Snake oil salesmen.", ""],
  ["Customer service could be better.", ""],
  ["It was 86 in the house when he came.", "ac"],
  ["We had air by supper.", "ac"],
  ["The outside unit makes a grinding noise.", "ac"],
  ["It cleared up after he emptied the drain pan.", "ac"],
  ["An AC contractor that never answers.", ""],
  ["I needed a C-section.", ""],
  ["Our heat quit at noon.", "furnace"],
  ["We found it at 49 in the kitchen.", "furnace"],
  ["He relit the pilot.", "furnace"],
  ["Our heat has been out since Tuesday.", "furnace"],
  ["Our air has been out for days.", "ac"],
  ["He did the AC check in May.", "tune-up"],
  ["They hauled off every bit of the old unit.", "install"],
  ["They were the lowest bid.", "install"],
  ["Quoted for a two ton condenser.", "install"],
  ["We paid $9,000 for a system.", "install"],
  ["They put in a new furnace and AC.", ""],
  ["Replaced our 22 year old furnace.", ""],
  ["He fixed our hot tub heater.", ""],
  ["They come out spring and fall.", "tune-up"],
  ["He cleaned the furnace.", "tune-up"],
  ["Had them check the furnace before winter.", "tune-up"],
  ["He added a C wire.", "thermostat"],
  ["The hot water gave out.", "water"],
  ["Endless hot water.", "water"],
  ["They vacuumed all eleven registers.", "duct-cleaning"],
  ["Cold air coming out of the vents by noon.", "ac"],
  ["Less humidity in the piano room.", "air"],
  ["Clogged drain line cleared fast.", "drains"],
  ["They cleared the main drain line.", "drains"],
  ["Our main sewer drain line backed up.", "drains"],
  ["They fixed our old furnace and AC the same day.", "ac furnace"],
  ["Repaired the existing furnace and AC instead of selling us new ones.", "ac furnace"],
  ["Our brand new furnace quit after a week, and they repaired it.", "furnace"],
  ["They fixed our new furnace.", "furnace"],
  ["Our old furnace went out at night.", "furnace"],
  ["I picked them to repair our boiler.", "furnace"],
  ["I chose them to fix the furnace.", "furnace"],
  ["I went with them to get the boiler going again.", "furnace"],
  ["He serviced the boiler and repaired the leak.", "furnace tune-up"],
  ["He cleaned the boiler and fixed it.", "furnace tune-up"],
  ["Scheduled my yearly service call in the fall.", "tune-up"],
  ["Our last AC was fixed by them too.", "ac"],
  ["Our heating and cooling both quit and they fixed it.", "ac furnace"],
  ["It held at 85 degrees inside.", "ac"],
  ["The house was back up to 68 by noon.", "furnace"],
  ["The thermostat was back to 72.", "thermostat"],
  ["They donated to the annual food drive.", ""],
  ["Voted best in town five years running.", ""],
  ["They made another return trip.", ""],
  ["He replaced the supply line under the sink.", ""],
  ["We paid the balance for the air conditioner.", "ac"],
  ["He washed his hands in the sink. Got a fair price.", ""],
  ["These guys are rad and they never stop smiling.", ""],
  ["Water shot up like a geyser.", ""],
  ["They fixed it in light rain.", ""],
  ["They added a light coat of paint.", ""],
  ["They fixed the cable TV.", ""],
  ["We paid $40 for the system check.", ""],
  ["He took a long look at the old unit.", ""],
  ["They serve up to 70 homes a day.", ""],
  ["My bill went up to 70.", ""],
  ["The price went back to 75 dollars.", ""],
  ["Everyone was cool and friendly.", ""],
  ["They keep cool under pressure.", ""],
  ["We're cool with the price.", ""],
  ["At 85 in the house alone she was glad of them.", ""],
  ["He drives a two ton truck.", ""],
  ["A crane stood in the road.", ""],
  ["It was the only bid at the auction.", ""],
  ["What size are the boots?", ""],
  ["Such a radiant smile.", ""],
  ["We can breathe easier now.", ""],
  ["They have no power over the price.", ""],
  ["My husband is an electrician.", ""],
  ["To top it off, he left a mess.", ""],
  ["They charge up front.", ""],
  ["They would not adjust the charge on my card.", ""],
  ["The main problem was a slow response.", ""],
];
const manyServices = mentionFinder(
  businessFileSchema.parse({
    name: "Ash",
    time_zone: "UTC",
    services: Object.entries({
      ac: "AC repair",
      install: "AC installation",
      furnace: "Furnace repair",
      "tune-up": "Tune-up",
      thermostat: "Thermostats",
      refrigerant: "Refrigerant recharge",
      drains: "Drain cleaning",
      electrical: "Electrical repair",
      water: "Water heaters",
      "duct-cleaning": "Duct cleaning",
      air: "Indoor air quality",
    }).map(([id, label]) => ({ id, label })),
  }),
  taxonomy,
);

for (const [text, ids] of OTHERS_WORDS) {
  test(`of many services mentionFinder() finds ${ids === "" ? "none" : ids} in ${JSON.stringify(text)}`, () => {
    assert.equal(manyServices(text).services.join(" "), ids);
  });
}
