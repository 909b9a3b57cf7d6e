import { describe, expect, it } from "vitest";
import { finalReceiversOf } from "../../../src/engine/present/amounts/flow-phrases.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** From, to, and of which token; each moves as much. */
type Moved = [from: Address, to: Address, of?: Address];

function worldOf(moves: Moved[], gets: object[] = []) {
  const tx = moved(moves.map(([from, to, of = usdc]) => move(of, from, to, 5n)));
  const given = tx.movements.filter(({ from }) => from === alice);
  const gives = [{ key: usdc, token: usdc, movements: given.map(({ index }) => index) }];
  return { tx, flow: { account: alice, gives, gets } } as never;
}

describe("the account that keeps what the subject gave", () => {
  const asked = (moves: Moved[], { gets = [], receivers = [bob] }: { gets?: object[]; receivers?: Address[] } = {}) => {
    return finalReceiversOf(receivers, worldOf(moves, gets), (one) => one === vault);
  };
  const passed: Moved[] = [
    [alice, bob],
    [bob, carol],
  ];

  it("is named instead of a receiver that passed everything on", () => {
    expect(asked([[alice, bob]])).toEqual([bob]);
    expect(asked(passed)).toEqual([carol]);
    expect(asked([...passed, [carol, token]])).toEqual([token]);
    expect(asked([...passed, [alice, carol]], { receivers: [bob, carol] })).toEqual([carol]);
    expect(asked([...passed, [alice, vault]], { receivers: [vault, bob] })).toEqual([vault, carol]);
  });

  it("is named also behind a known receiver, unless it is known itself or gave something", () => {
    const known: Moved[] = [
      [alice, vault],
      [vault, carol],
    ];
    expect(asked(known, { receivers: [vault] })).toEqual([carol]);
    expect(asked(known, { receivers: [vault, bob] })).toEqual([carol, bob]);
    expect(asked([...known, [carol, vault, token]], { receivers: [vault] })).toEqual([vault]);
    expect(finalReceiversOf([vault], worldOf(known), () => true)).toEqual([vault]);
  });

  it("is not named if several keep it, or if it came back or was destroyed", () => {
    expect(
      asked([
        [alice, bob],
        [bob, zero],
      ]),
    ).toEqual([bob]);
    const twice: Moved[] = [
      [alice, bob],
      [alice, bob],
      [bob, carol],
      [bob, token],
    ];
    expect(asked(twice)).toEqual([bob]);
    expect(
      asked([
        [alice, bob],
        [bob, alice],
      ]),
    ).toEqual([bob]);
  });

  it("is not named if it gave something to an account that got something, or if it is a token", () => {
    const gets = [{ key: token }];
    expect(asked(passed, { gets })).toEqual([carol]);
    expect(asked([...passed, [carol, alice, token]], { gets })).toEqual([bob]);
    expect(asked([...passed, [vault, alice, carol]], { gets })).toEqual([bob]);
    expect(asked([...passed, [carol, alice, token]])).toEqual([carol]);
  });

  it("is searched behind as many receivers as a sentence names", () => {
    const many = [bob, carol, token, usdc];
    expect(asked(passed, { receivers: many })).toEqual(many);
    expect(asked([], { receivers: [bob] })).toEqual([bob]);
    expect(finalReceiversOf([bob], { flow: { gives: [], gets: [] } } as never, () => false)).toEqual([bob]);
  });
});
