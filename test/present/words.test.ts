import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/assess/finding.ts";
import { toAddress } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { Movement } from "../../src/model/transaction.ts";
import { AssetNames } from "../../src/present/amounts/asset-names.ts";
import {
  clockText,
  durationText,
  percentText,
  quantityText,
  timeText,
  usdOf,
  usdOfAmount,
} from "../../src/present/amounts/measure.ts";
import { tellTokenFee } from "../../src/present/amounts/token-fee.ts";
import { actsMax, cuts, roomsOf, type SummaryDraft } from "../../src/present/draft.ts";
import { cutWords, joinPhrases, joinSentences, joinWords } from "../../src/present/phrase.ts";
import { presentRiskEvidence, tellChecks, tellFlags } from "../../src/present/risk.ts";
import { isSomeoneElse } from "../../src/present/told.ts";
import { state } from "../../src/ruleset/wording/phrases.ts";
import { alice, bob, caseOf, metadata, token, usdc, vault, weth } from "../support/case-of.ts";
import { shippedLabels } from "../support/labels.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const names = () => {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
  return new AssetNames(caseOf({ tokens: { [token]: metadata("ODD", 2) } }), shippedLabels(), policy, teller);
};

describe("measures", () => {
  it.each([
    [0n, "1970-01-01", "1970-01-01 00:00:00Z"],
    [1_772_366_400n, "2026-03-01", "2026-03-01 12:00:00Z"],
    [253_402_300_799n, "9999-12-31", "9999-12-31 23:59:59Z"],
    [253_402_300_800n, "forever", "forever"],
    [2n ** 256n - 1n, "forever", "forever"],
  ])("second %i is %s, to the clock %s", (seconds, day, clock) => {
    expect([timeText(seconds), clockText(seconds)]).toEqual([day, clock]);
  });

  it.each([
    [0n, "0 seconds"],
    [1n, "1 second"],
    [59n, "59 seconds"],
    [60n, "1 minute"],
    [3_599n, "59 minutes 59 seconds"],
    [3_600n, "1 hour"],
    [86_399n, "23 hours 59 minutes 59 seconds"],
    [86_400n, "1 day"],
    [90_061n, "1 day 1 hour 1 minute 1 second"],
    [172_802n, "2 days 2 seconds"],
    [86_400_000n, "1,000 days"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it.each([
    [15n, { decimals: 1, unit: "%" }, "1.5%"],
    [36n, { decimals: 0, unit: "h" }, "36 h"],
    [1_500n, { decimals: 0, unit: null }, "1,500"],
  ])("%i of %j is %s", (value, measure, text) => {
    expect(quantityText(value, measure)).toBe(text);
  });

  it.each([
    [1n, 2n, "50%"],
    [15n, 1_000n, "1.5%"],
    [1n, 3n, "33.33%"],
    [1n, 10_000n, "0.01%"],
    [9n, 1_000_000n, "0%"],
    [5n, 1n, "500%"],
    [1_005n, 1_000n, "100.5%"],
  ])("%i of %i is %s", (value, scale, text) => {
    expect(percentText(value, scale)).toBe(text);
  });

  it.each([
    [1_500_000n, 6, "2", 3],
    [-1_500_000n, 6, "2", -3],
    [0n, 6, "2", 0],
    [1n, 6, "0.5", 0.000001],
    [1n, 6, "0.499999999999999999", 0],
    [-1n, 6, "0.5", -0.000001],
    [1n, 0, "0.123456789", 0.123457],
    [1n, null, "2", null],
    [1n, 6, null, null],
    [1n, 6, "1e3", null],
  ])("%s units of %s decimals at %s are %s dollars", (units, decimals, price, usd) => {
    expect(usdOfAmount(units, decimals, price)).toBe(usd);
  });

  it.each([
    [10n ** 18n, "3012.5", 3012.5],
    [5n * 10n ** 11n, "1", 0.000001],
    [5n * 10n ** 11n - 1n, "1", 0],
    [null, "1", null],
    [1n, null, null],
    [1n, "x", null],
  ])("%s wei at %s are %s dollars", (wei, price, usd) => {
    expect(usdOf(wei, price)).toBe(usd);
  });
});

describe("words", () => {
  const said = (text: string, untrusted = false) => ({ text, untrusted });

  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a and b"],
    [["a", "b", "c"], "a, b and c"],
  ])("%j are joined as %j", (words, text) => {
    expect(joinWords(words)).toBe(text);
    expect(joinPhrases(words.map((word) => said(word)))).toEqual(said(text));
    expect(joinSentences(words.map((word) => said(word)))).toEqual(said(words.join(" ")));
  });

  it("of a stranger make all of it a stranger's", () => {
    const both = [said("a"), said("b", true), said("c")];
    expect(joinPhrases(both)).toEqual(said("a, b and c", true));
    expect(joinSentences(both)).toEqual(said("a b c", true));
  });

  it.each([
    ["one two three", 9, "one two…"],
    ["one two three", 7, "one…"],
    ["one two three", 8, "one two…"],
    ['say "some words" now', 12, "say…"],
    ['say "some words" now', 18, 'say "some words"…'],
    ["onetwothree", 5, "onetw…"],
  ])("%j is cut at %i characters to %j", (text, max, cut) => {
    expect(cutWords(text, max)).toBe(cut);
  });

  it("call nobody else whom the call is about, or who stands for somebody", () => {
    const context = { subject: alice, call: { to: vault } } as never;
    const small = (last: string) => toAddress(`0x${last.padStart(40, "0")}`);
    expect(
      [alice, vault, bob, small("1"), small("ffff"), small("10000")].map((one) => isSomeoneElse(one, context)),
    ).toEqual([false, false, true, false, false, true]);
    expect(isSomeoneElse(bob, { subject: alice, call: undefined } as never)).toBe(true);
  });
});

describe("the room of a summary", () => {
  const list = (count: number) => Array.from({ length: count }, () => ({ text: "x", untrusted: false })) as never[];
  const draft = (counts: { controls?: number; losses?: number; acts?: number; beside?: number }, remark = false) => {
    const { controls = 0, losses = 0, acts = 0, beside = 0 } = counts;
    const lists = { controls: list(controls), losses: list(losses), acts: list(acts), beside: list(beside) };
    return { ...lists, remark: remark ? { text: "r", untrusted: false } : null } as unknown as SummaryDraft;
  };
  const all = { controls: 8, losses: 8, acts: 3, beside: 8 };

  it.each([
    [draft(all), 0, ["6 4 0 4", "3 2 0 2", "1 1 0 1"]],
    [draft({ ...all, controls: 1, losses: 0 }), 1, ["1 0 1 4"]],
    [draft({ ...all, controls: 1, losses: 0 }), 2, []],
    [draft({ ...all, controls: 1, losses: 1 }), 1, []],
    [draft({ acts: actsMax }), 3, ["0 0 3 0"]],
    [draft({ acts: 4 }), 3, []],
    [draft({ acts: 4 }), 2, ["0 0 2 0"]],
    [draft({ acts: 2 }, true), 1, []],
    [draft({ acts: 2 }, true), 0, ["0 0 0 0", "0 0 0 0", "0 0 0 0"]],
  ])("%#: is tried from the most to the least", (given, shown, rooms) => {
    const tried = roomsOf(given, shown).map(
      ({ controls, losses, acts, beside }) => `${controls} ${losses} ${acts} ${beside}`,
    );
    expect(tried).toEqual(rooms);
  });

  it("leaves something out where one list is longer than its room", () => {
    const room = { controls: 2, losses: 2, acts: 0, beside: 2 };
    const cut = (counts: object) => cuts(draft({ controls: 2, losses: 2, beside: 2, acts: 3, ...counts }), room);
    expect([{}, { controls: 3 }, { losses: 3 }, { beside: 3 }].map(cut)).toEqual([false, true, true, true]);
  });
});

describe("gas that was paid in tokens", () => {
  const move = (of: Movement["token"], from: string, to: string, amount: bigint, fee = true) =>
    ({ token: of, from, to, amount, fee }) as Movement;
  const told = (...moves: Movement[]) => tellTokenFee(moves, alice, names(), teller);

  it("is what was given less what came back", () => {
    expect(told(move(usdc, alice, bob, 5_000_000n), move(usdc, bob, alice, 2_000_000n))).toEqual({
      text: "paid 3 USDC for gas",
      untrusted: false,
    });
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, alice, 1n))).toBeNull();
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, alice, 2n))).toBeNull();
  });

  it("counts no ether, nothing of others and nothing that is no fee", () => {
    expect(told(move(usdc, alice, bob, 1_000_000n, false))).toBeNull();
    expect(told(move(null, alice, bob, 1n))).toBeNull();
    expect(told(move(usdc, bob, vault, 1n))).toBeNull();
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, vault, 1n))?.text).toBe("paid 0.000001 USDC for gas");
    expect(told(move(usdc, alice, bob, 1_000_000n), move(usdc, alice, bob, 1_000_000n, false))?.text).toBe(
      "paid 1 USDC for gas",
    );
  });

  it("names each token", () => {
    const phrase = told(move(weth, alice, bob, 10n ** 18n), move(token, alice, bob, 150n));
    expect(phrase).toEqual({
      text: expect.stringMatching(/^paid 1 WETH and 1\.5 "ODD" \(0x.+\) for gas$/),
      untrusted: true,
    });
  });
});

