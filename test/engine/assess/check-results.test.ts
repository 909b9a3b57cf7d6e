import { describe, expect, it } from "vitest";
import { recordChecks } from "../../../src/engine/assess/checks.ts";
import type { Examination, Examined } from "../../../src/engine/assess/examined/examine.ts";
import type { Grant } from "../../../src/engine/assess/grants/grants.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { DrainerList, HistoryLookup, VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";

const time = "2026-01-02T03:04:05.000Z";
const known: HistoryLookup = {
  ...{ status: "found", source: "explorer", time, complete: true, through_code: false },
  ...{ counterparties: [], unordered: [] },
};
const list: DrainerList = { name: "a", snapshot_time: time, sha256: "0", entries: 1, stale: false };
const code = (parts: Partial<VerificationLookup> = {}): VerificationLookup => ({
  ...{ status: "found", source: "sourcify", time, code: "contract", logic: [], via: [], owned: false },
  ...parts,
});
const noCode = code({ status: "absent", code: "none" });
const failed = code({ status: "unavailable" });
const diamond = code({ status: "inconclusive", via: ["eip1967", "diamond"] });
const unclear = code({ status: "inconclusive", via: ["eip1967"] });

const one = (address: Address): Examined => ({
  ...{ address, roles: ["spender"], selector: null, account: alice, dealt: true },
});
const [bobs, carols, vaults, usdcs] = [bob, carol, vault, usdc].map(one) as [Examined, Examined, Examined, Examined];
const grant = { token, amount: 5n, stands: true, uncertain: false } as Grant;

interface World extends Partial<Examination> {
  untrusted?: Examined[];
  code?: Record<Address, VerificationLookup>;
  history?: Partial<HistoryLookup> | null;
  lists?: DrainerList[];
  asked?: Address[];
  emitters?: Address[];
  called?: Address[];
}
function actOf({
  code: verification = {},
  history = {},
  lists = [list],
  asked = [bob],
  emitters = [],
  called = [],
}: World) {
  const histories = history === null ? {} : { [alice]: { ...known, ...history } };
  return {
    subject: alice,
    calls: called.map((to) => ({ to })),
    tx: { logs: emitters.map((address) => ({ address })) },
    file: { reads: [], risk: { verification, history: histories, drainers: { lists, asked, hits: [] } } },
    ruleset: { grants: { unlimited: new Set() } },
  } as unknown as SubjectAct;
}

function checksOf(world: World) {
  const { untrusted = [], addresses = [], withCode = [], grants = [], unfollowed = 0, unseen = 0 } = world;
  return recordChecks(
    { addresses, withCode, actors: [], grants, unfollowed, unmentioned: 0, unseen },
    untrusted,
    actOf(world),
  );
}

const none = {
  ...{ contract_verification: "not_applicable", first_interaction: "not_applicable" },
  ...{ drainer_blacklist: "not_applicable", unchecked: [], notes: [] },
};
const counted = (id: Parameters<typeof state>[0], count = 1) => state(id, { count } as never);

