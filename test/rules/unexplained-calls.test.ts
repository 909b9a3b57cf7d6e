import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import { shorten } from "../../src/kernel/address.ts";
import { alice, bob, carol, caseOf, listedNothing, logOf, traced, vault, zero } from "../support/case-of.ts";
import { shippedWorld } from "./world.ts";

const { ruleset, labels } = shippedWorld();
const owned = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
const call = { from: alice, to: vault, input: "0x12345678" };
const tell = (parts: object) => decide(caseOf({ transaction: call, ...parts } as never), ruleset, labels).explanation;

describe("a call that no rule explains", () => {
  it("says that its purpose is not known, who reported a first owner, and how much else was seen", () => {
    const first = logOf(carol, owned, { previousOwner: zero, newOwner: bob });
    const later = logOf(carol, owned, { previousOwner: bob, newOwner: alice });
    const { summary, partial } = tell({ receipt: { logs: [first, later] }, ...listedNothing });
    expect(summary).toBe(
      `${shorten(alice)} called ${shorten(vault)}; ${shorten(carol)} reported ${shorten(bob)} as its first owner. What the call was for is not known (2 events).`,
    );
    expect(partial).toBe(true);
  });

  it("says what it created where the call tree shows it, whatever a contract reports", () => {
    const logs = [logOf(carol, owned, { previousOwner: zero, newOwner: bob })];
    const said = { type: "CALL", from: vault, to: carol, input: "0x12", value: "0x0", logs };
    const made = { type: "CREATE", from: vault, to: bob, input: "0x6000", value: "0x0" };
    const root = { type: "CALL", ...call, value: "0x0", calls: [said, made, { ...made, error: "execution reverted" }] };
    const { summary } = tell({ receipt: { logs }, trace: traced(root) });
    expect(summary).toContain(`; this created the contract ${shorten(bob)}.`);
    expect(summary).not.toContain("first owner");
  });
});
