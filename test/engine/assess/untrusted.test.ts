import { describe, expect, it } from "vitest";
import type { Examined } from "../../../src/engine/assess/examined/examine.ts";
import type { Role } from "../../../src/engine/assess/examined/role.ts";
import { findUntrusted } from "../../../src/engine/assess/first-contact.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { Markets } from "../../../src/engine/money/markets.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

interface World {
  moves?: Movement[];
  tx?: Partial<Transaction>;
  code?: string | null;
  logic?: Address[];
  owned?: boolean;
  proven?: Address[];
  calls?: object[];
}

/** Alice's act. The vault has a name, and USDC is a listed token. What is known about code is about bob's code. */
function actOf({ moves = [], tx = {}, proven = [], calls = [], ...of }: World): SubjectAct {
  const whole = moved(moves, { created: null, listed: new Set([usdc]), ...tx });
  const verification = of.code === undefined ? {} : { [bob]: { logic: [], owned: false, ...of } };
  return {
    tx: whole,
    subject: alice,
    principals: new Set([alice, carol]),
    markets: new Markets(whole),
    labels: {
      name: (one: Address) => (one === vault ? {} : undefined),
      token: (one: Address) => (one === usdc ? {} : undefined),
    },
    file: { risk: { verification } },
    isProven: (one: Address) => proven.includes(one),
    calls,
  } as unknown as SubjectAct;
}

const one = (roles: Role[], parts: Partial<Examined> = {}) =>
  ({ address: bob, roles, selector: null, account: alice, dealt: true, ...parts }) as Examined;
const receiver = one(["recipient"]);
const isUntrusted = (who: Examined, world: World) => findUntrusted([who], actOf(world)).length === 1;

describe("addresses that the check of first contact is about", () => {
  const other = { account: carol };
  it.each<[string, boolean, Examined]>([
    ["whom money went to", true, receiver],
    ["a spender", true, one(["spender"])],
    ["an operator", true, one(["operator"])],
    ["a controller", true, one(["controller"])],
    ["whom the account called", true, one(["called"])],
    ["whom another principal called", false, one(["called"], other)],
    ["whom another principal called and paid", true, one(["called", "recipient"], other)],
    ["whom another principal paid", true, one(["recipient"], other)],
    ["a delegate", false, one(["delegate"])],
    ["a token", false, one(["token"])],
    ["the sender", false, one(["sender"])],
    ["who checks a signature", false, one(["verifier"])],
    ["a token that is a spender, too", true, one(["token", "spender"])],
    ["whom nobody dealt with", false, one(["recipient"], { dealt: false })],
    ["whom our labels name", false, one(["spender"], { address: vault })],
    ["a listed token", false, one(["spender"], { address: usdc })],
  ])("%s: %s", (_who, expected, who) => expect(isUntrusted(who, {})).toBe(expected));

  it("is each of them, in their order", () => {
    const found = [one(["spender"], { address: weth }), one(["token"]), one(["recipient"], { address: token })];
    expect(findUntrusted(found, actOf({})).map(({ address }) => address)).toEqual([weth, token]);
    expect(findUntrusted([], actOf({}))).toEqual([]);
  });
});

describe("somebody of one's own", () => {
  const made = (parts: Partial<Call>, tx: Partial<Transaction> = {}): World => ({
    tx: { traced: true, calls: [{ ok: true, kind: "create", from: alice, to: bob, ...parts } as Call], ...tx },
  });
  const asked = (by: Address): World => {
    const calls = [
      { ok: true, kind: "call", from: by, to: vault, parent: -1 },
      { ok: true, kind: "create", from: vault, to: bob, parent: 0 },
    ];
    return { tx: { traced: true, calls: calls as Call[] } };
  };
  it.each<[string, boolean, World]>([
    ["who sends for the account", true, { tx: { from: bob } }],
    ["who sends for the account, with a call tree", true, made({ to: carol }, { from: bob })],
    ["what the transaction created", true, { tx: { created: bob } }],
    ["what the transaction created, with a call tree", true, made({ to: carol }, { created: bob })],
    ["what the account created", true, made({})],
    ["what it created at a place of its choice", true, made({ kind: "create2" })],
    ["what another principal created", true, made({ from: carol })],
    ["what a contract with a name created for it", true, asked(alice)],
    ["what a contract with a name created for a stranger", false, asked(token)],
    ["what a stranger created", false, made({ from: token })],
    ["what could not be created", false, made({ ok: false })],
    ["what was only called", false, made({ kind: "call" })],
    ["what was created without a call tree", false, made({}, { traced: false })],
    ["its Safe of a known singleton", true, { code: "contract", owned: true, logic: [token, vault] }],
    ["its Safe of an unknown singleton", false, { code: "contract", owned: true, logic: [token] }],
    ["a Safe of others", false, { code: "contract", owned: false, logic: [vault] }],
  ])("%s: %s", (_who, expected, world) => expect(isUntrusted(one(["spender"]), world)).toBe(!expected));
});

