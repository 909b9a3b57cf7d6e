import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/engine/assess/grants/grants.ts";
import { type RequestInput, tellRequest } from "../../../src/engine/present/preview/requested.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { alice, bob, carol, usdc, vault } from "../../support/case-of.ts";
import { nameOf, namesOf, teller } from "./named-world.ts";

describe("what a transaction asks for that was not simulated", () => {
  const call = (id: number, to: Address | null, value = 0n, more: Partial<ActorCall> = {}): ActorCall =>
    ({ id, to, value, parent: -1, from: alice, step: null, ...more }) as ActorCall;
  /** The transaction's own call, which acts tell. */
  const own = (value: bigint) => ({ value, calls: [call(0, vault, value)], told: new Set([0]) });
  const nobody = teller.short.bind(teller);
  const grant = (more: Partial<Grant>): Grant => ({ grantee: bob, token: usdc, amount: 1_000_000n, ...more }) as Grant;
  const act = (text: string, more: object = {}) => ({
    ...{ subject: teller.short(alice), text, untrusted: false, amounts: [], context: { authorization: null } },
    ...more,
  });
  const tell = (
    parts: Partial<Record<keyof RequestInput, unknown>> & {
      value?: bigint;
      authorizations?: object[];
      to?: Address | null;
    } = {},
  ) => {
    const { value = 0n, authorizations = [], to = vault, ...rest } = parts;
    return tellRequest({
      ...{ tx: { from: alice, to, value, authorizations }, subject: alice, acts: [], grants: [], told: new Set() },
      ...{ calls: [], refusal: null, names: namesOf(), teller, nameOf, ...rest },
    } as never);
  };
  const asks = (parts: Parameters<typeof tell>[0]) => tell(parts).asks.map(({ text }) => text);

  it.each<[string, Parameters<typeof tell>[0], string[]]>([
    ["nothing that is known", {}, []],
    ["acts, with how often", { acts: [act("claim it"), act("claim it"), act("pay")] }, ["claim it (2 times)", "pay"]],
    [
      "calls, with how often",
      { calls: [call(0, vault, 1n), call(1, vault, 1n)], value: 2n },
      ["call vault with 1 wei of ETH (2 times)"],
    ],
    [
      "no second word for a call that an act names",
      { acts: [act("call vault")], calls: [call(0, vault)] },
      ["call vault"],
    ],
    ["a call", { calls: [call(0, vault)] }, ["call vault"]],
    ["a call with ether", { calls: [call(0, vault, 10n ** 18n)], value: 10n ** 18n }, ["call vault with 1 ETH"]],
    [
      "the same call with and without ether",
      { calls: [call(0, vault), call(1, vault, 10n ** 18n)], value: 10n ** 18n },
      ["call vault with 1 ETH"],
    ],
    ["no word for a call that acts tell", { calls: [call(0, vault)], told: new Set([0]) }, []],
    ["no word for a creation", { calls: [call(0, null)] }, []],
    [
      "a right, and no word for its call",
      { calls: [call(0, usdc)], grants: [grant({ call: 0 })] },
      ["allow bob to spend 1 USDC"],
    ],
    ["no right that acts tell", { calls: [call(0, usdc)], grants: [grant({ call: 0 })], told: new Set([0]) }, []],
    ["a right without a call", { grants: [grant({})] }, ["allow bob to spend 1 USDC"]],
    [
      "a right over NFTs",
      { grants: [grant({ amount: null, token: vault })] },
      ["allow bob to move every token of vault"],
    ],
    ["ether that nothing tells", { ...own(10n ** 18n), acts: [act("pay")] }, ["pay", "send 1 ETH along"]],
    [
      "ether of which something is told",
      {
        ...own(3n * 10n ** 18n),
        acts: [act("pay", { amounts: [{ key: "native", amount: 10n ** 18n }] })],
      },
      ["pay", "send 2 ETH along"],
    ],
    [
      "ether of which all is told",
      {
        calls: [call(0, alice, 0n), ...[vault, bob].map((to, i) => call(i + 1, to, 10n ** 18n, { parent: 0 }))],
        told: new Set([1]),
        acts: [
          act("pay", {
            amounts: [
              { key: "native", amount: 10n ** 18n },
              { key: usdc, amount: 5n },
            ],
          }),
        ],
      },
      ["pay", "call bob with 1 ETH"],
    ],
    [
      "ether of inner calls that nothing tells",
      {
        calls: [call(0, alice), call(1, vault, 10n ** 18n, { parent: 0 })],
        ...{ told: new Set([1]), acts: [act("claim it")] },
      },
      ["claim it", "send 1 ETH along"],
    ],
    ["a delegation", { authorizations: [{ delegate: bob }] }, ["delegate its account to code at bob"]],
    [
      "calls through a stranger",
      { nameOf: nobody, calls: [call(0, carol), call(1, vault, 0n, { parent: 0, from: carol })] },
      [`have ${nobody(carol)} do what it wants`, `call ${nobody(vault)}`],
    ],
    [
      "calls through a stranger that gets ether",
      { nameOf: nobody, calls: [call(0, carol, 10n ** 18n), call(1, vault, 0n, { parent: 0, from: carol })] },
      [`call ${nobody(carol)} with 1 ETH`, `have ${nobody(carol)} do what it wants`, `call ${nobody(vault)}`],
    ],
    [
      "calls through a stranger inside of its own",
      {
        nameOf: nobody,
        calls: [
          call(0, alice),
          call(1, carol, 10n ** 18n, { parent: 0 }),
          call(2, vault, 0n, { parent: 1, from: carol }),
        ],
      },
      [`call ${nobody(carol)} with 1 ETH`, `have ${nobody(carol)} do what it wants`, `call ${nobody(vault)}`],
    ],
    [
      "calls through somebody known",
      { calls: [call(0, carol), call(1, vault, 0n, { parent: 0, from: carol })] },
      ["call vault"],
    ],
    [
      "calls through itself",
      { nameOf: nobody, calls: [call(0, alice), call(1, vault, 0n, { parent: 0 })] },
      [`call ${nobody(vault)}`],
    ],
    [
      "calls of strangers",
      { nameOf: nobody, calls: [call(0, carol), call(1, vault)] },
      [`call ${nobody(carol)}`, `call ${nobody(vault)}`],
    ],
  ])("%s", (_case, parts, expected) => {
    expect(asks(parts)).toEqual(expected);
  });

  it("tells the ether of a call only once if an act tells the call", () => {
    const acts = [act("pay", { amounts: [{ key: "native", amount: 10n ** 18n }] })];
    const parts = { value: 10n ** 18n, acts, calls: [call(0, vault, 10n ** 18n)], told: new Set([0]) };
    expect(asks(parts)).toEqual(["pay"]);
  });

  it("leaves out only a delegation that an act tells", () => {
    const [one, other] = [{ delegate: bob }, { delegate: carol }];
    const acts = [
      act("delegate", { context: { authorization: one } }),
      act("pay", { context: { authorization: null } }),
    ];
    expect(asks({ acts, authorizations: [one, other] })).toEqual([
      "delegate",
      "pay",
      "delegate its account to code at carol",
    ]);
  });

  it("is said in one to three sentences", () => {
    const [me, other] = [teller.short(alice), teller.short(bob)];
    const last = "Nobody simulated it: what would really happen is not known.";
    expect(tell({ acts: [act("claim it"), act("pay")] }).text).toBe(`${me} asks to claim it and pay. ${last}`);
    expect(tell({}).text).toBe(`${me} asks for something that could not be decoded. ${last}`);
    expect(tell({ acts: [act("pay", { subject: other })] }).text).toBe(`${me} asks ${other} to pay. ${last}`);
    expect(tell({ acts: [act("claim it"), act("pay", { subject: other, untrusted: true })] })).toEqual({
      text: `${me} asks to claim it. For ${other} it asks to pay. ${last}`,
      ...{ untrusted: true, asks: [{ text: "claim it", untrusted: false }], cut: false },
    });
    expect(tell({ calls: [call(0, vault)], refusal: "nonce_low" }).text).toBe(
      `${me} asks to call vault. A node would refuse it: its nonce was used before.`,
    );
    expect(tell({ calls: [call(0, vault)], subject: bob }).text).toBe(`${me} asks ${other} to call vault. ${last}`);
  });

  it("is cut if it is too long: acts of others first, then the last of its own", () => {
    const long = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, i) => act(`${"x".repeat(60)} ${i}`, more));
    const own = tell({ acts: long(30) });
    expect(own.cut).toBe(true);
    expect(own.text.length).toBeLessThanOrEqual(limits.previewSummaryCharsMax);
    expect(own.text).toMatch(/ asks to x{60} 0, .*x{60} 7 and do 22 more things\. Nobody simulated it: [^.]+\.$/);
    expect(own.asks).toHaveLength(Math.min(30, limits.asksMax));
    const both = tell({ acts: [act("pay"), ...long(30, { subject: teller.short(bob) })] });
    expect([both.cut, both.text.includes("xxx"), both.asks.length]).toEqual([true, false, 1]);
    expect(tell({ acts: long(2) }).cut).toBe(false);
  });
});
