import { describe, expect, it } from "vitest";
import { shortenerAmong, shortenerOf } from "../../../src/engine/present/teller/short-addresses.ts";
import { type Address, checksum, shorten, toAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";

const own = toAddress(`0xab12${"0".repeat(32)}cd34`);
const twin = toAddress(`0xab12${"7".repeat(32)}cd34`);
/** Others of which one shown digit is another one. */
const others = [2, 3, 4, 5, 38, 39, 40, 41].map((at) => toAddress(`${own.slice(0, at)}e${own.slice(at + 1)}`));

const unlabelled = { looksLabelled: () => false };

describe("an address of a transaction", () => {
  const nothing = { from: alice, to: bob, created: null, movements: [], calls: [], logs: [] };
  const many = Array.from({ length: 40 }, (_, i) =>
    toAddress(`0x${(i + 1).toString(16).padStart(4, "0")}${"5".repeat(36)}`),
  );
  /** The first address that is told, and one after many. */
  const short = (parts: object) => {
    const shortener = () => shortenerOf({ ...nothing, ...parts } as never, unlabelled);
    const late = shortener();
    for (const one of many) late(one);
    const text = shortener()(own);
    expect(late(own)).toBe(text);
    return text;
  };

  it.each<[string, (one: Address) => object]>([
    ["sends it", (one) => ({ from: one })],
    ["is called", (one) => ({ to: one })],
    ["is created", (one) => ({ created: one })],
    [
      "gives",
      (one) => ({
        movements: [
          { from: carol, to: carol },
          { from: one, to: carol },
        ],
      }),
    ],
    ["gets", (one) => ({ movements: [{ from: carol, to: one }] })],
    ["is called inside", (one) => ({ calls: [{ to: null }, { to: one }] })],
    ["writes a log", (one) => ({ logs: [{ address: usdc }, { address: one }] })],
  ])("is in full where one that reads the same %s", (_case, partsOf) => {
    expect(short(partsOf(twin))).toBe(checksum(own));
    expect([own, ...others].map((one) => short(partsOf(one)))).toEqual(Array(9).fill(shorten(own)));
  });

  it("is the same whenever it is asked for", () => {
    const shortener = shortenerOf({ ...nothing, to: twin } as never, unlabelled);
    expect([shortener(own), shortener(own), shortener(vault)]).toEqual([checksum(own), checksum(own), shorten(vault)]);
  });
});

describe("an address of a message", () => {
  it("is in full where another one that is given reads the same", () => {
    const among = shortenerAmong([vault, own, own, twin]);
    expect([own, twin, vault].map(among)).toEqual([checksum(own), checksum(twin), shorten(vault)]);
    expect([own, twin].map(shortenerAmong([own, own, ...others]))).toEqual([shorten(own), checksum(twin)]);
  });

  it("is told apart by each digit that is shown", () => {
    const digits = [..."0123456789abcdef"].map((digit) => toAddress(`0x${digit}${"1".repeat(39)}`));
    expect(digits.map(shortenerAmong(digits))).toEqual(digits.map((one) => shorten(one)));
  });
});

describe("an address that looks like one with a label", () => {
  it("is in full, as a spender that imitates a router", () => {
    const labels = shippedLabels();
    const imitation = toAddress(`${usdc.slice(0, 6)}${"7".repeat(32)}${usdc.slice(-4)}`);
    const short = shortenerOf(
      { from: alice, to: bob, created: null, movements: [], calls: [], logs: [] } as never,
      labels,
    );
    expect([short(usdc), short(imitation)]).toEqual([shorten(usdc), checksum(imitation)]);
    expect(labels.looksLabelled?.(toAddress(`0x${"12".repeat(20)}`))).toBe(false);
  });
});
