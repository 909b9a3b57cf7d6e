import { describe, expect, it } from "vitest";
import { findUntrusted } from "../../../src/engine/assess/first-contact.ts";
import { Markets } from "../../../src/engine/money/markets.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { labelsOf, nameOf, tokenOf } from "../../support/labels.ts";

const hub = toAddress(`0x${"4b".repeat(20)}`);
const other = toAddress(`0x${"07".repeat(20)}`);
const labels = labelsOf({ names: [nameOf(hub, "Hub")], tokens: [tokenOf(usdc, "USDC"), tokenOf(weth, "WETH")] });

interface Parts {
  roles?: string[];
  account?: Address;
  tx?: object;
  movements?: object[];
  calls?: object[];
  code?: object;
  proven?: boolean;
  /** Base units for one ether. */
  worth?: (token: Address) => bigint | undefined;
}

/** Whether an account that alice deals with is among those that the check is about. */
function isAsked(address: Address, parts: Parts = {}): boolean {
  const { roles = ["recipient"], account = alice, calls = [], code, proven = false } = parts;
  const movements = (parts.movements ?? []).map((move, index) => ({ index, log: index, fee: false, ...move }));
  const tx = {
    ...{ traced: true, from: carol, created: null, calls: [], logs: [], listed: new Set([usdc, weth]) },
    ...{ weth: new Set(), etherWorth: parts.worth ?? (() => undefined) },
    ...{ movements, ...parts.tx },
  };
  const file = code === undefined ? {} : { risk: { verification: { [address]: { logic: [], ...code } } } };
  const act = {
    ...{ tx, file, labels, subject: alice, principals: new Set([alice, bob]), calls },
    ...{ isProven: () => proven, markets: new Markets(tx as never) },
  };
  const found = findUntrusted([{ address, roles, account, dealt: true, selector: null }] as never, act as never);
  return found.length === 1;
}

describe("accounts that the check is about", () => {
  it.each<[string, boolean, Address, Parts]>([
    ["a stranger", true, vault, {}],
    ["who sends for the subject", false, carol, {}],
    ["who sends for it, without a call tree", false, carol, { tx: { traced: false } }],
    ["what the transaction created", false, vault, { tx: { created: vault } }],
    ["what it created, without a call tree", false, vault, { tx: { created: vault, traced: false } }],
    ["a name that we know", false, hub, {}],
    ["a token that we know", false, usdc, {}],
    ["a token, by its role", false, vault, { roles: ["token"] }],
    ["what the subject called", true, vault, { roles: ["called"] }],
    ["what another principal called", false, vault, { roles: ["called"], account: bob }],
    ["whom another principal paid", true, vault, { roles: ["recipient", "called"], account: bob }],
  ])("%s: %j", (_what, asked, address, parts) => {
    expect(isAsked(address, parts)).toBe(asked);
  });

  const made = (more: object) => ({ ok: true, kind: "create", from: alice, to: vault, parent: -1, ...more });

  it.each<[string, boolean, object]>([
    ["the subject created it", false, {}],
    ["another principal created it", false, { from: bob }],
    ["with a salt", false, { kind: "create2" }],
    ["a stranger created it", true, { from: other }],
    ["that failed", true, { ok: false }],
    ["it was called", true, { kind: "call" }],
    ["something else was created", true, { to: other }],
  ])("is asked about where %s: %j", (_how, asked, more) => {
    expect(isAsked(vault, { tx: { calls: [made(more)] } })).toBe(asked);
    expect(isAsked(vault, { tx: { calls: [made({ kind: "call" }), made(more)] } })).toBe(asked);
  });

  const call = (from: Address, parent: number, kind = "call") => ({ ok: true, kind, from, to: hub, parent });

  it.each<[string, boolean, object[]]>([
    ["a principal asked a contract that we know", false, [call(bob, -1), made({ from: hub, parent: 0 })]],
    [
      "it runs the code of another",
      false,
      [call(alice, -1), call(hub, 0, "delegatecall"), made({ from: hub, parent: 1 })],
    ],
    ["a stranger asked it", true, [call(alice, -1), call(other, 0), made({ from: hub, parent: 1 })]],
    ["nobody is seen to ask it", true, [made({ from: hub })]],
  ])("is told whose creation it is where %s", (_how, asked, frames) => {
    expect(isAsked(vault, { tx: { calls: frames } })).toBe(asked);
  });
});

