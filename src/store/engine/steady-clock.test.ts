import assert from "node:assert/strict";
import { test } from "node:test";
import { openSteadyClock } from "./steady-clock.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse("2026-11-21T12:00:00Z");

/** A clock over a machine whose time is set by hand. It reads the machine as often as the hub does. */
function openScene() {
  const at = { steady: 5_000, jump: 0 };
  const jumps: number[] = [];
  const machine = () => START + at.steady + at.jump;
  const clock = openSteadyClock({ machine, steady: () => at.steady, onJump: (by) => jumps.push(by) });
  return {
    clock,
    jumps,
    jump: (by: number) => {
      at.jump += by;
    },
    pass(minutes: number) {
      for (let second = 0; second < minutes * 60; second++) {
        at.steady += 1_000;
        clock.now();
      }
    },
    /** How far the clock is from the time that has really passed. */
    error: () => clock.now().getTime() - START - at.steady,
  };
}

for (const [name, by] of [
  ["a year ahead", 365 * DAY],
  ["a day back", -DAY],
] as const) {
  test(`a machine's clock that jumps ${name} is followed only once it has stayed there for ten minutes`, () => {
    const scene = openScene();
    scene.pass(30);
    scene.jump(by);
    scene.pass(9);
    assert.equal(scene.error(), 0);
    assert.deepEqual(scene.jumps, [by], "it is told once");
    scene.pass(2);
    assert.equal(scene.error(), by);
    assert.equal(scene.clock.aheadMs(), 0);
  });
}

test("a jump that is taken back changes nothing, even if another follows", () => {
  const scene = openScene();
  for (let time = 0; time < 5; time += 1) {
    scene.jump(365 * DAY);
    scene.pass(9);
    assert.equal(scene.error(), 0);
    assert.equal(scene.clock.aheadMs(), 365 * DAY);
    scene.jump(-365 * DAY);
    scene.pass(9);
    assert.equal(scene.error(), 0);
  }
});

test("a correction of less than a minute is followed at once, and many of them as far as they go", () => {
  const scene = openScene();
  for (let time = 1; time <= 10; time += 1) {
    scene.jump(-MINUTE / 2);
    scene.pass(1);
    assert.equal(scene.error(), (time * -MINUTE) / 2);
  }
  assert.deepEqual(scene.jumps, []);
});
