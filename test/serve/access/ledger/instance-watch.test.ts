import { describe, expect, it } from "vitest";
import { createInstanceWatch } from "../../../../src/serve/access/ledger/calls/instance-watch.ts";
import { noteDatabase } from "./noting-database.ts";

interface Listed {
  id: string;
  beat: number;
}

interface World {
  /** How many calls a dead instance held. Null: it has given a sign of life. */
  calls?: number | null;
  fails?: () => boolean;
}

/** The watch of the instance "me". `lists`: the instances that each look finds; the last list is used for all later looks. */
function open(lists: Listed[][], { calls = 3, fails = () => false }: World = {}) {
  const left = [...lists];
  const { database, asked } = noteDatabase((name) => {
    if (fails()) throw new Error("away");
    if (name === "listInstances")
      return ((left.length > 1 ? left.shift() : left[0]) as Listed[]).map((one) => ({ ...one }));
    return name === "giveBackDead" && calls !== null ? [{ calls }] : [];
  });
  const given = () => asked.filter(([name]) => name === "giveBackDead").map(([, ...values]) => values);
  return { watch: createInstanceWatch(database, "me"), asked, given };
}

async function lookTimes(watch: ReturnType<typeof createInstanceWatch>, times: number): Promise<number[]> {
  const all: number[] = [];
  for (let look = 0; look < times; look++) all.push(await watch.look());
  return all;
}

describe("the watch for instances that died", () => {
  it("writes its own signs of life, and gives back calls of an instance that was silent for five looks", async () => {
    const { watch, asked, given } = open([
      [
        { id: "me", beat: 1 },
        { id: "dead", beat: 7 },
        { id: "gone", beat: 0 },
      ],
    ]);
    expect(await lookTimes(watch, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(asked.slice(0, 3)).toEqual([["beatInstance", "me"], ["listInstances"], ["beatInstance", "me"]]);
    expect(given()).toEqual([]);
    expect(await watch.look()).toBe(6);
    expect(given()).toEqual([
      ["dead", 7],
      ["gone", 0],
    ]);
    // An instance that is still listed has given a sign of life since, so its watch starts again.
    expect(await lookTimes(watch, 6)).toEqual([0, 0, 0, 0, 0, 6]);
  });

  it("begins anew with each sign of life", async () => {
    const beats = (beat: number, times: number) => Array.from({ length: times }, () => [{ id: "other", beat }]);
    const { watch } = open([...beats(1, 5), ...beats(2, 6)]);
    expect(await lookTimes(watch, 11)).toEqual([...Array(10).fill(0), 3]);
  });

  it("forgets instances that are not listed any more", async () => {
    const one = [{ id: "other", beat: 1 }];
    const { watch } = open([one, one, one, one, [], one, one, one, one, one, one]);
    expect(await lookTimes(watch, 11)).toEqual([...Array(10).fill(0), 3]);
  });

  it("counts nothing for one that lives after all", async () => {
    const { watch, given } = open([[{ id: "other", beat: 1 }]], { calls: null });
    expect(await lookTimes(watch, 6)).toEqual(Array(6).fill(0));
    expect(given()).toHaveLength(1);
  });

  it("goes on after a look that failed", async () => {
    let away = true;
    const { watch, asked } = open([[]], { fails: () => away });
    await expect(watch.look()).rejects.toThrow("away");
    away = false;
    asked.length = 0;
    expect(await watch.look()).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it("gives back its own calls when it leaves, if the ledger answers", async () => {
    const others = [
      { id: "other", beat: 5 },
      { id: "me", beat: 4 },
    ];
    const first = open([others]);
    await first.watch.leave();
    expect(first.given()).toEqual([["me", 4]]);
    const second = open([others.slice(0, 1)]);
    await second.watch.leave();
    expect(second.given()).toEqual([]);
    await open([others], { fails: () => true }).watch.leave();
  });
});
