import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { caseOf, logOf, traced } from "../../support/case-of.ts";
import { approve, misc } from "./calldata.ts";
import { at, engine, who } from "./preview-world.ts";

const { alice, bob } = who;

function lookup(parts: Partial<VerificationLookup>): VerificationLookup {
  return {
    ...{ status: "absent" as const, source: "test", time: "2026-01-01T00:00:00Z" },
    ...{ code: "contract" as const, logic: [], via: [], owned: false, ...parts },
  };
}

/** A simulated call with what the lookups found. */
function simulated(
  to: string,
  input: string,
  parts: Partial<CaseFile> & { verification?: Record<string, VerificationLookup> },
) {
  const { verification = {}, ...rest } = parts;
  const file = caseOf({
    transaction: { from: alice, to, input },
    receipt: { status: "0x1", logs: parts.receipt?.logs ?? [] },
    trace: traced({ type: "CALL", from: alice, to, value: "0x0", input }),
  });
  const drainers = {
    status: "found" as const,
    source: "test",
    time: "2026-01-01T00:00:00Z",
    lists: [],
    asked: [],
    hits: [],
  };
  const simulation = {
    method: "debug_traceCall" as const,
    priced: true,
    differs: false,
    unavailable: [],
    refusal: null,
  };
  const { trace, ...more } = { ...file, simulation, risk: { verification, history: {}, drainers }, ...rest };
  return engine.decide({ ...more, trace }).preview?.notes ?? [];
}

const approval = logOf(at.usdc, "event Approval(address indexed owner, address indexed spender, uint256 value)", {
  ...{ owner: alice, spender: bob, value: 5n },
});

describe("notes before signing", () => {
  it("tell that a spender has no code", () => {
    const notes = simulated(at.usdc, approve(bob, 5n), {
      receipt: { status: "0x1", logs: [approval] },
      verification: { [bob]: lookup({ code: "none" }) },
    });
    expect(notes.map(({ code }) => code)).toEqual(["no_code", "can_change"]);
    expect(notes[0]?.detail).toMatch(/^There is no code at the spender 0x/);
  });

  it("tell that what is called can be replaced, but not of a minimal proxy", () => {
    const input = misc("note(bytes32 what)", [`0x${"00".repeat(32)}`]);
    const codes = (via: VerificationLookup["via"]) =>
      simulated(at.proxy, input, { verification: { [at.proxy]: lookup({ status: "found", via }) } }).map(
        ({ code }) => code,
      );
    expect(codes(["eip1967"])).toEqual(["upgradeable", "can_change"]);
    expect(codes(["eip1167"])).toEqual(["can_change"]);
    expect(codes(["eip1167", "beacon"])).toEqual(["upgradeable", "can_change"]);
  });

  it("always say that a contract can behave differently", () => {
    const [last] = simulated(bob, "0x", {});
    expect(last?.detail).toContain("can behave differently when it is really called");
  });
});