describe("the check of published code", () => {
  const missing = counted("check.beyond_limit");
  const unanswered = counted("check.source_unavailable");
  it.each<[string, World, object]>([
    ["is of nobody", {}, {}],
    ["is ok", { withCode: [bobs], code: { [bob]: code() } }, { contract_verification: "ok" }],
    ["is of nobody where nobody has code", { withCode: [bobs], code: { [bob]: noCode }, called: [bob] }, {}],
    [
      "is ok where one of two has code",
      { withCode: [bobs, carols], code: { [bob]: noCode, [carol]: code() } },
      { contract_verification: "ok" },
    ],
    [
      "is ok where a known contract was called, and only somebody without code was given anything",
      { withCode: [bobs], code: { [bob]: noCode }, called: [usdc] },
      { contract_verification: "ok" },
    ],
    [
      "is ok where a contract wrote a log",
      { withCode: [bobs], code: { [bob]: noCode }, emitters: [usdc] },
      { contract_verification: "ok" },
    ],
    [
      "is partial beyond the limit",
      { withCode: [bobs, carols], code: { [bob]: code() } },
      {
        ...{ contract_verification: "partial", unchecked: [carol], notes: [missing] },
      },
    ],
    [
      "names all beyond the limit",
      { withCode: [bobs, carols] },
      {
        ...{ contract_verification: "partial", unchecked: [bob, carol], notes: [counted("check.beyond_limit", 2)] },
      },
    ],
    [
      "is unavailable where nobody answered",
      { withCode: [bobs, carols], code: { [bob]: failed, [carol]: failed } },
      {
        ...{ contract_verification: "unavailable", notes: [counted("check.source_unavailable", 2)] },
      },
    ],
    [
      "tells apart whom a key would let answer",
      { withCode: [bobs, carols], code: { [bob]: failed, [carol]: { ...failed, reason: "key_missing" } } },
      {
        ...{ contract_verification: "unavailable", notes: [unanswered, counted("check.source_key")] },
      },
    ],
    [
      "is partial where one of two answered",
      { withCode: [bobs, carols], code: { [bob]: failed, [carol]: code() } },
      {
        ...{ contract_verification: "partial", notes: [unanswered] },
      },
    ],
    [
      "is unavailable beside others beyond the limit",
      { withCode: [bobs, carols], code: { [bob]: failed } },
      {
        ...{ contract_verification: "unavailable", unchecked: [carol], notes: [missing, unanswered] },
      },
    ],
    [
      "is unavailable beside a diamond",
      { withCode: [bobs, carols], code: { [bob]: failed, [carol]: diamond } },
      {
        ...{ contract_verification: "unavailable", notes: [unanswered, counted("check.diamond")] },
      },
    ],
    [
      "is partial beside an unclear one",
      { withCode: [bobs, carols], code: { [bob]: failed, [carol]: unclear } },
      {
        ...{ contract_verification: "partial", notes: [unanswered, counted("check.code_undecidable")] },
      },
    ],
    [
      "is partial for a diamond",
      { withCode: [bobs], code: { [bob]: diamond } },
      {
        ...{ contract_verification: "partial", notes: [counted("check.diamond")] },
      },
    ],
    [
      "is inconclusive",
      { withCode: [bobs], code: { [bob]: unclear } },
      {
        ...{ contract_verification: "inconclusive", notes: [counted("check.code_undecidable")] },
      },
    ],
    [
      "is of all kinds",
      {
        withCode: [bobs, carols, vaults, usdcs, one(token)],
        code: { [bob]: code(), [carol]: failed, [vault]: diamond, [usdc]: unclear },
      },
      {
        ...{ contract_verification: "partial", unchecked: [token] },
        notes: [missing, unanswered, counted("check.diamond"), counted("check.code_undecidable")],
      },
    ],
  ])("%s", (_what, world, expected) => expect(checksOf(world)).toEqual({ ...none, ...expected }));
});

describe("the check of first contact", () => {
  const noted = (first_interaction: string, ...notes: object[]) => ({ first_interaction, notes });
  const of = (history: Partial<HistoryLookup> | null, ...untrusted: Examined[]): World => ({ untrusted, history });
  it.each<[string, World, object]>([
    ["is ok", of({}, bobs), noted("ok")],
    ["was not made", of(null, bobs), noted("unavailable", state("check.history_unasked", {}))],
    ["failed", of({ status: "unavailable" }, bobs), noted("unavailable", state("check.history_unavailable", {}))],
    [
      "without a key",
      of({ status: "unavailable", reason: "key_missing" }, bobs),
      noted("unavailable", state("check.history_key", {})),
    ],
    ["is inconclusive", of({ complete: false }, bobs), noted("inconclusive", counted("check.history_inconclusive"))],
    [
      "is inconclusive of two in three",
      of({ unordered: [bob, vault] }, bobs, carols, vaults),
      noted("inconclusive", counted("check.history_inconclusive", 2)),
    ],
    [
      "was not made for one of two",
      of(null, { ...carols, account: carol }, bobs),
      noted("unavailable", state("check.history_unasked", {})),
    ],
  ])("%s", (_what, world, expected) => expect(checksOf(world)).toEqual({ ...none, ...expected }));

  const doubtful = { ...grant, amount: 1n << 255n, uncertain: true };
  it.each<[string, World, object]>([
    ["where it would not apply", { grants: [doubtful] }, noted("inconclusive", counted("check.allowance_unclear"))],
    [
      "where all is known",
      { ...of({}, bobs), grants: [doubtful, doubtful] },
      noted("inconclusive", counted("check.allowance_unclear", 2)),
    ],
    [
      "and stays unavailable",
      { ...of(null, bobs), grants: [doubtful] },
      noted("unavailable", state("check.history_unasked", {}), counted("check.allowance_unclear")),
    ],
    [
      "and is so of a part",
      { ...of({ complete: false }, bobs), grants: [doubtful] },
      noted("inconclusive", counted("check.history_inconclusive"), counted("check.allowance_unclear")),
    ],
    ["not by what was taken back", { grants: [{ ...doubtful, stands: false }] }, {}],
    ["not by what is certain", { grants: [{ ...doubtful, uncertain: false }] }, {}],
  ])("is inconclusive by an allowance that is not clear: %s", (_what, world, expected) =>
    expect(checksOf(world)).toEqual({ ...none, ...expected }),
  );
});

