import { describe, expect, it } from "vitest";
import type { EmittedLog } from "../../../src/tools/audit/facts/facts.ts";
import { readMoves } from "../../../src/tools/audit/facts/moves.ts";
import { keyOfLog } from "../../../src/tools/audit/facts/read-facts.ts";
import { findRights } from "../../../src/tools/audit/facts/rights.ts";
import { events, spendingCalls } from "../../../src/tools/audit/facts/signatures.ts";
import { alice, bob, logOf, token, transferLog, vault, weth } from "../../support/case-of.ts";
import { dora, known, sceneOf, stepsOf } from "./made-scene.ts";

const emitted = ({ address, topics, data }: { address: string; topics: readonly string[]; data: string }) =>
  ({ index: 0, address, topics: [...topics], data }) as EmittedLog;

describe("a log that states a movement", () => {
  const wrapping = (topic: string) => ({
    ...{ address: weth, topics: [topic, `0x${alice.slice(2).padStart(64, "0")}`], data: `0x${"5".padStart(64, "0")}` },
  });
  const single =
    "event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)";
  const batch =
    "event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values)";
  const parties = { by: alice, from: alice, to: bob };
  const moves = (log: EmittedLog) =>
    readMoves({ logs: [log], steps: [], listed: [], etherKnown: true, wrapped: new Set([weth]) }).map(
      ({ from, to, amount, id }) => [from, to, amount, id],
    );

  it.each<[string, Parameters<typeof emitted>[0], unknown[]]>([
    ["a token", transferLog(token, alice, bob, 5n), [[alice, bob, 5n, null]]],
    ["one of a collection", logOf(token, single, { ...parties, id: 7n, value: 5n }), [[alice, bob, 5n, 7n]]],
    [
      "several of a collection",
      logOf(token, batch, { ...parties, ids: [7n, 8n], values: [5n, 6n] }),
      [
        [alice, bob, 5n, 7n],
        [alice, bob, 6n, 8n],
      ],
    ],
    ["wrapped ether", wrapping(events.wrapped), [[weth, alice, 5n, null]]],
    ["unwrapped ether", wrapping(events.unwrapped), [[alice, weth, 5n, null]]],
  ])("of %s needs all its data", (_what, log, expected) => {
    expect(moves(emitted(log))).toEqual(expected);
    for (const data of [log.data.slice(0, -2), log.data.slice(0, 66 - 2), "0x05", "0x"])
      expect(moves(emitted({ ...log, data }))).toEqual([]);
    expect(moves(emitted({ ...log, data: `${log.data}00` }))).toEqual(expected);
  });
});

describe("a grant that more than one call may have told", () => {
  const grant = emitted(
    logOf(token, "event Approval(address indexed owner, address indexed spender, uint256 value)", {
      ...{ owner: alice, spender: bob, value: 5n },
    }),
  );
  const [spend = ""] = spendingCalls;
  const right = { owner: alice, spender: bob, token, left: 5n, log: 0, certain: true };

  it.each<[string[], object[]]>([
    [[spend], []],
    [["0x12345678"], [right]],
    [[spend, spend], []],
    [[spend, "0x12345678"], [right]],
    [["0x12345678", spend], [right]],
  ])("by calls of %j", (selectors, expected) => {
    const steps = stepsOf(...selectors.map((selector) => ({ from: dora, to: token, selector })));
    const byLog = new Map([[keyOfLog(grant), steps]]);
    const { facts, principals } = sceneOf({ steps, facts: { logs: [grant], byLog } });
    expect(findRights(facts, principals, known)).toEqual(expected);
  });

  it("is one where nothing tells who told it, and nothing moved", () => {
    const { facts, principals } = sceneOf({ steps: stepsOf({ to: vault }), facts: { logs: [grant] } });
    expect(findRights(facts, principals, known)).toEqual([right]);
  });
});