describe("a market", () => {
  const move = (from: Address, to: Address, of: Address | null, amount = 5n) => ({
    ...{ standard: of === null ? "native" : "erc20", token: of, tokenId: null, from, to, amount },
  });
  const trade = [move(alice, vault, usdc), move(vault, alice, weth)];
  const junk = [move(alice, vault, usdc), move(vault, alice, token)];
  const contract = { code: "contract" };
  /** Each unit is worth as much as one of ether. */
  const one = () => 10n ** 18n;
  const call = (to: Address | null, more: object = {}) => ({ id: 1, parent: 0, actor: alice, step: null, to, ...more });

  it.each<[string, boolean, Parts]>([
    ["gives a listed token", true, { movements: trade }],
    ["gives ether", true, { movements: [move(alice, vault, usdc), move(vault, alice, null)] }],
    ["gives what it got", false, { movements: [move(alice, vault, usdc), move(vault, alice, usdc)] }],
    ["gives nothing", false, { movements: trade.slice(0, 1) }],
    ["got nothing", false, { movements: trade.slice(1) }],
    ["got an amount of nothing", false, { movements: [move(alice, vault, usdc, 0n), move(vault, alice, weth)] }],
    ["gives over another", true, { movements: [...trade.slice(0, 1), move(vault, bob, weth), move(bob, alice, null)] }],
    ["gives it to somebody else", false, { movements: [move(alice, vault, usdc), move(vault, bob, weth)] }],
    ["is no contract", false, { movements: trade, code: { code: "none" } }],
    ["is shown as a contract by its logs", true, { movements: trade, code: {}, tx: { logs: [{ address: vault }] } }],
    ["was not read, and wrote no log", false, { movements: trade, code: {}, tx: { logs: [{ address: other }] } }],
    ["is no contract, though it has logs", false, { code: { code: "none" }, tx: { logs: [{ address: vault }] } }],
    ["is proven", true, { proven: true }],
    [
      "gives next to nothing",
      false,
      { movements: [move(alice, vault, usdc, 10n ** 18n), ...trade.slice(1)], worth: one },
    ],
    ["gives a fair price", true, { movements: trade, worth: one }],
    ["is proven, and called", false, { proven: true, roles: ["recipient", "called"] }],
    ["gives a stranger's token", false, { movements: junk }],
  ])("%s: %j", (_what, isMarket, parts) => {
    expect(isAsked(vault, { code: contract, ...parts })).toBe(!isMarket);
  });

  it.each<[string, boolean, object[]]>([
    ["nothing", false, []],
    ["a contract that we know", true, [call(hub)]],
    ["a token that we know", true, [call(usdc)]],
    ["a stranger", false, [call(other)]],
    ["both", false, [call(hub), call(other, { id: 2 })]],
    ["a creation", false, [call(null)]],
    ["a stranger, for somebody else", true, [call(hub), call(other, { id: 2, actor: bob })]],
    ["a contract that we know, for somebody else", false, [call(hub, { actor: bob })]],
    ["a step to a stranger", true, [call(hub), call(other, { id: 2, step: "swap" })]],
    ["a step alone", false, [call(hub, { step: "swap" })]],
    ["a stranger that passes it on to one that we know", true, [call(other), call(hub, { id: 2, parent: 1 })]],
    ["one that we know that passes it on to a stranger", false, [call(hub), call(other, { id: 2, parent: 1 })]],
  ])("of a stranger's token is one where the account asked %s: %j", (_whom, isMarket, calls) => {
    expect(isAsked(vault, { code: contract, movements: junk, calls })).toBe(!isMarket);
  });

  it("of a stranger's token gives it, and something else than it got", () => {
    const asked = (movements: object[]) => isAsked(vault, { code: contract, movements, calls: [call(hub)] });
    expect(asked([move(alice, vault, usdc), move(vault, bob, token)])).toBe(false);
    expect(asked([move(alice, vault, usdc), move(bob, alice, token)])).toBe(true);
    expect(asked([move(alice, vault, token), move(vault, alice, token)])).toBe(true);
  });
});
