import { describe, expect, it, vi } from "vitest";
import { afterQuietTurn } from "../../../src/serve/http/quiet-turn.ts";

/**
 * Starts to wait, and runs `work` in the given number of turns of the event loop. Gives the number of turns that were over when the wait
 * ended.
 */
function countTurns(work: (connections: { arrived: number }) => void, turns: number, until = Number.POSITIVE_INFINITY) {
  const connections = { arrived: 0 };
  let past = 0;
  return new Promise<number>((resolve) => {
    const turn = () => {
      work(connections);
      past++;
      if (past < turns) setImmediate(turn);
    };
    setImmediate(turn);
    afterQuietTurn(connections, until, () => resolve(past));
  });
}

const beBusy = () => {
  for (const end = performance.now() + 2; performance.now() < end; );
};
const connect = (connections: { arrived: number }) => {
  connections.arrived++;
};

describe("what has to come after a quiet turn", () => {
  it("waits while a connection comes in every turn", async () => {
    expect(await countTurns(connect, 20)).toBe(20);
  });

  it("waits while turns are so long that connections come meanwhile", async () => {
    expect(await countTurns(beBusy, 20)).toBe(20);
  });

  it("waits no longer than it may", async () => {
    const past = await countTurns(beBusy, 1_000, performance.now() + 20);
    expect(past).toBeLessThan(1_000);
  });

  it.each([
    [[0, 0.25, 0.45, 0.55], 4],
    [[0, 0.2, 0.4, 0.5], 4],
    [[0, 0.19], 2],
    [[5, 6, 7], 3],
    [[5, 6, 6.1], 3],
  ])("looks at %j ms: a turn below 0.2 ms is quiet, and nothing is waited for after 6 ms", (moments, turns) => {
    const now = vi.spyOn(performance, "now");
    for (const moment of moments) now.mockReturnValueOnce(moment);
    const waiting: (() => void)[] = [];
    const soon = vi.spyOn(globalThis, "setImmediate");
    soon.mockImplementation(((look: (...given: unknown[]) => void, ...given: unknown[]) => {
      waiting.push(() => look(...given));
    }) as never);
    let called = 0;
    afterQuietTurn({ arrived: 0 }, 6, () => {
      called++;
    });
    for (const look of waiting) look();
    const looks = now.mock.calls.length;
    now.mockRestore();
    soon.mockRestore();
    expect([looks, called]).toEqual([turns, 1]);
  });
});