describe("flags", () => {
  const finding = (flag: Finding["flag"], i = 0): Finding =>
    ({
      flag,
      statement: state("summary.reason_unknown", {}),
      address: null,
      role: null,
      basis: `b${i}`,
      evidence: [],
    }) as never;
  const many = (flag: Finding["flag"], count: number) => Array.from({ length: count }, (_, i) => finding(flag, i));

  it.each([
    ["known_drainer", 10, 10, 0],
    ["known_drainer", 12, 10, 2],
    ["unlimited_approval", 11, 10, 1],
    ["approval_for_all", 11, 10, 1],
    ["unverified_contract", 12, 10, 0],
    [null, 12, 0, 0],
  ] as const)("%s, %i times, is listed %i times and counted %i times", (flag, count, listed, cut) => {
    const told = tellFlags(many(flag, count), teller);
    const detail = teller.tell(state("summary.reason_unknown", {}));
    expect(told).toEqual({ flags: Array.from({ length: listed }, () => ({ flag, detail })), cut });
  });

  it("of one kind leave room for those of another", () => {
    const { flags, cut } = tellFlags([...many("known_drainer", 11), ...many("unverified_contract", 2)], teller);
    expect([flags.length, cut]).toEqual([12, 1]);
  });

  it("rest on findings and lookups that the evidence lists, as many as there is room for", () => {
    const lookup = { status: "found", source: "s", time: "t", more: 1 };
    const risk = { verification: { [bob]: lookup }, history: { [alice]: lookup }, drainers: lookup } as never;
    const examined = Array.from({ length: limits.evidenceMax + 1 }, () => ({
      address: bob,
      roles: new Set(["called"]),
    })) as never;
    const found = { examined, findings: many("known_drainer", limits.evidenceMax + 1) } as never;
    const told = presentRiskEvidence(found, { risk } as never, teller);
    expect([told.examined.length, told.findings.length]).toEqual([limits.evidenceMax, limits.evidenceMax]);
    expect(told.examined[0]).toEqual({ address: bob, roles: ["called"] });
    expect(Object.entries(told.findings[1] ?? {})).toEqual([
      ["flag", "known_drainer"],
      ["detail", teller.tell(state("summary.reason_unknown", {}))],
      ["address", null],
      ["role", null],
      ["basis", "b1"],
      ["evidence", []],
    ]);
    const asked = { status: "found", source: "s", time: "t" };
    expect(told.lookups).toEqual([
      { about: `verification ${bob}`, ...asked },
      { about: `history ${alice}`, ...asked },
      { about: "drainers", ...asked },
    ]);
    expect(presentRiskEvidence({ examined: [], findings: [] } as never, {} as never, teller)).toEqual({
      ...{ examined: [], findings: [], lookups: [] },
    });
  });

  it("stand beside checks, whose notes are joined and cut", () => {
    const results = { contract_verification: "ok", first_interaction: "partial", drainer_blacklist: "unavailable" };
    const note = teller.tell(state("summary.reason_unknown", {}));
    const checks = (count: number, unchecked: number) =>
      tellChecks(
        {
          ...results,
          unchecked: Array.from({ length: unchecked }, () => alice),
          notes: Array.from({ length: count }, () => state("summary.reason_unknown", {})),
        } as never,
        teller,
      );
    expect(checks(0, 0)).toEqual({ ...results, unchecked_addresses: [], note: null });
    expect(checks(2, 0).note).toBe(`${note} ${note}`);
    expect(checks(100, 51).note).toHaveLength(1_000);
    expect(checks(0, 51).unchecked_addresses).toHaveLength(50);
  });
});
