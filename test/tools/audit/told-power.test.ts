import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten, zeroAddress } from "../../../src/kernel/address.ts";
import type { CheckStatus, Explanation } from "../../../src/model/explanation.ts";
import type { Right } from "../../../src/tools/audit/facts/rights.ts";
import { auditControl, auditRights } from "../../../src/tools/audit/laws/power.ts";
import { alice, bob, token, usdc, vault } from "../../support/case-of.ts";
import { dora, ownerAdded, rightOf, sceneOf } from "./made-scene.ts";

const open = { contract_verification: "partial", first_interaction: "partial", drainer_blacklist: "partial" } as const;

describe("law 5 says", () => {
  const judge = (given: Right[], answer: Partial<Explanation> = {}, checks: Record<string, CheckStatus> = open) =>
    auditRights(
      sceneOf({
        scene: { rights: given },
        summary: "x",
        answer: { checks: { ...checks, unchecked_addresses: [], note: null } as never, ...answer },
      }),
    );
  const whose = (of: Address, owner = alice, left = 5) =>
    `${checksum(bob)} may take ${left} units of ${checksum(of)} from ${checksum(owner)}`;
  const end = ", and neither the summary nor a flag tells it.";
  const sentences = (...args: Parameters<typeof judge>) => judge(...args).map(({ sentence }) => sentence);

  it("each right over a listed token, then strangers' tokens by owner", () => {
    expect(judge([rightOf()])).toEqual([{ law: 5, sentence: `${whose(usdc)}${end}` }]);
    const strangers = [rightOf({ token }), rightOf({ token: vault }), rightOf({ token, owner: dora }), rightOf()];
    expect(sentences(strangers)).toEqual([
      `${whose(usdc)}${end}`,
      `${whose(token)} (and 1 more such rights over strangers' tokens)${end}`,
      `${whose(token, dora)}${end}`,
    ]);
    expect(sentences(strangers, { partial: true })).toEqual([`${whose(usdc)}${end}`]);
    expect(sentences(strangers, { summary: `for ${shorten(bob)}` })).toEqual([]);
  });

  it("an uncertain right only where all checks claim all and nothing is missing", () => {
    const maybe = [rightOf({ certain: false })];
    const ok = { contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "not_applicable" } as const;
    expect(sentences(maybe, {}, ok)).toEqual([`${whose(usdc)}${end}`]);
    expect(sentences(maybe, {}, open)).toEqual([]);
    for (const check of Object.keys(ok)) expect(sentences(maybe, {}, { ...ok, [check]: "partial" })).toEqual([]);
    expect(sentences(maybe, { partial: true }, ok)).toEqual([]);
  });
});

describe("law 6 says whether changes of control", () => {
  it("are told by the new controller, the new number, or their kind", () => {
    const judge = (parts: object, summary: string, partial = false) =>
      auditControl(sceneOf({ summary, answer: { partial }, scene: { controls: [{ ...ownerAdded, ...parts }] } })).map(
        ({ law, sentence }) => [law, sentence],
      );
    const says = (rest: string) => [[6, `At ${checksum(alice)} ${rest}, and the summary does not tell it.`]];
    const owner = says(`an owner was added (${checksum(bob)})`);
    expect(judge({}, "added an owner")).toEqual(owner);
    expect(judge({}, `added ${shorten(bob)}`)).toEqual([]);
    expect(judge({}, "made 2 more changes of control", true)).toEqual([]);
    expect(judge({}, "made 2 more changes of control")).toEqual(owner);
    const count = { party: undefined, number: 3n, what: "the number of signatures was changed" };
    expect(judge(count, "now 3")).toEqual([]);
    expect(judge(count, "now 33 owners")).toEqual(says("the number of signatures was changed"));
    const key = { party: undefined };
    expect(judge(key, "An OWNER came")).toEqual([]);
    expect(judge(key, "a module came")).toEqual(says("an owner was added"));
    expect(judge({ party: zeroAddress, what: "the guard was changed" }, "no guard")).toEqual([]);
    expect(judge({ party: zeroAddress, what: "the guard was changed" }, "x")).toEqual(
      says(`the guard was changed (${checksum(zeroAddress)})`),
    );
  });
});