describe("a market", () => {
  const gave = move(token, alice, bob, 5n);
  const known = [{ id: 0, parent: -1, actor: alice, step: null, to: vault }];
  const sells = { moves: [gave, move(usdc, bob, alice, 3n)], code: "contract" };
  const junk = { moves: [move(usdc, alice, bob, 5n), move(token, bob, alice, 3n)], code: "contract", calls: known };
  const asked = (to: Address | null, parts: object = {}): World => ({
    ...junk,
    calls: [{ ...known[0], to, ...parts }],
  });
  const spoke = (address: Address) => ({ logs: [{ address }] }) as unknown as Partial<Transaction>;
  it.each<[string, boolean, World]>([
    ["gives a listed token for another", true, sells],
    ["gives ether for it", true, { ...sells, moves: [gave, move(null, bob, alice, 3n)] }],
    ["gives over another", true, { ...sells, moves: [gave, move(usdc, bob, carol, 3n), move(weth, carol, alice, 1n)] }],
    ["gives nothing", false, { ...sells, moves: [gave] }],
    ["gives the same back", false, { ...sells, moves: [move(usdc, alice, bob, 5n), move(usdc, bob, alice, 3n)] }],
    ["got nothing", false, { ...sells, moves: [{ ...gave, amount: 0n }, move(usdc, bob, alice, 3n)] }],
    ["got something else, too", true, { ...junk, calls: [], moves: [move(usdc, alice, bob, 5n), ...sells.moves] }],
    ["has no code", false, { ...sells, code: "none", tx: spoke(bob) }],
    ["runs delegated code", false, { ...sells, code: "delegated", tx: spoke(bob) }],
    ["was not read, and spoke", true, { ...sells, code: null, tx: spoke(bob) }],
    ["was not read, and was silent", false, { ...sells, code: null, tx: spoke(carol) }],
    ["is proven by what is told", true, { moves: [gave], code: "contract", proven: [bob] }],
    ["is proven, and no contract", false, { moves: [gave], code: "none", proven: [bob] }],
    ["gives a stranger's token, where one that we know was asked", true, junk],
    ["the same, where a listed token was asked", true, asked(usdc)],
    ["the same, where a stranger was asked", false, asked(carol)],
    ["the same, where nobody was asked", false, asked(null)],
    ["the same, where others asked", false, asked(vault, { actor: carol })],
    ["the same, where only a step of a program asked", false, asked(vault, { step: "swap" })],
    [
      "the same, where one of two asked is a stranger",
      false,
      {
        ...junk,
        calls: [known[0], { ...known[0], id: 1, to: carol }],
      } as World,
    ],
    [
      "the same, where a stranger's wrapper held the call",
      true,
      {
        ...junk,
        calls: [
          { ...known[0], to: carol },
          { ...known[0], id: 1, parent: 0 },
        ],
      } as World,
    ],
    ["got a token that others gave", false, { ...junk, moves: [gave, move(usdc, carol, alice, 3n)] }],
  ])("%s: %s", (_what, expected, world) => expect(isUntrusted(receiver, world)).toBe(!expected));

  it("do not include one that got a right as well", () => {
    expect(isUntrusted(one(["recipient", "spender"]), sells)).toBe(true);
  });
});
