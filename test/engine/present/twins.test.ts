import { describe, expect, it } from "vitest";
import { tellBookings, tellTwins } from "../../../src/engine/present/given/twins.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, usdc, vault } from "../../support/case-of.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
/** What each act names, by the writer of a test. */
const writer = {
  others: ({ names }: { names: string[] }) => names.map((text) => ({ text, untrusted: text.startsWith('"') })),
  place: ({ names, chain }: { names: string[]; chain?: string }) => ({
    chain: chain && { text: chain, untrusted: false },
    isOwn: names.length === 0,
  }),
};
const act = (subject: string, ...names: string[]) => ({
  rule: { id: "act" },
  context: { subject, legs: [], log: null },
  names,
});
/** An act that this much of a token was given for. */
const paid = (token: Address, amount: bigint, name: string, tokenId?: null) => ({
  ...act(alice),
  context: { subject: alice, legs: [{ from: alice, token, tokenId, amount }], log: null },
  names: [name],
});
/** Of the token of a test; others weigh nothing. */
const weight = ({ token, amount }: { token: Address; amount: bigint }) => (token === usdc ? amount : 0n);
const names = { weight, amount: (_: Address, amount: bigint) => ({ text: `${amount} USDC`, untrusted: false }) };
const tell = (acts: object[], said = "", ...heads: object[]) =>
  tellTwins(acts as never, { isSaid: (name) => said.includes(name), heads: heads as never, counted: [] }, {
    writer,
    teller,
    names,
  } as never).map(({ account, predicate }) => [account, predicate.text, predicate.untrusted]);

describe("for whom an account did something once more", () => {
  it("is told by account, each name once", () => {
    expect(tell([act(alice, "A"), act(bob, "C"), act(alice, "B", "A"), act(alice)])).toEqual([
      [alice, "did a part of it for A and B", false],
      [bob, "did a part of it for C", false],
    ]);
    expect(tell([act(alice, '"text"')])).toEqual([[alice, 'did a part of it for "text"', true]]);
  });

  it("is not told where a sentence names them, or where nobody else is named", () => {
    expect(tell([act(alice, "A", "B")], "paid out to A")).toEqual([[alice, "did a part of it for B", false]]);
    expect([tell([act(alice, "A")], "A"), tell([act(alice)]), tell([])]).toEqual([[], [], []]);
  });

  it("names those first that most was given for", () => {
    const acts = [
      act(alice, "unseen"),
      paid(vault, 9n, "B"),
      paid(usdc, 1n, "A"),
      paid(vault, 10n, "C"),
      paid(usdc, 2n, "D"),
    ];
    expect(tell(acts)[0]?.[1]).toBe(`did a part of it for D, A, C and ${teller.say("value.more", { count: 2 }).text}`);
  });

  it("is the account itself beside a sentence about somebody else", () => {
    expect(tell([act(alice)], "A", act(alice, "A"))).toEqual([[alice, "did a part of it for itself", false]]);
    const silent = [act(alice), act(bob, "A"), { ...act(alice, "A"), rule: { id: "another" } }];
    expect(silent.map((head) => tell([act(alice)], "A", head))).toEqual([[], [], []]);
  });

  it("is told with a chain that is another than the sentence's, whatever else the sentence names", () => {
    const on = (chain: string, ...names: string[]) => ({ ...act(alice, ...names), chain });
    const twins = [on("Far"), on("Far", "A"), on("Near", "A"), on("Near")];
    for (const said of ["A to Near", 'A to Near, with 5 "Far"'])
      expect(tell(twins, said, on("Near", "A"))[0]?.[1]).toBe(
        "did a part of it for itself on Far, A on Far and itself",
      );
    expect(tell(twins.slice(0, 2), "to Near", act(bob))[0]?.[1]).toBe("did a part of it for A");
  });

  it("counts all but three", () => {
    expect(tell([act(alice, "A", "B", "C", "D", "E")])).toEqual([
      [alice, `did a part of it for A, B, C and ${teller.say("value.more", { count: 2 }).text}`, false],
    ]);
  });
});

describe("for whom an account's money did something", () => {
  const booking = (protocol: string | null, subject: string, ...names: string[]) => ({
    ...act(subject, ...names),
    rule: { protocol },
  });
  const tellOf = (acts: object[], said = "", told: object[] = []) =>
    tellBookings(acts as never, { isSaid: (name) => said.includes(name), acts: told as never }, {
      writer,
      teller,
      names,
    } as never).map(({ account, predicate }) => [account, predicate.text]);

  it("is told by account and protocol", () => {
    const acts = [
      booking("Bank", alice, "A"),
      booking("Pool", alice, "A"),
      booking("Bank", bob, "B"),
      booking("Bank", alice, "C"),
    ];
    expect(tellOf(acts)).toEqual([
      [alice, "acted for A and C at Bank"],
      [alice, "acted for A at Pool"],
      [bob, "acted for B at Bank"],
    ]);
  });

  it("is not told where a sentence names them, or where there is no protocol", () => {
    expect(tellOf([booking("Bank", alice, "A")], "for A")).toEqual([]);
    expect(tellOf([booking(null, alice, "A")])).toEqual([]);
  });

  it("is told with its money, unless it is the only one and an act states that money", () => {
    const one = { ...paid(usdc, 2n, "A", null), rule: { protocol: "Bank" } };
    const stating = { amounts: [{ key: usdc, amount: 2n }] };
    expect(tellOf([one])).toEqual([[alice, "acted for A (2 USDC) at Bank"]]);
    expect(tellOf([one], "", [{ amounts: [{ key: usdc, amount: 3n }] }])).toEqual(tellOf([one]));
    expect(tellOf([one], "", [stating])).toEqual([[alice, "acted for A at Bank"]]);
    const other = { ...paid(usdc, 1n, "B", null), rule: { protocol: "Bank" } };
    expect(tellOf([one, other], "", [stating])).toEqual([[alice, "acted for A (2 USDC) and B (1 USDC) at Bank"]]);
  });
});
