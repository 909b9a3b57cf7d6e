import { describe, expect, it } from "vitest";
import { judgeAllowances, unmeasured } from "../../../src/engine/assess/grants/allowance.ts";
import type { Grant } from "../../../src/engine/assess/grants/grants.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, token, usdc, vault, weth } from "../../support/case-of.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";

const manager = { protocol: "Keeper", unlimited: 1000n, never: 7n } as unknown as NonNullable<Grant["manager"]>;
const grant: Grant = {
  ...{ owner: alice, kind: "erc20", manager: null, token, grantee: bob, amount: 5n },
  ...{ stands: true, uncertain: false, expiration: null, basis: "call", logs: [3, 4] },
};
const sentinel = (1n << 160n) - 1n;

interface World {
  /** Answers for the supply of a token; null: the token did not answer. */
  supplies?: [Address, string | null][];
  decimals?: number | null;
  reads?: object[];
}

/** USDC is listed with 6 decimals, WETH keeps allowances in 8 bits. */
function actOf({ supplies = [], decimals = null, reads = [] }: World = {}): SubjectAct {
  const asked = supplies.map(([to, result]) => ({
    ...{ status: result === null ? "unavailable" : "found", to, data: "0x18160ddd", result: result ?? undefined },
  }));
  return {
    file: { reads: [...reads, ...asked], tokens: { [token]: { decimals } } },
    labels: labelsOf({
      tokens: [tokenOf(usdc, "USDC", { decimals: 6 }), tokenOf(weth, "WETH", { allowanceBits: 8 })],
    }),
    tx: { logs: [] },
    ruleset: { grants: { unlimited: new Set([1000n]) }, limitedTokens: [] },
  } as unknown as SubjectAct;
}
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
const supply = (value: bigint, of = token): World => ({ supplies: [[of, word(value)]] });
const basisOf = (parts: Partial<Grant>, world: World = {}) =>
  judgeAllowances([{ ...grant, ...parts }], actOf(world)).map(({ flag, basis }) => `${flag} ${basis}`);

describe("how large an allowance is", () => {
  const flag = "unlimited_approval";
  const whole = 10n ** 15n;
  it.each<[string, string | null, Partial<Grant>, World]>([
    ["endless by its number", `${flag} sentinel, call`, { amount: sentinel }, supply(1n << 255n)],
    ["just not endless", null, { amount: sentinel - 1n }, {}],
    ["endless by its keeper", `${flag} type_max, call`, { amount: 1000n, manager }, supply(5000n)],
    ["not by its keeper's number plus one", null, { amount: 1001n, manager }, supply(5000n)],
    ["not by the number of no keeper", null, { amount: 1000n }, supply(5000n)],
    ["endless by the token's bits", `${flag} type_max, call`, { token: weth, amount: 255n }, supply(5000n, weth)],
    ["more than the token's bits", `${flag} type_max, call`, { token: weth, amount: 256n }, supply(5000n, weth)],
    ["less than the token's bits", null, { token: weth, amount: 254n }, supply(5000n, weth)],
    ["all there is", `${flag} exceeds_supply, call`, { amount: 50n }, supply(50n)],
    ["more than there is", `${flag} exceeds_supply, call`, { amount: 51n }, supply(50n)],
    ["less than there is", null, { amount: 49n }, supply(50n)],
    ["very large, but less than there is", null, { amount: whole }, { ...supply(whole + 1n), decimals: 0 }],
    ["very large where there is nothing", "null very_large, call", { amount: whole }, { ...supply(0n), decimals: 0 }],
    ["very large", "null very_large, call", { amount: whole * 100n }, { decimals: 2 }],
    ["just not very large", null, { amount: whole * 100n - 1n }, { decimals: 2 }],
    ["very large by its label", `${flag} very_large, call`, { token: usdc, amount: whole * 10n ** 6n }, {}],
    ["just not by its label", null, { token: usdc, amount: whole * 10n ** 6n - 1n }, {}],
    ["of unknown decimals", null, { amount: sentinel - 1n }, { decimals: null }],
    ["of a token that nobody read", null, { token: bob, amount: sentinel - 1n }, {}],
    ["of NFTs", null, { kind: "operator", amount: null }, {}],
    ["told by the token alone", `${flag} sentinel, event_only`, { amount: sentinel, basis: "event_only" }, {}],
    ["not certain", "null sentinel, call", { amount: sentinel, uncertain: true }, {}],
    ["taken back", "null revoked_in_tx", { amount: 0n, stands: false }, {}],
    ["of NFTs, taken back", null, { amount: null, stands: false }, {}],
  ])("%s: %s", (_what, expected, parts, world) =>
    expect(basisOf(parts, world)).toEqual(expected === null ? [] : [expected]),
  );

  it.each<[string, boolean, World]>([
    ["no word", false, { supplies: [[token, "0x05"]] }],
    ["more than a word", false, { supplies: [[token, `${word(5n)}00`]] }],
    ["no hex digits", false, { supplies: [[token, "0xzz"]] }],
    ["not found", false, { supplies: [[token, null]] }],
    ["of another function", false, { reads: [{ status: "found", to: token, data: "0x313ce567", result: word(5n) }] }],
    ["of another token", false, supply(5n, usdc)],
    [
      "the first of two",
      true,
      {
        supplies: [
          [token, word(5n)],
          [token, word(9n)],
        ],
      },
    ],
    [
      "the first of two, which is not found",
      false,
      {
        supplies: [
          [token, null],
          [token, word(5n)],
        ],
      },
    ],
    ["of the token in another case", true, { supplies: [[checksum(token) as Address, word(5n)]] }],
  ])("is measured by a supply that is %s: %s", (_what, expected, world) => {
    expect(basisOf({}, world).length === 1).toBe(expected);
    expect(unmeasured([grant], actOf(world))).toEqual(expected ? [] : [token]);
  });
});

