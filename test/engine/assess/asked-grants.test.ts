import { describe, expect, it } from "vitest";
import { findDelegations } from "../../../src/engine/assess/examined/examine.ts";
import { findAskedGrants } from "../../../src/engine/assess/grants/asked-grants.ts";
import { findGrantCalls, isGrantCall } from "../../../src/engine/assess/grants/grant-call.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";

/** A function. Its arguments are the text after its selector, separated by commas. */
const call = (hash: string, parts: object = {}) => ({
  call: { hash, read: (input: string) => (input.length > 10 ? input.slice(11).split(",").map(argumentOf) : undefined) },
  ...{
    contracts: null,
    each: null,
    owner: null,
    spender: at(0),
    amount: at(1),
    given: null,
    token: null,
    until: null,
    key: null,
  },
  ...parts,
});
const at = (place: number) => ({ path: [place], ofItem: false });
const argumentOf = (text: string) => (/^\d+$/.test(text) ? BigInt(text) : text === "no" ? false : text);
const [approve, permit, endless, all, keep, two, apart] = [
  "0xaaaaaaa1",
  "0xaaaaaaa2",
  "0xaaaaaaa3",
  "0xaaaaaaa4",
  "0xaaaaaaa5",
  "0xaaaaaaa6",
  "0xaaaaaaa7",
];
const calls = new Map(
  [
    call(approve as string),
    call(permit as string, { owner: at(2) }),
    call(endless as string, { owner: at(1), amount: null }),
    call(all as string, { amount: null, given: at(1) }),
    call(keep as string, { contracts: new Set([vault]), token: at(2), until: at(3) }),
    call(two as string, { contracts: new Set([carol]), amount: null }),
    call(apart as string, { key: at(2) }),
  ].map((one) => [one.call.hash, [one]] as const),
);
const rights = calls.get(two as string) as unknown as object[];
rights.push(call(two as string, { contracts: new Set([bob]) }));
const lockdown = { contracts: new Set([vault]), amount: null };
const kept = { contracts: new Set([vault]), amount: 1, protocol: "Keeper" };
const ruleset = {
  grants: {
    calls,
    events: new Map([
      ["0xe1", [lockdown]],
      ["0xe2", [lockdown, kept]],
    ]),
  },
} as never;

interface Asked {
  from?: Address;
  to?: Address | null;
  delegate?: boolean;
  state?: string;
}
const asks = (input: string, parts: Asked = {}) => ({ from: alice, to: token, delegate: false, ...parts, input });
const found = (...asked: object[]) =>
  findAskedGrants({ ruleset, calls: asked.map((one, id) => ({ ...one, id: id + 5 })) as never });
const grant = {
  ...{ owner: alice, kind: "erc20", manager: null, token, grantee: bob, amount: 7n, stands: true, uncertain: false },
  ...{ expiration: null, basis: "call", logs: [], call: 5, key: "" },
};
const approves = `${approve},${bob},7`;

