import { describe, expect, it } from "vitest";
import { newControllers } from "../../src/settle/named-addresses.ts";
import { bob, carol, caseOf, logOf, vault } from "../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../support/own-rules.ts";

const rules = compileShipped("admin", "flow");
const transferred = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
const revoked = "event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)";
const role = `0x${"1".repeat(64)}`;
const call = (selector: string) => ({ to: vault, input: `${selector}${"0".repeat(128)}` as `0x${string}` });

describe("new controllers", () => {
  const handed = caseOf({
    transaction: call("0xf2fde38b"),
    receipt: { logs: [logOf(vault, transferred, { previousOwner: bob, newOwner: carol })] },
  });

  it("are who got power, and not who lost it", () => {
    expect(newControllers(runStages(handed, rules).settled)).toEqual([carol]);
    const logs = [logOf(vault, revoked, { role, account: carol, sender: bob })];
    const taken = runStages(caseOf({ transaction: call("0xd547741f"), receipt: { logs } }), rules).settled;
    expect(taken.actions[0]?.rule.id).toBe("admin/role-revoked");
    expect(newControllers(taken)).toEqual([]);
  });

  it("are examined", () => {
    const { evidence } = decideBy(rules, handed);
    expect(evidence().risk.examined).toContainEqual({ address: carol, roles: expect.arrayContaining(["controller"]) });
  });
});
