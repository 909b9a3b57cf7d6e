import { describe, expect, it } from "vitest";
import { examine } from "../../../src/engine/assess/examined/examine.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { MoneyTrail } from "../../../src/engine/money/trail.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, logOf, token, usdc, vault, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { move, moved } from "../../support/movements.ts";

interface World {
  moves?: Movement[];
  tx?: Partial<Transaction>;
  calls?: Partial<ActorCall>[];
  parts?: Partial<SubjectAct>;
}
/** Alice's act; the vault has a name, USDC is listed. */
function examined({ moves = [], tx = {}, calls = [], parts = {} }: World) {
  const whole = moved(moves, { mode: "mined", authorizations: [], ...tx });
  const plain = {
    parent: -1,
    via: null,
    step: null,
    from: alice,
    actor: alice,
    to: bob,
    value: 0n,
    input: "0x12345678",
  };
  const { addresses, withCode, grants } = examine({
    ...{
      tx: whole,
      subject: alice,
      principals: new Set([alice]),
      trail: new MoneyTrail(whole),
      named: [],
      controllers: [],
      payees: [],
    },
    calls: calls.map((call, id) => ({ ...{ id, ...plain, delegate: false, state: "executed", frame: -1 }, ...call })),
    labels: {
      calendar: shippedLabels().calendar,
      name: (one: Address) => (one === vault ? {} : undefined),
      token: (one: Address) => (one === usdc ? {} : undefined),
    },
    ...{
      file: { transaction: {}, risk: { verification: {} } },
      isProven: () => false,
      isPrecompile: () => false,
      signed: null,
    },
    ruleset: { grants: { calls: new Map(), events: new Map() }, accounts: { code: new Set() } },
    ...parts,
  } as unknown as SubjectAct);
  return {
    found: addresses.map(({ address, roles, dealt }) => [address, roles.join(" "), dealt]),
    coded: withCode.map(({ address }) => address),
    grants: grants.length,
    addresses,
  };
}
const approval = (of: Address, spender = bob, value = 5n) => {
  const event = "event Approval(address indexed owner, address indexed spender, uint256 value)";
  return { ...logOf(of, event, { owner: alice, spender, value }), index: 0, call: -1 } as unknown as Log;
};
const logs = (...some: Log[]) => some.map((log, index) => ({ ...log, index }));
const authorize = (authority: Address | null, delegate = bob) => ({
  tx: { authorizations: [{ authority, delegate }] },
});
type Row = [Address, string, boolean];