describe("rights that calldata asks for", () => {
  const operator = { ...grant, kind: "operator", amount: null };
  it.each<[string, object[], object[]]>([
    ["are none of no call", [], []],
    ["are none of another function", [asks(`0xbbbbbbbb,${bob},7`)], []],
    ["are none of what cannot be read", [asks(approve as string)], []],
    ["are over a token", [asks(approves)], [grant]],
    ["are the caller's", [asks(approves, { from: carol })], [{ ...grant, owner: carol }]],
    ["are none of a creation", [asks(approves, { to: null })], []],
    ["are none of code that runs as somebody's own", [asks(approves, { delegate: true })], []],
    ["are none of nobody", [asks(`${approve},${zeroAddress},7`)], []],
    ["are none over nothing", [asks(`${approve},${bob},0`)], []],
    ["are of whom a permit names", [asks(`${permit},${bob},7,${carol}`)], [{ ...grant, owner: carol }]],
    [
      "are over all there is",
      [asks(`${endless},${bob},${carol}`)],
      [{ ...grant, owner: carol, amount: (1n << 256n) - 1n }],
    ],
    ["are over NFTs", [asks(`${all},${bob},yes`)], [operator]],
    ["are none over NFTs that are taken back", [asks(`${all},${bob},no`)], []],
    [
      "are kept by another",
      [asks(`${keep},${bob},7,${usdc},9`, { to: vault })],
      [{ ...grant, kind: "managed", manager: kept, token: usdc, expiration: 9n }],
    ],
    ["are none at another than who keeps them", [asks(`${keep},${bob},7,${usdc},9`)], []],
    [
      "are by the function of the called contract",
      [asks(`${two},${carol},7`, { to: bob }), asks(`${two},${usdc}`, { to: carol })],
      [
        { ...grant, token: bob, grantee: carol },
        { ...operator, token: carol, grantee: usdc, call: 6 },
      ],
    ],
    ["are by the last word", [asks(approves), asks(`${approve},${bob},9`)], [{ ...grant, amount: 9n, call: 6 }]],
    [
      "are each of what tells them apart",
      [asks(`${apart},${bob},7,one`), asks(`${apart},${bob},8,two`), asks(`${apart},${bob},9,two`)],
      [
        { ...grant, key: "one" },
        { ...grant, amount: 9n, key: "two", call: 7 },
      ],
    ],
    ["are none that the last word takes back", [asks(approves), asks(`${approve},${bob},0`)], []],
    [
      "stand though they were taken back before",
      [asks(`${approve},${bob},0`), asks(approves)],
      [{ ...grant, call: 6 }],
    ],
    [
      "are each of an owner, token, receiver and kind",
      [
        ...[asks(approves), asks(approves, { from: carol }), asks(approves, { to: usdc })],
        ...[asks(`${approve},${vault},7`), asks(`${all},${bob},yes`)],
      ],
      [
        ...[grant, { ...grant, owner: carol, call: 6 }, { ...grant, token: usdc, call: 7 }],
        ...[
          { ...grant, grantee: vault, call: 8 },
          { ...operator, call: 9 },
        ],
      ],
    ],
  ])("%s", (_what, asked, expected) => expect(found(...asked)).toEqual(expected));

  it("have no keeper where no event tells of an amount", () => {
    const { grants } = ruleset as { grants: object };
    const silent = { grants: { ...grants, events: new Map([["0xe1", [lockdown]]]) } } as never;
    const asked = [{ ...asks(`${keep},${bob},7,${usdc},9`, { to: vault }), id: 5 }] as never;
    expect(findAskedGrants({ ruleset: silent, calls: asked })[0]?.manager).toBe(null);
  });
});

describe("calls that give rights", () => {
  const given = (asked: object[], frames: object[] = [], traced = false) =>
    findGrantCalls({ ruleset, calls: asked, tx: { traced, calls: frames } } as never);
  const frame = (parts: object = {}) => ({ ...asks(approves), ok: true, kind: "call", ...parts });
  const right = { to: token, owner: alice, signed: false };

  it.each<[string, object[], object[]]>([
    ["are none", [asks("0xbbbbbbbb")], []],
    ["are the caller's", [asks(approves)], [right]],
    ["are signed by whom they name", [asks(`${permit},${bob},7,${carol}`)], [{ ...right, owner: carol, signed: true }]],
    ["are none that failed", [asks(approves, { state: "failed" })], []],
    ["are none of code that runs as somebody's own", [asks(approves, { delegate: true })], []],
    ["are none of a creation", [asks(approves, { to: null })], []],
    ["are none at a contract without the function", [asks(`${keep},${bob},7,${usdc},9`)], []],
    ["are none that cannot be read", [asks(approve as string)], []],
  ])("%s", (_what, asked, expected) => expect(given(asked)).toEqual(expected));

  it.each<[string, object, object[]]>([
    ["are those of the tree", {}, [right]],
    ["are none that failed", { ok: false }, []],
    ["are no borrowed code", { kind: "delegatecall" }, []],
  ])("with a call tree %s", (_what, parts, expected) => {
    expect(given([asks(`${permit},${bob},7,${carol}`)], [frame(parts)], true)).toEqual(expected);
  });

  it("are told by functions of any token alone", () => {
    const { grants } = ruleset as { grants: never };
    expect([approves, `${two},${carol},7`, "0xbbbbbbbb", "0x"].map((input) => isGrantCall(input, grants))).toEqual([
      ...[true, false, false, false],
    ]);
  });
});

it("delegations are those that are not cleared, in order", () => {
  const authorizations = [
    ...[
      { authority: alice, delegate: bob },
      { authority: alice, delegate: zeroAddress },
    ],
    { authority: null, delegate: carol },
  ];
  expect(findDelegations({ tx: { authorizations } } as never)).toEqual([authorizations[0], authorizations[2]]);
});
