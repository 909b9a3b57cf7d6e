import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import { buildCase } from "../../src/tools/lint/examples/given.ts";
import { GivenNames } from "../../src/tools/lint/examples/given-names.ts";
import { shippedWorld } from "./world.ts";

const world = shippedWorld();
const positions = "0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1";
const front = "0xFA4000000000000000000000000000000000fA40";

type Parts = Record<string, unknown>;

/** The summary of a transaction that alice sends. Names of events are those in the rule file. */
function tell(protocol: string, given: Parts): string {
  const scope = world.scopes.get(protocol);
  if (scope === undefined) throw new Error(`no file ${protocol}`);
  const names = new GivenNames(scope, (id) => world.scopes.get(id), world.labels);
  const whole = { from: "alice", to: front, data: "0x12345678", ...given };
  return decide(buildCase(whole as never, names), world.ruleset, world.labels).explanation.summary;
}

const swap = [
  { transfer: { token: "DAI", from: "alice", to: front, amount: "5000000000000000000" } },
  { transfer: { token: "USDC", from: front, to: "alice", amount: "5000000" } },
];
const swapped = "0xA11C…11Ce swapped 5 DAI for 5 USDC.";
const called = "0xA11C…11Ce called 0xFA40…Fa40.";
const bareCall =
  /^0xA11C…11Ce called 0xFA40…Fa40(?:; \S+ reported \S+ as its first owner)?\. What the call was for is not known \(\d events?\)\.$/;
const allowed = "0xCA40…a401 allowed 0xb0B0…0B0B to spend unlimited USDC.";
const approval = { Approval: { at: "USDC", owner: "carol", spender: "bob", value: "max" } };

describe("a right that carol signed and alice hands in, without a call tree", () => {
  it("is told of carol, with who has it now, beside an act of alice's too", () => {
    expect(tell("erc20", { logs: [approval] })).toBe(`${called} ${allowed}`);
    expect(tell("erc20", { logs: [...swap, approval] })).toBe(`${swapped} ${allowed}`);
  });

  it("is told of NFTs of a collection that labels name", () => {
    const one = { Approval: { at: positions, owner: "carol", approved: "bob", tokenId: "77" } };
    const said = "0xCA40…a401 allowed 0xb0B0…0B0B to move Uniswap v3 Positions #77.";
    expect(tell("nft", { logs: [one] })).toBe(`${called} ${said}`);
    expect(tell("nft", { to: positions, logs: [one] })).toBe(`0xA11C…11Ce called Uniswap v3 Positions. ${said}`);
    const all = { ApprovalForAll: { at: positions, owner: "carol", operator: "bob", approved: true } };
    expect(tell("nft", { logs: [all] })).toContain("0xCA40…a401 allowed 0xb0B0…0B0B to move every token of");
  });

  it("is told with what is left of it where a part was taken", () => {
    const given = { ...approval.Approval, spender: front };
    const taken = { transfer: { token: "USDC", from: "carol", to: "bob", amount: "5000000" } };
    const paid =
      "0xA11C…11Ce relayed a payment of 5 USDC from 0xCA40…a401 to 0xb0B0…0B0B by an allowance of 0xCA40…a401";
    const relayed = (value: string) => tell("erc20", { logs: [{ Approval: { ...given, value } }, taken] });
    expect(relayed("max")).toBe(`${paid}, and 0xFA40…Fa40 may take any amount.`);
    expect(relayed("9000000")).toBe(`${paid}, and 0xFA40…Fa40 may take more.`);
    expect(relayed("5000000")).toBe(`${paid}.`);
  });

  it("is none where carol wrote a log, or the token is not known", () => {
    expect(tell("erc20", { logs: [approval, { Approval: { ...approval.Approval, at: "carol" } }] })).toMatch(bareCall);
    expect(tell("erc20", { logs: [{ Approval: { ...approval.Approval, at: "stranger" } }] })).toMatch(bareCall);
  });
});

