import { describe, expect, it } from "vitest";
import { afterQuietTurn } from "../../src/http/quiet-turn.ts";

/** Starts to wait, and runs `work` in so many turns of the event loop. Gives the turns that were over when it was called. */
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
});
