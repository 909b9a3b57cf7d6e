import { describe, expect, it } from "vitest";
import { checksum } from "../../src/kernel/address.ts";
import type { RpcLog } from "../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  logOf,
  metadata,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../support/case-of.ts";
import { compileOwn, compileShipped, decideBy } from "../support/own-rules.ts";

const rules = compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, "${checksum(vault)}": Hub hub }
abi:
  Did: "event Did(address indexed who, uint256 amount)"
  act: "function act(uint256 amount)"
rules:
  - id: did
    action: lending_supply
    event: Did
    at: hub
    who: args.who
    legs: { paid: { from: subject, to: hub, amount: args.amount } }
    does: "supply to {protocol}"`);
const didLog = logOf(vault, "event Did(address indexed who, uint256 amount)", { who: alice, amount: 5n });
const paid = [transferLog(usdc, alice, vault, 5n), didLog];
const shown = {
  trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
};

function told(further: RpcLog[], more: Parameters<typeof caseOf>[0] = {}) {
  const decision = decideBy(rules, caseOf({ receipt: { logs: [...paid, ...further] }, ...shown, ...more }));
  const { summary, partial, provenance } = decision.explanation;
  return {
    last: summary.split(". ").slice(1).join(". "),
    partial,
    untrusted: provenance.untrusted_fields,
    evidence: decision.evidence(),
  };
}

describe("value that is not explained", () => {
  it("is nothing where everything is claimed", () => {
    const { last, partial, evidence } = told([]);
    expect({ last, partial }).toEqual({ last: "", partial: false });
    expect(evidence.completeness).toEqual({
      movements: { explained: 1, total: 1 },
      calls: { explained: 1, total: 1 },
    });
  });

  it("is told by amount, with its direction", () => {
    expect(told([transferLog(weth, carol, alice, 500_000_000_000_000_000n)])).toMatchObject({
      last: "0.5 WETH received is not explained.",
      partial: true,
      untrusted: [],
    });
    expect(told([transferLog(usdc, alice, carol, 1_500_000n)]).last).toBe("1.5 USDC sent is not explained.");
  });

  it("is told with two amounts, and a count of the rest", () => {
    const logs = [
      transferLog(weth, carol, alice, 500_000_000_000_000_000n),
      transferLog(usdc, alice, carol, 1_500_000n),
      transferLog(token, carol, alice, 7n),
    ];
    expect(told(logs.slice(0, 2)).last).toBe("0.5 WETH received and 1.5 USDC sent are not explained.");
    const three = told(logs);
    expect(three.last).toBe("0.5 WETH received, 1.5 USDC sent and 1 more asset are not explained.");
    expect(three.evidence.completeness.movements).toEqual({ explained: 1, total: 4 });
    expect(three.evidence.partial[0]).toBe(three.last);
  });

  it("marks the sentence where a stranger chose the symbol", () => {
    const logs = [transferLog(token, carol, alice, 70n)];
    expect(told(logs, { tokens: { [token]: metadata("FREE", 1) } })).toMatchObject({
      last: '7 "FREE" (0x7070…7070) received is not explained.',
      untrusted: expect.arrayContaining(["summary"]),
    });
  });

  it("names an NFT", () => {
    const nft = logOf(token, "event Transfer(address indexed from, address indexed to, uint256 indexed id)", {
      from: carol,
      to: alice,
      id: 9n,
    });
    expect(told([nft]).last).toMatch(/^NFT #9 of 0x7070…7070 received is not explained\.$/);
  });

  it("is not what comes back, what is nothing, what goes to oneself, or what others move", () => {
    const logs = [
      transferLog(weth, alice, bob, 9n),
      transferLog(weth, bob, alice, 9n),
      transferLog(token, alice, carol, 0n),
      transferLog(token, alice, alice, 3n),
      transferLog(token, carol, bob, 3n),
    ];
    expect(told(logs)).toMatchObject({ last: "", partial: false });
  });

  it("is the difference where only part comes back", () => {
    const logs = [transferLog(usdc, alice, bob, 9_000_000n), transferLog(usdc, bob, alice, 8_000_000n)];
    expect(told(logs).last).toBe("1 USDC sent is not explained.");
  });

  it("goes before what could not be seen", () => {
    const untraced = { trace: { source: "none" as const, reason: "no endpoint" } };
    const { last, evidence } = told([transferLog(weth, carol, alice, 500_000_000_000_000_000n)], untraced);
    expect(last).toBe("0.5 WETH received is not explained.");
    expect(evidence.partial).toEqual([last, "Ether moved inside the call could not be traced."]);
  });
});

describe("calls and logs that are not explained", () => {
  it("are listed in the evidence", () => {
    const other = logOf(carol, "event Other(uint256 amount)", { amount: 1n });
    const { evidence } = told([other]);
    expect(evidence.unclaimed_logs).toEqual([{ log: 2, address: carol, topic0: other.topics[0] }]);
    expect(evidence.unexplained_calls).toEqual([]);
  });

  it("are none where an event without a type of its own is told of the call", () => {
    const admin = compileShipped("admin", "flow");
    const owner = logOf(vault, "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)", {
      previousOwner: alice,
      newOwner: bob,
    });
    const input = calldata("function transferOwnership(address newOwner)", [bob]);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [owner] }, ...shown });
    const { explanation, evidence } = decideBy(admin, file);
    expect(explanation.summary).toContain(" the owner of ");
    expect(evidence().unexplained_calls).toEqual([]);
  });

  it("are all where nothing stands", () => {
    const input = calldata("function act(uint256 amount)", [5n]);
    const { explanation, evidence } = decideBy(rules, caseOf({ transaction: { input }, ...shown }));
    expect(explanation).toMatchObject({ action_type: "unknown", partial: true });
    expect(evidence().unexplained_calls).toEqual([{ call: 0, to: vault, selector: input.slice(0, 10) }]);
    expect(evidence().completeness.calls).toEqual({ explained: 0, total: 1 });
  });
});
