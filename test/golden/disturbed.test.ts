import { expect, it } from "vitest";
import { changesIn, collectDisturbed } from "./disturbed.ts";

it("the golden record holds what is told of each recorded transaction with one thing otherwise", () => {
  const found = collectDisturbed();
  expect([...found.values()].flat().length).toBeGreaterThan(4_000);
  expect(changesIn(found), "on purpose? `npm run golden -- --write` accepts it").toEqual([]);
}, 60_000);
