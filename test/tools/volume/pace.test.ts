import { describe, expect, it } from "vitest";
import { startPace } from "../../../src/tools/volume/pace.ts";

describe("the pace of a long run", () => {
  it.each<[number, number, number | undefined, string]>([
    [0, 0, undefined, "0 done"],
    [1_200, 0, 0.5, "1,200 done, 0 s left"],
    [1_200, 1_000, undefined, "1,200 done, 1,200 a second"],
    [19, 2_000, undefined, "19 done, 9.5 a second"],
    [20, 2_000, undefined, "20 done, 10 a second"],
    [1_234_567, 100_000, 0, "1,234,567 done, 12,346 a second"],
    [100, 89_000, 0.5, "100 done, 1.1 a second, 89 s left"],
    [100, 89_999, 0.5, "100 done, 1.1 a second, 90 s left"],
    [100, 90_000, 0.5, "100 done, 1.1 a second, 2 min left"],
    [100, 89_500, 1, "100 done, 1.1 a second, 0 s left"],
    [100, 5_340_000, 0.5, "100 done, 0.0 a second, 89 min left"],
    [100, 5_341_000, 0.5, "100 done, 0.0 a second, 2 h left"],
    [100, 7_260_000, 0.5, "100 done, 0.0 a second, 3 h left"],
  ])("%d done in %d ms, %s of all", (done, ms, share, text) => {
    const clock = { time: 5_000, now: () => clock.time };
    const pace = startPace(clock);
    clock.time += ms;
    expect(pace.describe(done, share)).toBe(text);
  });

  it("does not count what an earlier run did", () => {
    const clock = { time: 5_000, now: () => clock.time };
    const pace = startPace(clock, 0.5);
    clock.time += 10_000;
    expect(pace.describe(100, 0.75)).toBe("100 done, 10 a second, 10 s left");
    expect(pace.describe(100, 0.5)).toBe("100 done, 10 a second");
  });

  it("tells how fast it goes and how long it still takes, where that is known", () => {
    let now = 1_000;
    const pace = startPace({ now: () => now });
    expect(pace.describe(0, 0)).toBe("0 done");
    now += 10_000;
    expect(pace.describe(25)).toBe("25 done, 2.5 a second");
    expect(pace.describe(12_000, 0.25)).toBe("12,000 done, 1,200 a second, 30 s left");
    expect(pace.describe(12_000, 0.01)).toBe("12,000 done, 1,200 a second, 17 min left");
    expect(pace.describe(12_000, 0.0001)).toBe("12,000 done, 1,200 a second, 28 h left");
  });
});
