import { describe, expect, it } from "vitest";
import { assetKeyOf, MoneyTrail } from "../../../src/engine/money/trail.ts";
import { type Address, deadAddress, toAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const person = (n: number): Address => toAddress(`0x${n.toString(16).padStart(40, "0")}`);

/**
 * The parcels of what alice gave: the movement by which each left her, how much, who kept it, and through whom. "cut" means that a limit
 * ended it.
 */
function followed(tx: Transaction, key: string = usdc, own?: number[]) {
  const movements =
    own ?? tx.movements.filter((each) => each.from === alice && assetKeyOf(each) === key).map(({ index }) => index);
  return new MoneyTrail(tx)
    .parcelsOf(alice, { key, movements })
    .map(({ first, amount, holder, path, cut }) => [
      first.index,
      Number(amount),
      holder,
      path,
      ...(cut ? ["cut"] : []),
    ]);
}

const paid = (...rest: Movement[]) => moved([move(usdc, alice, bob, 10n), ...rest]);

describe("the key of an asset", () => {
  it.each([
    [move(null, alice, bob, 1n), "native"],
    [move(usdc, alice, bob, 1n), usdc],
    [move(token, alice, bob, 1n, { tokenId: 7n }), `${token}:7`],
    [move(token, alice, bob, 1n, { tokenId: 0n }), `${token}:0`],
  ])("%#", (one, key) => expect(assetKeyOf(one)).toBe(key));
});

describe("what an account gave", () => {
  it.each<[string, Transaction, unknown[]]>([
    ["stays with whoever kept it", paid(), [[0, 10, bob, []]]],
    ["goes on with whoever passed it on", paid(move(usdc, bob, carol, 10n)), [[0, 10, carol, [bob]]]],
    [
      "is parted where a part is passed on",
      paid(move(usdc, bob, carol, 4n)),
      [
        [0, 6, bob, []],
        [0, 4, carol, [bob]],
      ],
    ],
    ["is not more than was given", paid(move(usdc, bob, carol, 40n)), [[0, 10, carol, [bob]]]],
    [
      "is parted among all who got some of it, the last of them first",
      paid(move(usdc, bob, carol, 4n), move(usdc, bob, vault, 5n)),
      [
        [0, 1, bob, []],
        [0, 5, vault, [bob]],
        [0, 4, carol, [bob]],
      ],
    ],
    ["passes many", paid(move(usdc, bob, carol, 10n), move(usdc, carol, vault, 10n)), [[0, 10, vault, [bob, carol]]]],
    ["comes back where it comes back", paid(move(usdc, bob, alice, 10n)), [[0, 10, alice, [bob]]]],
    [
      "is not followed from the account again",
      moved([move(usdc, alice, bob, 10n), move(usdc, bob, alice, 10n), move(usdc, alice, carol, 10n)]),
      [
        [0, 10, alice, [bob]],
        [2, 10, carol, []],
      ],
    ],
    [
      "goes on from somebody whom it comes to a second time",
      paid(move(usdc, bob, carol, 10n), move(usdc, carol, bob, 10n), move(usdc, bob, vault, 10n)),
      [[0, 10, vault, [bob, carol, bob]]],
    ],
    [
      "ends there where the order is not known",
      paid(
        move(usdc, bob, carol, 10n),
        move(usdc, carol, bob, 10n, { basis: "internal" }),
        move(usdc, bob, vault, 10n),
      ),
      [[0, 10, bob, [bob, carol]]],
    ],
    ["is not another asset", paid(move(token, bob, carol, 10n)), [[0, 10, bob, []]]],
    [
      "is not what was passed on before it came",
      moved([move(usdc, bob, carol, 10n), ...paid().movements]),
      [[1, 10, bob, []]],
    ],
    ["is not a fee", paid(move(usdc, bob, carol, 10n, { fee: true })), [[0, 10, bob, []]]],
    ["is not what somebody gave himself", paid(move(usdc, bob, bob, 10n)), [[0, 10, bob, []]]],
    ["is not nothing", moved([move(usdc, alice, bob, 0n)]), []],
    ["is burned where it is burned", moved([move(usdc, alice, deadAddress, 3n)]), [[0, 3, deadAddress, []]]],
  ])("%s", (_, tx, expected) => expect(followed(tx)).toEqual(expected));

  it("follows from its own movements, and each parcel is passed on only once", () => {
    const tx = moved([
      move(usdc, alice, bob, 10n),
      move(usdc, alice, bob, 5n),
      move(usdc, bob, carol, 12n),
      move(usdc, bob, vault, 1n),
    ]);
    expect(followed(tx)).toEqual([
      [0, 10, carol, [bob]],
      [1, 2, bob, []],
      [1, 1, vault, [bob]],
      [1, 2, carol, [bob]],
    ]);
  });

  it("is passed on to the last unit, and what one part left of a movement the next one takes", () => {
    const parts = [10n, 5n, 5n].map((amount) => move(usdc, alice, bob, amount));
    expect(
      followed(moved([...parts, move(usdc, bob, carol, 10n), move(usdc, bob, vault, 9n), move(usdc, bob, zero, 1n)])),
    ).toEqual([
      [0, 10, carol, [bob]],
      [1, 5, vault, [bob]],
      [2, 1, zero, [bob]],
      [2, 4, vault, [bob]],
    ]);
  });

  it.each([3, 4, 5])("is only that of the requested movements, of %d", (count) => {
    const tx = moved(Array.from({ length: count }, (_, i) => move(usdc, alice, person(i + 1), BigInt(i + 1))));
    expect(followed(tx, usdc, [1])).toEqual([[1, 2, person(2), []]]);
    expect(followed(tx, usdc, [])).toEqual([]);
    expect(followed(tx)).toHaveLength(count);
  });

  it("is followed once, and the same result is given for the same movements", () => {
    const trail = new MoneyTrail(paid());
    const asset = { key: usdc, movements: [0] };
    expect(trail.parcelsOf(alice, asset)).toBe(trail.parcelsOf(alice, asset));
    expect(trail.parcelsOf(alice, { key: usdc, movements: [0] })).toBe(trail.parcelsOf(alice, asset));
    expect(trail.parcelsOf(alice, { key: token, movements: [] })).toEqual([]);
    expect(trail.parcelsOf(carol, { key: usdc, movements: [] })).toEqual([]);
  });

  it.each<[string, Partial<Movement>, Address]>([
    ["a call tree", { basis: "trace" }, bob],
    ["the transaction", { basis: "transaction" }, bob],
    ["an explorer's list", { basis: "internal" }, carol],
    ["calldata", { basis: "calldata" }, carol],
    ["wrapped ether that was unwrapped", { basis: "inferred" }, carol],
  ])("may have been passed on before it came where its place is known by %s only", (_, more, holder) => {
    const passed = move(null, bob, carol, 10n, more);
    expect(followed(moved([passed, move(null, alice, bob, 10n)]), "native")[0]?.[2]).toBe(holder);
    expect(followed(moved([move(null, bob, carol, 10n), move(null, alice, bob, 10n, more)]), "native")[0]?.[2]).toBe(
      holder,
    );
  });
});

describe("ether that is wrapped, and wrapped ether that is unwrapped,", () => {
  const wrap = (amount = 10n) => [move(null, bob, weth, 10n), move(weth, weth, bob, amount)];
  const unwrap = (amount = 10n) => [move(weth, bob, weth, 10n), move(null, weth, bob, amount)];

  it("stays with the account that did it", () => {
    expect(followed(moved([move(null, alice, bob, 10n), ...wrap()]), "native")).toEqual([[0, 10, bob, []]]);
    expect(followed(moved([move(weth, alice, bob, 10n), ...unwrap()]), weth)).toEqual([[0, 10, bob, []]]);
  });

  it("goes on in the other form", () => {
    const on = moved([move(null, alice, bob, 10n), ...wrap(), move(weth, bob, carol, 10n)]);
    expect(followed(on, "native")).toEqual([[0, 10, carol, [bob]]]);
    const back = moved([move(weth, alice, bob, 10n), ...unwrap(), move(null, bob, carol, 7n)]);
    expect(followed(back, weth)).toEqual([
      [0, 3, bob, []],
      [0, 7, carol, [bob]],
    ]);
  });

  it("is with the contract if nothing of the same amount comes back", () => {
    expect(followed(moved([move(null, alice, bob, 10n), ...wrap(9n)]), "native")).toEqual([[0, 10, weth, [bob]]]);
    const other = [move(null, bob, weth, 10n), move(weth, weth, carol, 10n)];
    expect(followed(moved([move(null, alice, bob, 10n), ...other]), "native")).toEqual([[0, 10, weth, [bob]]]);
  });

  it("is not another token that the contract holds, nor another contract's", () => {
    const held = moved([move(usdc, alice, bob, 10n), move(usdc, bob, weth, 10n), move(null, weth, bob, 10n)]);
    expect(followed(held)).toEqual([[0, 10, weth, [bob]]]);
    const other = moved([move(null, alice, bob, 10n), move(null, bob, token, 10n), move(token, token, bob, 10n)]);
    expect(followed(other, "native")).toEqual([[0, 10, token, [bob]]]);
  });
});

describe("limits", () => {
  const chainOf = (steps: number) =>
    moved(Array.from({ length: steps }, (_, i) => move(usdc, i === 0 ? alice : person(i), person(i + 1), 10n)));

  it("end a way after sixteen accounts", () => {
    const hands = (count: number) => Array.from({ length: count }, (_, i) => person(i + 1));
    expect(followed(chainOf(16))).toEqual([[0, 10, person(16), hands(15)]]);
    expect(followed(chainOf(17))).toEqual([[0, 10, person(17), hands(16), "cut"]]);
    expect(followed(chainOf(18))).toEqual([[0, 10, person(17), hands(16), "cut"]]);
    const home = moved([...chainOf(16).movements, move(usdc, person(16), alice, 10n)]);
    expect(followed(home)).toEqual([[0, 10, alice, hands(16)]]);
  });

  it("end the search after a number of movements", () => {
    const many = limits.trailStepsMax;
    const ended = (count: number) => {
      const rest = Array.from({ length: count }, () => move(usdc, bob, zero, 1n));
      const parcels = followed(moved([move(usdc, alice, bob, BigInt(many + 5)), ...rest]));
      return [parcels.length, parcels[0], parcels.filter((one) => one.includes("cut")).length];
    };
    expect(ended(many - 1)).toEqual([many, [0, 6, bob, []], 0]);
    expect(ended(many + 2)).toEqual([many + 1, [0, 5, bob, [], "cut"], many + 1]);
  });
});

describe("what an account lost", () => {
  const lost = (...moves: Movement[]) => {
    const tx = moved(moves);
    const movements = moves.map((_, index) => index);
    return new MoneyTrail(tx)
      .lostOf(alice, { key: usdc, movements })
      .map(({ holder, amount }) => [holder, Number(amount)]);
  };
  const [loan, spent] = [move(usdc, vault, alice, 10n), move(usdc, alice, carol, 10n)];

  it("is not what it gave back to the account that it came from", () => {
    expect(lost(loan, spent, move(usdc, alice, vault, 10n))).toEqual([[carol, 10]]);
    expect(lost(loan, move(usdc, alice, vault, 10n))).toEqual([]);
  });

  it("is what it gave beyond that, counted once", () => {
    expect(lost(loan, move(usdc, alice, vault, 12n))).toEqual([[vault, 2]]);
    expect(lost(loan, move(usdc, alice, vault, 7n), move(usdc, alice, vault, 7n))).toEqual([[vault, 4]]);
  });

  it("is what others kept, if some came back later", () => {
    expect(lost(spent, move(usdc, carol, alice, 4n))).toEqual([
      [carol, 6],
      [alice, 4],
    ]);
  });

  it("is everything if no account gave it anything, or only others did", () => {
    expect(lost(spent)).toEqual([[carol, 10]]);
    expect(lost(loan, spent)).toEqual([[carol, 10]]);
  });
});
