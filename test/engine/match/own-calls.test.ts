import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { readActs, shippedWorld } from "../../rules/world.ts";
import { calldata } from "../../support/case-of.ts";

const world = shippedWorld();
const told = (file: CaseFile) => decide(file, world.ruleset, world.labels).explanation;
const untraced = { source: "none" as const, reason: "left out" };
/** ERC-7579: the first byte says that several calls follow; the second says whether a failed call is skipped. */
const batch: Hex = `0x01${"0".repeat(62)}`;
const attemptBatch: Hex = `0x0101${"0".repeat(60)}`;

/** The calls of alice in a batch that she sends to herself. Her code is that of an account (EIP-7702). There is no call tree. */
function selfBatch({ plain, calls }: ReturnType<typeof readActs>, mode: Hex): CaseFile {
  const list = encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[]"), [calls]);
  const input = calldata("function execute(bytes32 mode, bytes executionData)", [mode, list]);
  const account = plain.transaction.from;
  return { ...plain, transaction: { ...plain.transaction, to: account, value: "0x0", input }, trace: untraced };
}

describe("a call of a batch without a call tree", () => {
  const cooldown = readActs({ calls: [{ to: "moonwell/safety_module", call: { "moonwell/cooldown": {} } }] }, world);

  it("is told by its name alone where the batch fails with it", () => {
    expect(told(selfBatch(cooldown, batch)).summary).toContain("started the cooldown before unstaking from Moonwell");
  });

  it("is not where the batch passes over what fails", () => {
    expect(told(selfBatch(cooldown, attemptBatch)).summary).not.toContain("cooldown");
  });
});

describe("ether that an account gave without a call tree", () => {
  const free = readActs({ calls: [{ to: "carbon/controller", call: { "carbon/updateStrategy": {} } }] }, world);

  it("is empty if each call ran as written and carried no other call", () => {
    expect(told(selfBatch(free, batch)).summary).toContain("changed the prices of a strategy");
  });

  it("may be some where a call may have been another one", () => {
    expect(told(selfBatch(free, attemptBatch)).summary).toContain("an amount that could not be traced");
  });
});

describe("the contract that is told as called", () => {
  const approval = { to: "USDC", call: { "erc20/approve": { spender: "bob", value: "5" } } };
  const named = (calls: Parameters<typeof readActs>[0]["calls"]) => told(selfBatch(readActs({ calls }, world), batch));

  it("is the first behind the allowances", () => {
    expect(named([approval, { to: "bob", call: { "erc4337/addStake": {} } }]).summary).toContain("called 0xb0B0…0B0B");
  });

  it("is the token where there are only allowances", () => {
    expect(named([approval, { ...approval, to: "DAI" }]).summary).toContain("called USDC");
  });

  it("knows allowances of tokens and of Permit2", () => {
    const names = ["erc20/increaseAllowance", "permit2/approve"];
    for (const name of names)
      expect(
        named([
          { to: "carol", call: { [name]: {} } },
          { to: "bob", call: { "erc4337/addStake": {} } },
        ]).summary,
      ).toContain("called 0xb0B0…0B0B");
  });
});