describe("the check of the lists", () => {
  const noted = (drainer_blacklist: string, ...notes: object[]) => ({ drainer_blacklist, notes });
  const missing = { ...list, snapshot_time: null };
  const of = (lists: DrainerList[], asked: Address[] = [bob, carol]): World => ({
    addresses: [bobs, carols],
    lists,
    asked,
  });
  it.each<[string, World, object]>([
    ["is ok", of([list]), noted("ok")],
    ["has no list", of([]), noted("unavailable", state("check.no_list", {}))],
    ["has no snapshot", of([missing, missing]), noted("unavailable", state("check.lists_unavailable", {}))],
    ["has an old list", of([list, { ...list, stale: true }]), noted("partial", counted("check.lists_stale"))],
    ["lacks a list", of([list, missing]), noted("partial", counted("check.lists_stale"))],
    [
      "lacks one, and has old ones",
      of([{ ...list, stale: true }, missing, { ...list, stale: true }]),
      noted("partial", counted("check.lists_stale", 3)),
    ],
    ["was not made for one", of([list], [bob]), noted("partial", counted("check.after_lists"))],
    ["was made for nobody", of([list], []), noted("partial", counted("check.after_lists", 2))],
    [
      "is old and not made for one",
      of([{ ...list, stale: true }], [carol]),
      noted("partial", counted("check.lists_stale"), counted("check.after_lists")),
    ],
  ])("%s", (_what, world, expected) => expect(checksOf(world)).toEqual({ ...none, ...expected }));
});

describe("all checks", () => {
  const notes = [counted("check.money_cut", 2), counted("check.ether_unseen", 3)];
  const partial = { contract_verification: "partial", first_interaction: "partial", drainer_blacklist: "partial" };
  it("claim less where money was not followed", () => {
    expect(checksOf({ unfollowed: 2, unseen: 3 })).toEqual({ ...none, ...partial, notes });
    expect(checksOf({ unseen: 1 })).toEqual({ ...none, ...partial, notes: [counted("check.ether_unseen")] });
    const all = { withCode: [bobs], code: { [bob]: code() }, untrusted: [bobs], addresses: [bobs], unfollowed: 2 };
    expect(checksOf(all)).toEqual({ ...none, ...partial, notes: notes.slice(0, 1) });
  });

  it("keep what is worse", () => {
    const world = { withCode: [bobs], code: { [bob]: unclear }, history: null, untrusted: [bobs], unfollowed: 2 };
    expect(checksOf(world)).toEqual({
      ...{ contract_verification: "inconclusive", first_interaction: "unavailable", drainer_blacklist: "partial" },
      ...{ unchecked: [], notes: [counted("check.code_undecidable"), state("check.history_unasked", {}), notes[0]] },
    });
  });

  it("tell of unread supplies only beside something else that lacks", () => {
    expect(checksOf({ grants: [grant] })).toEqual(none);
    const world = { grants: [grant, { ...grant, token: usdc }], unseen: 3 };
    const told = [notes[1], counted("check.supply_unread", 2)];
    expect(checksOf(world)).toEqual({ ...none, ...partial, notes: told });
  });

  it("are unavailable without lookups", () => {
    const examination = {
      addresses: [],
      withCode: [bobs],
      actors: [],
      grants: [],
      unfollowed: 1,
      unmentioned: 0,
      unseen: 1,
    };
    const unavailable = "unavailable";
    expect(recordChecks(examination, [bobs], { file: {} } as SubjectAct)).toEqual({
      ...{ contract_verification: unavailable, first_interaction: unavailable, drainer_blacklist: unavailable },
      ...{ unchecked: [], notes: [state("check.no_lookups", {})] },
    });
  });
});