describe("the examined addresses", () => {
  const junk: Row[] = [
    [bob, "spender", true],
    [token, "token", true],
  ];
  it.each<[string, World, Row[], Address[]]>([
    ["nobody", {}, [], []],
    [
      "who was paid before others, though junk names it first",
      { moves: [move(usdc, alice, bob, 5n), move(usdc, alice, carol, 4n)], tx: { logs: logs(approval(token)) } },
      [
        [bob, "recipient spender", true],
        [carol, "recipient", true],
        [token, "token", true],
      ],
      [bob, carol],
    ],
    ["a spender of a listed token", { tx: { logs: logs(approval(usdc)) } }, [[bob, "spender", true]], [bob]],
    ["a spender, and the token that nobody lists", { tx: { logs: logs(approval(token)) } }, junk, [bob]],
    ["not a right that was taken back", { tx: { logs: logs(approval(usdc), approval(usdc, bob, 0n)) } }, [], []],
    ["code that the account runs from now on", authorize(alice), [[bob, "delegate", true]], [bob]],
    ["code that somebody unknown runs", authorize(null), [[bob, "delegate", true]], [bob]],
    ["no code that is cleared", authorize(alice, zeroAddress), [], []],
    [
      "who was paid in its place",
      { parts: { payees: [{ account: alice, payee: bob, assets: [{ token: null, amount: 10n ** 18n } as never] }] } },
      [[bob, "recipient", true]],
      [bob],
    ],
    ["who got control", { parts: { controllers: [bob] } }, [[bob, "controller", true]], [bob]],
    ["who was paid", { moves: [move(usdc, alice, bob, 5n)] }, [[bob, "recipient", true]], [bob]],
    ["a token that nobody lists", { moves: [move(token, carol, alice, 5n)] }, [[token, "token", true]], []],
    ["what was called", { calls: [{}] }, [[bob, "called", true]], [bob]],
    ["who sent it for the account", { tx: { from: bob } }, [[bob, "sender", false]], []],
    [
      "who is named",
      { parts: { named: [bob, vault, usdc] } },
      [
        [bob, "recipient", false],
        [vault, "recipient", false],
        [usdc, "recipient", false],
      ],
      [bob],
    ],
    [
      "nobody at burn addresses",
      { parts: { named: [zeroAddress, bob], controllers: [zeroAddress] } },
      [[bob, "recipient", false]],
      [bob],
    ],
    ["not the account itself", { parts: { named: [alice], controllers: [alice] } }, [], []],
    [
      "what was called and paid",
      { calls: [{}], moves: [move(null, alice, bob, 5n)] },
      [[bob, "recipient called", true]],
      [bob],
    ],
    ["who is named and was called", { calls: [{}], parts: { named: [bob] } }, [[bob, "called recipient", true]], [bob]],
    [
      "a token that was called",
      { calls: [{ to: token }], moves: [move(token, carol, alice, 1n)] },
      [[token, "called token", true]],
      [token],
    ],
  ])("is %s", (_what, world, found, coded) => {
    const { found: rows, coded: withCode } = examined(world);
    expect([rows, withCode]).toEqual([found, coded]);
  });

  it("is examined in the order of power, money, calls, others, names, junk and tokens", () => {
    const people = [1, 2, 3, 4, 5].map((digit) => `0x${`${digit}b`.repeat(20)}` as Address);
    const [spender, delegate, payee, stranger, sender] = people as [Address, Address, Address, Address, Address];
    const { found } = examined({
      moves: [move(usdc, alice, payee, 5n), move(token, alice, stranger, 5n)],
      tx: { from: sender, logs: logs(approval(usdc, spender)), authorizations: [{ authority: carol, delegate }] },
      calls: [{ to: bob }],
      parts: { named: [weth.replace("42", "52") as Address] },
    });
    const order = ["spender", "recipient", "called", "delegate", "recipient", "recipient", "token", "sender"];
    expect(found.map(([, role]) => role)).toEqual(order);
    expect(found.map(([address]) => address).filter((one) => one !== found[4]?.[0])).toEqual([
      ...[spender, payee, bob, delegate, stranger, token, sender],
    ]);
  });

  it("is no authorized code among the named", () => {
    const file = { transaction: { authorizationList: [{ address: bob }] }, risk: { verification: {} } } as never;
    expect(examined({ parts: { file, named: [bob, carol] } }).found).toEqual([[carol, "recipient", false]]);
  });

  it("is told with the selector of the call, and with the subject where it deals with it, too", () => {
    const one = (world: World) => examined(world).addresses.map(({ selector, account }) => [selector, account]);
    const parts = { principals: new Set([carol, alice]) };
    expect(one({ calls: [{}] })).toEqual([["0x12345678", alice]]);
    expect(one({ calls: [{ input: "0x" }] })).toEqual([[null, alice]]);
    expect(one({ calls: [{}], parts: { controllers: [bob] } })).toEqual([["0x12345678", alice]]);
    expect(one({ calls: [{ input: "0x" }, {}] })).toEqual([["0x12345678", alice]]);
    expect(one({ calls: [{ actor: carol }], parts })).toEqual([["0x12345678", carol]]);
    expect(one({ calls: [{ actor: carol }, { input: "0x87654321" }], parts })).toEqual([["0x12345678", alice]]);
    expect(one(authorize(carol))).toEqual([[null, carol]]);
    expect(one(authorize(null))).toEqual([[null, alice]]);
  });

  it("counts what a signature gives before all else", () => {
    const grant = {
      owner: alice,
      kind: "erc20",
      manager: null,
      token: usdc,
      grantee: carol,
      amount: 5n,
      expiration: null,
    };
    const signed = { grants: [grant], recipients: [], powers: [], verifier: null } as never;
    const { found, grants } = examined({ tx: { logs: logs(approval(usdc)) }, parts: { signed } });
    expect([found.map(([address]) => address), grants]).toEqual([[carol, bob], 2]);
  });
});
