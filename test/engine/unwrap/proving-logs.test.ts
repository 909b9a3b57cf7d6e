import { describe, expect, it } from "vitest";
import { ProvingLogs } from "../../../src/engine/unwrap/unwrap.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol } from "../../support/case-of.ts";

describe("logs that prove", () => {
  it("are of the event and the emitter, in order, read once", () => {
    let reads = 0;
    const read = (_: unknown, data: string) => {
      reads++;
      return data === "?" ? undefined : [data];
    };
    const event = { hash: "0xee", read };
    const logs = [
      { address: bob, topics: ["0xee"], data: "1" },
      { address: bob, topics: ["0xef"], data: "2" },
      { address: carol, topics: ["0xee"], data: "3" },
      { address: bob, topics: ["0xee"], data: "?" },
    ];
    const proving = new ProvingLogs({ logs } as unknown as Transaction);
    const of = (emitter: string) => proving.of(event as never, emitter);
    expect([of(bob), of(carol), of(alice), reads]).toEqual([[["1"], undefined], [["3"]], [], 3]);
  });
});