describe("tokens that were not measured", () => {
  it.each<[string, Partial<Grant>[], Address[]]>([
    ["are none where nothing was given", [], []],
    ["are each once, in order", [{ token: usdc }, {}, { token: usdc }], [usdc, token]],
    ["are none of endless allowances", [{ amount: sentinel }], []],
    ["are those of almost endless ones", [{ amount: sentinel - 1n }], [token]],
    ["are none of a keeper's endless number", [{ amount: 1000n }], []],
    ["are none of NFTs", [{ amount: null }], []],
    ["are none of what was taken back", [{ stands: false }], []],
  ])("%s", (_what, grants, expected) =>
    expect(
      unmeasured(
        grants.map((parts) => ({ ...grant, ...parts })),
        actOf(),
      ),
    ).toEqual(expected),
  );
});

describe("what is told of an allowance", () => {
  const [much, tokenPart] = [state("grant.unlimited", {}), state("role.token", { address: token })];
  const right = state("grant.right", { much, token: tokenPart, owner: alice });
  const spenderPart = state("role.spender", { address: bob });
  const given = { spender: spenderPart, right };
  const through = (end: ReturnType<typeof state>) =>
    state("grant.given_through", { ...given, protocol: "Keeper", end });
  const until = (date: string) => through(state("grant.until", { date }));
  it.each<[string, Partial<Grant>, object]>([
    ["who may take", {}, state("grant.given", given)],
    ["that it is not clear", { uncertain: true, basis: "event_only" }, state("grant.unclear", given)],
    ["that the token says so", { basis: "event_only" }, state("grant.reported", given)],
    ["that it has no end", { manager }, through(state("grant.without_end", {}))],
    ["that it never ends", { manager, expiration: 7n }, through(state("grant.without_end", {}))],
    ["that it is for this block", { manager, expiration: 0n }, through(state("grant.this_block", {}))],
    ["its first day", { manager, expiration: 1n }, until("1970-01-01")],
    ["its day", { manager, expiration: 1_700_000_000n }, until("2023-11-14")],
    ["its last day", { manager, expiration: 253_402_300_799n }, until("9999-12-31")],
    ["that its end is far", { manager, expiration: 253_402_300_800n }, through(state("grant.far_end", {}))],
  ])("is %s", (_what, parts, statement) => {
    const judged = judgeAllowances([{ ...grant, amount: sentinel, ...parts }], actOf());
    expect(judged).toEqual([
      {
        flag: parts.uncertain === true ? null : "unlimited_approval",
        ...{ statement, address: bob, role: "spender" },
        ...{ basis: `sentinel, ${parts.basis ?? "call"}`, evidence: ["log 3", "log 4"] },
      },
    ]);
  });

  it.each<[Partial<Grant>, World, "grant.unlimited" | "grant.exceeds_supply" | "grant.very_large"]>([
    [{ amount: 1000n, manager }, {}, "grant.unlimited"],
    [{}, supply(5n), "grant.exceeds_supply"],
    [{ amount: 10n ** 15n }, { decimals: 0 }, "grant.very_large"],
  ])("is how much: %#", (parts, world, words) => {
    const [one] = judgeAllowances([{ ...grant, ...parts, basis: "event_only" }], actOf(world));
    const told = state("grant.right", { much: state(words, {}), token: tokenPart, owner: alice });
    expect(one?.statement).toEqual(state("grant.reported", { spender: spenderPart, right: told }));
  });

  it("is that it was taken back, beside others, in their order", () => {
    const nobody = { ...grant, amount: 0n, stands: false, grantee: vault, logs: [1] };
    const [first, second, ...rest] = judgeAllowances([nobody, { ...grant, amount: sentinel }], actOf());
    expect(first).toEqual({
      ...{ flag: null, statement: state("grant.taken_back", { spender: state("role.spender", { address: vault }) }) },
      ...{ address: vault, role: "spender", basis: "revoked_in_tx", evidence: ["log 1"] },
    });
    expect([second?.address, rest]).toEqual([bob, []]);
    expect(judgeAllowances([], actOf())).toEqual([]);
  });
});