describe("what somebody else's call changed about a Safe, without a call tree", () => {
  const acted = { ExecutionFromModuleSuccess: { at: "carol", module: front } };
  it.each<[string, Parts, string]>([
    ["an owner", { AddedOwnerIndexed: { at: "carol", owner: "bob" } }, "added the owner 0xb0B0…0B0B"],
    ["a guard", { ChangedGuardIndexed: { at: "carol", guard: "bob" } }, "set the transaction guard 0xb0B0…0B0B"],
    ["a handler", { ChangedFallbackHandler: { at: "carol", handler: "bob" } }, "set the fallback handler 0xb0B0…0B0B"],
    ["the threshold", { ChangedThreshold: { at: "carol", threshold: "1" } }, "needs to 1"],
  ])("is told: %s", (_, log, said) => {
    for (const logs of [
      [log, acted],
      [...swap, log, acted],
      [log, { ExecutionSuccess: { at: "carol" } }],
    ])
      expect(tell("safe", { logs })).toContain(said);
    expect(tell("safe", { logs: [log] })).toMatch(bareCall);
  });

  it("is told with what left it, and never before what alice lost", () => {
    const left = { transfer: { token: "USDC", from: "carol", to: "bob", amount: "7000000" } };
    expect(tell("safe", { logs: [...swap, left, acted] })).toBe(`${swapped} 0xCA40…a401 sent 7 USDC to 0xb0B0…0B0B.`);
    const lost = { transfer: { token: "USDC", from: "alice", to: "bob", amount: "5000000000" } };
    const junk = Array.from({ length: 30 }, (_, i) => {
      const at = `0x${(i + 16).toString(16).repeat(20)}`;
      return [{ AddedOwner: { at, owner: "bob" } }, { ExecutionSuccess: { at } }];
    });
    expect(tell("safe", { logs: [...junk.flat(), lost] })).toMatch(
      /^0xA11C…11Ce called 0xFA40…Fa40, giving 5,000 USDC to/,
    );
  });
});

describe("an owner of a contract further on", () => {
  const owner = (at: string, previousOwner: string, newOwner: string) => ({
    OwnershipTransferred: { at, previousOwner, newOwner },
  });
  const told = "0x57a4…a46E took 0xb0B0…0B0B for its owner, in place of";

  it("is told where it is another one now, whoever it was", () => {
    for (const [former, said] of [
      ["alice", "0xA11C…11Ce"],
      ["carol", "0xCA40…a401"],
      [front, "0xFA40…Fa40"],
    ] as const)
      expect(tell("admin", { logs: [owner("stranger", former, "bob")] })).toBe(`${told} ${said}.`);
    expect(tell("admin", { logs: [...swap, owner("stranger", "carol", "bob")] })).toBe(
      `${swapped} ${told} 0xCA40…a401.`,
    );
  });

  it("is none while the contract is being made, or where alice becomes it", () => {
    for (const logs of [
      [owner("stranger", "zero", front), owner("stranger", front, "bob")],
      [owner("stranger", "zero", "bob")],
      [owner("stranger", "carol", "alice")],
    ])
      expect(tell("admin", { logs })).toMatch(bareCall);
  });
});

describe("an allowance of carol's that a known router spends for alice, without a call tree", () => {
  const routers = {
    "Odos Router v2": "0x19cEeAd7105607Cd444F5ad10dd51356436095a1",
    "LI.FI Diamond": "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE",
    "Uniswap v3 SwapRouter02": "0x2626664c2603336E57B271c5C0b26F421741e481",
    Multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  };
  const took = { transfer: { token: "USDC", from: "carol", to: "bob", amount: "5000000000" } };

  it.each(Object.entries(routers))("is told of carol, also beside an act: %s", (name, to) => {
    const said = "0xCA40…a401 sent 5,000 USDC to 0xb0B0…0B0B.";
    expect(tell("erc20", { to, logs: [took] })).toBe(`0xA11C…11Ce called ${name}. ${said}`);
    expect(tell("erc20", { to, logs: [swap[0], { ...swap[1] }, took] })).toContain(said);
  });
});
