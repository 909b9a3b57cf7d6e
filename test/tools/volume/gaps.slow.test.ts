import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { formatCoverage } from "../../../src/tools/cli/coverage.ts";
import { findGaps } from "../../../src/tools/volume/gaps.ts";
import { folders } from "../../chaos/bulk/bulk-world.ts";
import { alice, bob, transferLog, usdc } from "../../support/case-of.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const engine = openEngine(folders);
const stranger = `0x${"57".repeat(20)}`;
const ether = 10n ** 18n;

/** A call to a contract that no rule knows, with this value in ether. */
function strangeCall(value: bigint, logs: CaseFile["receipt"]["logs"] = []): CaseFile {
  const file = caseFileOf(hashOf(1));
  const call = { from: alice, to: stranger, value: `0x${value.toString(16)}`, input: `0x12345678${"00".repeat(32)}` };
  return {
    ...file,
    transaction: { ...file.transaction, ...call },
    receipt: { ...file.receipt, logs },
    trace: { source: "debug_traceTransaction", root: { type: "CALL", ...call } },
    price: { status: "found", source: "test", eth_usd: "2000" },
  };
}

const gapsOf = (file: CaseFile) => findGaps(engine.decide(file), file, engine.labels);

describe("the gaps of an answer", () => {
  it("are calls and events without a rule, and the ether, wrapped ether and dollars that moved there", () => {
    const found = gapsOf(strangeCall(3n * ether));
    expect(found).toMatchObject({ typed: false, worth: 3n * ether });
    expect(found.places).toEqual([{ address: stranger, selector: "0x12345678", topic0: null }]);
    const paid = transferLog(usdc, alice, bob, 500n * 10n ** 6n);
    expect(gapsOf(strangeCall(0n, [paid])).worth).toBe(ether / 4n);
    const unknown = transferLog(stranger, alice, bob, 500n);
    expect(gapsOf(strangeCall(0n, [unknown])).worth).toBe(0n);
  });
});

describe("coverage", () => {
  it("lists what is left over by what it is worth, beside how often it is met", () => {
    const place = { label: null, topic0: null, signature: null, example: hashOf(1) };
    const often = { ...place, address: bob, selector: "0x00000001", cases: 90, worth_eth: "0.5" };
    const seldom = { ...place, address: alice, selector: "0x00000002", cases: 2, worth_eth: "1250.25" };
    const nothing = { ...place, address: usdc, selector: "0x00000003", cases: 1, worth_eth: "0" };
    const figures = { cases: 100, unreadable: [], typed: 8, partial: 0, movements: null, calls: null, types: {} };
    const text = formatCoverage({ ...figures, unexplained: [often, seldom, nothing] });
    expect(text).toContain(`by value   1,250.25 ETH  ${alice}\n           0.5 ETH  ${bob}\n`);
    expect(text).toMatch(new RegExp(`^left over +90 {2}${bob}$`, "m"));
    expect(text.split("by value")[1]).not.toContain(usdc);
  });
});
