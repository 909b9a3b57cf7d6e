import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { BlockCalendar } from "../../../src/kernel/block-calendar.ts";
import { buildCalendar } from "../../../src/rules/labels/calendar.ts";
import { labelsDir, noChain, shippedLabels } from "../../support/labels.ts";
import facts from "./chain-facts.json" with { type: "json" };

const { calendar } = shippedLabels();
const file = parse(readFileSync(join(labelsDir, "chain.yaml"), "utf8")) as {
  upgrades: { name: string; activates: string }[];
  deposits: { to: string; selectors: string[] }[];
  precompiles: { address: string }[];
};
const b20 = parse(readFileSync(join(labelsDir, "../rules/standards/b20.yaml"), "utf8")) as {
  members: { token: { begins: string[] } };
};
const firstBlock = (name: string) => facts.upgrades.find((one) => one.name === name)?.first_block ?? Number.NaN;
const denim = firstBlock("Denim");

describe("labels/chain.yaml", () => {
  it("has the upgrades of the survey, at its moments", () => {
    const listed = new Map(file.upgrades.map(({ name, activates }) => [name, Date.parse(activates) / 1000]));
    for (const { name, unix } of facts.upgrades) expect([name, listed.get(name)]).toEqual([name, unix]);
  });

  it("has its deposits and the forms of its precompiles", () => {
    expect(file.deposits.map(({ to, selectors }) => ({ to, selectors }))).toEqual(facts.deposits);
    const form = new RegExp(facts.precompiles.form);
    const addresses = file.precompiles.map(({ address }) => address.toLowerCase());
    expect(addresses.filter((address) => !form.test(address))).toEqual([]);
    // 0x01 to 0x11, 0x100, the factory and two registries: so many addresses have the form.
    expect(new Set(addresses).size).toBe(21);
    const tokens = new RegExp(facts.precompiles.tokens);
    expect(b20.members.token.begins.map((begin) => tokens.test(begin.padEnd(42, "5")))).toEqual([true, true]);
    expect(tokens.test("0xb200000000000000000002".padEnd(42, "5"))).toBe(false);
  });
});

describe("the time of a block", () => {
  const blocks = calendar.blocks as BlockCalendar;
  const timeOf = (block: number) => blocks.millisecondsAt(BigInt(block));

  it("is what the survey says, at the first block of each upgrade and before it", () => {
    for (const { unix, first_block, first_block_time } of facts.upgrades) {
      expect(timeOf(first_block)).toBe(first_block_time * 1000);
      expect(timeOf(first_block - 1)).toBeLessThan(unix * 1000);
    }
  });

  it("was every two seconds since genesis, and is every 200 milliseconds since Denim", () => {
    expect(timeOf(0)).toBe(facts.genesis_time * 1000);
    // As explorers show it.
    expect(timeOf(30_000_000)).toBe(Date.parse("2025-05-09T11:15:47Z"));
    expect(timeOf(denim - 1)).toBe(Date.parse("2026-11-05T17:59:59Z"));
    expect([0, 1, 4, 5].map((n) => timeOf(denim + n))).toEqual(
      [0, 200, 800, 1000].map((ms) => Date.parse("2026-11-05T18:00:01Z") + ms),
    );
    expect([0, 4, 5].map((n) => blocks.timeAt(BigInt(denim + n)))).toEqual([1793901601, 1793901601, 1793901602]);
  });

  it("is always later than that of the block before it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (block) => {
        expect(timeOf(block) - timeOf(block - 1)).toBe(block <= denim ? 2000 : facts.milliseconds_since_denim);
      }),
    );
  });

  it("is not known where no file tells it, nor is what came with an upgrade", () => {
    const upgrades = [{ name: "Azul", activates: 1 }];
    const { blocks: none, gasCap } = buildCalendar({ ...noChain, upgrades, gasCaps: [{ since: "Azul", gas: 1 }] });
    expect([none, gasCap(5), gasCap(null)]).toEqual([null, null, null]);
  });
});

describe("what came with an upgrade", () => {
  it("is there from its first block on", () => {
    const azul = firstBlock("Azul");
    expect([azul - 1, azul, null].map((block) => calendar.gasCap(block))).toEqual([
      null,
      BigInt(facts.gas_cap_since_azul),
      BigInt(facts.gas_cap_since_azul),
    ]);
    for (const [address, since] of Object.entries(facts.precompiles.since)) {
      const block = since === "Beryl" ? firstBlock("Beryl") : denim;
      const before = since === null || calendar.isPrecompile(address, since === "Beryl" ? block - 1 : 1);
      const now = [block, null].map((one) => calendar.isPrecompile(address, one));
      expect([address, before, ...now]).toEqual([address, since === null, true, true]);
    }
  });

  it("is not there before its day has come", () => {
    for (const address of facts.precompiles.not_on_mainnet) expect(calendar.isPrecompile(address, null)).toBe(false);
    const named = { ...noChain, gasCaps: [{ since: "Zenith", gas: 1 }] };
    expect(buildCalendar(named).gasCap(null)).toBeNull();
  });

  it("counts the later of two caps, in whatever order they are listed", () => {
    const upgrades = [
      { name: "Two", activates: 2 },
      { name: "One", activates: 1 },
    ];
    const gasCaps = [
      { since: "Two", gas: 2 },
      { since: "One", gas: 1 },
    ];
    const { gasCap } = buildCalendar({ ...noChain, upgrades, gasCaps, blockTimes: [{ fromBlock: 0, at: 0, ms: 500 }] });
    expect([1, 2, 3, 4].map(gasCap)).toEqual([null, 1n, 1n, 2n]);
  });
});

describe("precompiles", () => {
  it("have no names", () => {
    // Numbers in calldata look like these addresses, so they are no names that are told.
    expect(shippedLabels().name("0x0000000000000000000000000000000000000005")).toBeUndefined();
  });

  it.each([
    ["0x4200000000000000000000000000000000000000", true],
    ["0x42000000000000000000000000000000000007ff", true],
    ["0x4200000000000000000000000000000000000800", false],
    ["0x4200000000000000000000000000000000001000", false],
  ])("and predeploys are those of the chain: %s is %s", (address, expected) => {
    expect(calendar.isPredeploy(address)).toBe(expected);
  });
});
