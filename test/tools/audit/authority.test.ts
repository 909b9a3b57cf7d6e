import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { type SignedCode, standingCode } from "../../../src/tools/audit/facts/authorizations.ts";
import type { Move } from "../../../src/tools/audit/facts/facts.ts";
import { findPrincipals, operatedAccounts } from "../../../src/tools/audit/facts/principals.ts";
import { events, safeExecutions, selectors } from "../../../src/tools/audit/facts/signatures.ts";
import type { Knowledge } from "../../../src/tools/audit/knowledge.ts";
import { knowledgeOf } from "../../../src/tools/audit/known-contracts.ts";
import { auditDelegations } from "../../../src/tools/audit/laws/power.ts";
import { assetText } from "../../../src/tools/audit/violation.ts";
import { alice, bob, carol, caseOf, token, usdc, vault } from "../../support/case-of.ts";
import { acme, dora, entry, erik, fred, known, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

const [safe, permit2] = [erik, fred];
const knowledge: Knowledge = {
  ...known,
  isSafe: (address) => address === safe,
  isPermit2: (address) => address === permit2,
};
const topic = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const argument = (selector: string, owner: Address) => `${selector}${topic(owner).slice(2)}${"0".repeat(64)}`;
const log = (address: Address, ...topics: string[]) => ({ index: 0, address, topics, data: "0x" });
const noAddress = `0x${"f".repeat(64)}`;

/** Principals other than the sender. */
function principals(parts: SceneParts): [Address, string][] {
  return [...findPrincipals(sceneOf(parts).facts, knowledge)].slice(1);
}

describe("principals by logs", () => {
  const of = (...logs: ReturnType<typeof log>[]) => principals({ facts: { logs } });

  it("are accounts of operations at a genuine EntryPoint", () => {
    const operation = (at: Address, account: string, first: string = events.userOperation) =>
      log(at, first, noAddress, account);
    expect(of(operation(entry, topic(bob)), operation(entry, topic(carol)))).toEqual([
      [bob, "operation"],
      [carol, "operation"],
    ]);
    expect(of(operation(vault, topic(bob)))).toEqual([]);
    expect(of(operation(entry, topic(bob), events.accountDeployed))).toEqual([]);
    expect(of(operation(entry, noAddress))).toEqual([]);
    expect(operatedAccounts(sceneOf({ facts: { logs: [operation(entry, topic(alice))] } }).facts, known)).toEqual([
      alice,
    ]);
  });

  it("are owners of permits that Permit2 recorded", () => {
    expect(of(log(permit2, events.permit2Permit, topic(bob)))).toEqual([[bob, "permit"]]);
    expect(of(log(vault, events.permit2Permit, topic(bob)))).toEqual([]);
    expect(of(log(permit2, events.permit2Approval, topic(bob)))).toEqual([]);
    expect(of(log(permit2, events.permit2Permit, noAddress))).toEqual([]);
  });

  it("are owners whose authorizations were used at a listed token and moved their tokens", () => {
    const used = (at: Address, move: Move) =>
      principals({ facts: { logs: [log(at, events.authorizationUsed, topic(bob))] }, moves: [move] });
    expect(used(usdc, moveOf(usdc, bob, carol, 5n))).toEqual([[bob, "permit"]]);
    expect(used(usdc, moveOf(usdc, carol, bob, 5n))).toEqual([]);
    expect(used(usdc, moveOf(token, bob, carol, 5n))).toEqual([]);
    expect(used(token, moveOf(token, bob, carol, 5n))).toEqual([]);
  });

  it("are Safes that emitted an event and are proven by a read", () => {
    const read = (via: string[], logic: Address[], at: Address = bob) => {
      const risk = { verification: { [bob]: { via, logic } }, history: {}, drainers: { asked: [], hits: [] } };
      return principals({ file: { risk: risk as never }, facts: { logs: [log(carol), log(at)] } });
    };
    expect(read(["eip1967", "safe"], [vault, safe])).toEqual([[bob, "safe"]]);
    expect(read(["safe"], [vault])).toEqual([]);
    expect(read(["eip1967"], [safe])).toEqual([]);
    expect(read(["safe"], [safe], vault)).toEqual([]);
  });
});

describe("principals by calls", () => {
  const of = (...steps: Parameters<typeof stepsOf>) => principals({ steps: stepsOf(...steps) });

  it.each([...safeExecutions])("are Safes that a genuine implementation executed for by %s", (selector) => {
    const outer = { from: alice, to: bob, input: `${selector}00`, selector };
    const inner = { ...outer, parent: 0, type: "DELEGATECALL", from: bob, to: safe };
    expect(of(outer, inner)).toEqual([[bob, "safe"]]);
    expect(of(outer, { ...inner, type: "CALL" })).toEqual([]);
    expect(of(outer, { ...inner, to: vault })).toEqual([]);
    expect(of(outer, { ...inner, input: `${selector}01` })).toEqual([]);
    expect(of(outer, { ...inner, selector: "0x12345678" })).toEqual([]);
  });

  it("are owners of permits at listed tokens, and of tokens that Permit2 took", () => {
    const permit = { from: vault, to: usdc, selector: selectors.permit, input: argument(selectors.permit, bob) };
    const take = {
      from: permit2,
      to: usdc,
      selector: selectors.transferFrom,
      input: argument(selectors.transferFrom, bob),
    };
    for (const step of [permit, take]) {
      expect(of(step)).toEqual([[bob, "permit"]]);
      expect(of({ ...step, to: token })).toEqual([]);
      expect(of({ ...step, type: "DELEGATECALL" })).toEqual([]);
      expect(of({ ...step, input: `${step.input.slice(0, 10)}${"f".repeat(64)}` })).toEqual([]);
    }
    expect(of({ ...permit, selector: "0x12345678" })).toEqual([]);
  });

  it("are owners whose listed tokens others took, according to a call tree, unless they acted or are known", () => {
    const take = {
      from: vault,
      to: usdc,
      selector: selectors.transferFrom,
      input: argument(selectors.transferFrom, bob),
    };
    expect(of(take)).toEqual([[bob, "allowance"]]);
    expect(of(take, { from: bob })).toEqual([]);
    expect(of({ ...take, to: token })).toEqual([]);
    expect(of({ ...take, type: "DELEGATECALL" })).toEqual([]);
    expect(of({ ...take, selector: "0x12345678" })).toEqual([]);
    expect(of({ ...take, input: argument(selectors.transferFrom, acme) })).toEqual([]);
    expect(principals({ steps: stepsOf(take), facts: { traced: false } })).toEqual([]);
  });

  it("keep only the first reason", () => {
    const take = {
      from: vault,
      to: usdc,
      selector: selectors.transferFrom,
      input: argument(selectors.transferFrom, alice),
    };
    const facts = sceneOf({ steps: stepsOf(take) }).facts;
    expect([
      ...findPrincipals({ ...facts, steps: facts.steps.map((step) => ({ ...step, from: vault })) }, knowledge),
    ]).toEqual([[alice, "sender"]]);
  });
});

describe("the code of an account in the end", () => {
  const signed = (delegate: Address, nonce: bigint, authority: Address | undefined = bob): SignedCode => {
    return { delegate, nonce, authority };
  };
  const standing = (list: SignedCode[], account: Address = alice, nonce: bigint | undefined = 4n) =>
    [...standingCode(list, { account, nonce })].map(([who, codes]) => [who, codes.map(({ delegate }) => delegate)]);

  it("is the last of several valid authorizations", () => {
    expect(standing([signed(carol, 7n), signed(dora, 8n)])).toEqual([[bob, [dora]]]);
    expect(standing([signed(carol, 7n), signed(dora, 8n), signed(vault, 9n)])).toEqual([[bob, [vault]]]);
    expect(standing([signed(carol, 7n), signed(dora, 9n)])).toEqual([[bob, [carol, dora]]]);
    expect(standing([signed(carol, 7n), signed(dora, 7n)])).toEqual([[bob, [carol, dora]]]);
    expect(standing([signed(carol, 7n), signed(dora, 7n, vault)])).toEqual([
      [bob, [carol]],
      [vault, [dora]],
    ]);
    expect(standing([{ ...signed(carol, 7n), authority: undefined }])).toEqual([]);
  });

  it("is certain for the sender, whose nonce is raised before", () => {
    const both = [signed(carol, 5n), signed(dora, 6n)];
    expect(standing(both, bob, 4n)).toEqual([[bob, [dora]]]);
    expect(standing(both, bob, 5n)).toEqual([[bob, [dora]]]);
    expect(standing(both, bob, 3n)).toEqual([[bob, []]]);
    expect([...standingCode(both, { account: bob, nonce: undefined })].map(([, codes]) => codes.length)).toEqual([1]);
    expect(standing([signed(carol, 5n), signed(dora, 9n)], bob, 4n)).toEqual([[bob, [carol]]]);
  });

  it("is told also for an unknown account, unless the code is taken away", () => {
    const judge = (address: Address, summary: string) => {
      const list = [{ chainId: "0x0", address, nonce: "0x1" }];
      const file = { transaction: { ...caseOf().transaction, authorizationList: list as never } };
      return auditDelegations(sceneOf({ file, summary }));
    };
    const sentence = `Somebody delegates to ${checksum(bob)}, and the answer does not tell it.`;
    expect(judge(bob, "x")).toEqual([{ law: 7, sentence }]);
    expect(judge(bob, `to ${shorten(bob)}`)).toEqual([]);
    expect(judge(zeroAddress, "x")).toEqual([]);
  });
});

describe("law 7 says", () => {
  const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const who = toAddress(account.address);
  const sign = async (address: Address, nonce: number) => {
    const { yParity = 0, r, s } = await account.signAuthorization({ chainId: 8453, nonce, address });
    return { chainId: "0x2105", address, nonce: numberToHex(nonce), yParity: numberToHex(yParity), r, s };
  };
  const judge = async (given: [Address, number][], summary: string, from: Address = alice, nonce = "0x1") => {
    const authorizationList = await Promise.all(given.map(([address, at]) => sign(address, at)));
    const transaction = { ...caseOf().transaction, nonce, authorizationList } as never;
    return auditDelegations(sceneOf({ file: { transaction }, facts: { sender: from }, summary }));
  };
  const sentence = (code: string) =>
    `${checksum(who)} delegates to ${code} now, and the summary does not tell that of ${shorten(who)}.`;

  it("which code an account has in the end, for every account", async () => {
    expect(await judge([[bob, 7]], "x")).toEqual([{ law: 7, sentence: sentence(checksum(bob)) }]);
    expect(await judge([[zeroAddress, 7]], "x")).toEqual([{ law: 7, sentence: sentence("no code") }]);
    const either: [Address, number][] = [
      [bob, 7],
      [carol, 9],
    ];
    expect(await judge(either, "x")).toEqual([
      { law: 7, sentence: sentence(`${checksum(bob)} or ${checksum(carol)}`) },
    ]);
    expect(await judge(either, `${shorten(who)} runs ${shorten(carol)}`)).toEqual([]);
    // None of the sender's own is valid by its nonce.
    expect(await judge([[bob, 7]], "x", who, "0x1")).toEqual([]);
    expect(await judge([[bob, 2]], "x", who, "0x1")).toEqual([{ law: 7, sentence: sentence(checksum(bob)) }]);
  });
});

describe("the knowledge of the auditor", () => {
  it("is made of labels and the contracts of rules", () => {
    const labels = {
      name: (address: Address) => (address === bob ? { label: "Bob's" } : undefined),
      token: (address: Address) => (address === usdc ? { symbol: "USDC", decimals: 6 } : undefined),
      system: (kind: string) => (kind === "weth" ? [token] : []),
    };
    const contracts = [
      [bob, "zed"],
      [bob, "nameless"],
      [bob, "erc4337"],
      [carol, "permit2"],
      [dora, "safe"],
    ].map(([address, category]) => ({ address, category }));
    const protocols = [
      { id: "zed", name: "Zed" },
      { id: "erc4337", name: "Account Abstraction" },
      { id: "zed2", name: "Zed" },
      { id: "nameless", name: null },
    ];
    const made = knowledgeOf({ labels, contracts, protocols } as never);
    expect(made.name(bob)).toEqual({ label: "Bob's", protocols: ["Zed", "Account Abstraction"] });
    expect(made.name(carol)).toBeUndefined();
    expect(made.token(usdc)).toEqual({ symbol: "USDC", decimals: 6 });
    expect([bob, carol, dora].map((one) => [made.isEntryPoint(one), made.isPermit2(one), made.isSafe(one)])).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
    expect([...made.wrapped]).toEqual([token]);
    expect(made.protocols).toEqual(["Account Abstraction", "Zed"]);
  });

  it("has a text for each asset", () => {
    expect(
      [moveOf(null, bob, bob, 1n), moveOf(usdc, bob, bob, 1n), moveOf(usdc, bob, bob, 1n, 7n)].map(assetText),
    ).toEqual(["ether", checksum(usdc), `NFT 7 of ${checksum(usdc)}`]);
  });
});
