import { describe, expect, it } from "vitest";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { compileTexts, marketFile } from "./rule-text.ts";
import { anchored, compile, factory, one, pool } from "./stake-rule.ts";

describe("a rule", () => {
  it("has what it does not say by default", () => {
    const { protocol, status, who, actsFor, legsFirst, flow, legs, absorbs, captures, carries, by } = one(anchored);
    expect({ protocol, status, who, actsFor, legsFirst, flow, legs, absorbs, captures, carries, by }).toEqual({
      ...{ protocol: "Market", status: "success", who: [], actsFor: null, legsFirst: false, flow: null, legs: [] },
      ...{ absorbs: [], captures: new Map(), carries: null, by: null },
    });
    const { attempt, yields, defers, control, controlRank, overrides, exchanges, file } = one(anchored);
    expect({ attempt, yields, defers, control, controlRank, overrides, exchanges, file }).toEqual({
      ...{ attempt: null, yields: false, defers: false, control: false, controlRank: 9, overrides: [] },
      ...{ exchanges: false, file: "rules/market.yaml" },
    });
    expect([one(anchored).premise({} as never), one(anchored).where({} as never)]).toEqual([true, true]);
  });

  it("has what it says", () => {
    const { yields, defers, by, overrides } = one(
      `${anchored}, after: [everything, others], subject: { by: a keeper }, before: [b, other/c]`,
    );
    expect({ yields, defers, by, overrides }).toEqual({
      ...{ yields: true, defers: true, by: "a keeper", overrides: ["market/b", "other/c"] },
    });
  });

  it("names its protocol by name, else by id, and none where nothing proves its place", () => {
    expect(one("anchor: { event: Moved }, at: moved").protocol).toBe("Market");
    expect(one("anchor: { event: Moved }, at: any").protocol).toBeNull();
    expect(one(anchored, "standard").protocol).toBeNull();
    const unnamed = marketFile(`rules:\n  - { id: a, action: stake, say: "do it", ${anchored} }\n`);
    const { ruleset } = compileTexts({ market: unnamed.replace("name: Market\n", "") });
    expect(ruleset.rules[0]?.protocol).toBe("market");
  });

  it("counts up to nine legs that must be there", () => {
    const legs = (count: number, rest = "") =>
      Array.from({ length: count }, (_, i) => `l${i}: { from: subject${rest} }`).join(", ");
    const counted = (text: string) => one(`${anchored}, money: { ${text} }`).specificity.legs;
    expect(counted(`${legs(2)}, m: { to: subject, optional: true }, n: { to: subject, optional: unseen }`)).toBe(2);
    expect([counted(legs(9)), counted(legs(10)), counted(legs(2, ", optional: true"))]).toEqual([9, 9, 0]);
  });

  it("says on whose behalf it was, by one path or several", () => {
    const context = { args: [bob, usdc, 5n], legs: [{ from: bob }] } as never;
    const read = (rule: string) => one(`${anchored}, ${rule}`).who.map((get) => get(context));
    expect([read("subject: from"), read("subject: [to, from]")]).toEqual([[bob], [usdc, bob]]);
    const legs = "money: { x: { from: subject } }";
    const [direct, byLeg] = [
      one(`${anchored}, subject: { for: to }`),
      one(`${anchored}, ${legs}, subject: { for: x.from }`),
    ];
    expect([direct.actsFor?.(context), direct.legsFirst, byLeg.actsFor?.(context), byLeg.legsFirst]).toEqual([
      ...[usdc, false, bob, true],
    ]);
  });

  it("that changes control is told before mere allowances, and changed something only where it was done", () => {
    const { rules, found } = compile(`anchor: { call: move }, at: pool, also: { control: owner }, tried: push`);
    expect(found).toEqual([]);
    const standing = rules.map(({ status, tier, control, controlRank }) => [status, tier, control, controlRank]);
    const stake = tierRank("protocol");
    expect(standing).toEqual([
      ["success", stake, true, 2],
      ["reverted", stake, false, 2],
    ]);
    const weak = compileTexts({
      market: marketFile(
        `rules:\n  - { id: a, action: contract_interaction, say: "do it", anchor: { call: move }, at: pool, also: { control: removed } }\n`,
      ),
    }).ruleset.rules[0];
    expect([weak?.tier, weak?.controlRank]).toEqual([tierRank("control"), 8]);
  });

  it("absorbs further logs, of its own emitters unless it says others", () => {
    const { absorbs } = one("anchor: { event: Moved, absorbs: [Moved, { event: Moved, at: factory }] }, at: pool");
    expect(absorbs.map(({ event, gate }) => [event.name, gate])).toEqual([
      ["Moved", { kind: "set", addresses: new Set(pool) }],
      ["Moved", { kind: "set", addresses: new Set([factory]) }],
    ]);
    expect(compile("anchor: { event: Moved, absorbs: [Moved, { event: Moved, at: nobody }] }, at: pool").found).toEqual(
      ["RL302 18:84-18:112: `nobody` is no contract role or member of this file"],
    );
  });

  it("has the contracts and members of its file as its home", () => {
    expect(one("anchor: { event: Moved }, at: any").home).toMatchObject({
      kind: "either",
      gates: [
        { kind: "set", addresses: new Set([...pool, factory]) },
        { kind: "proof", member: { role: "made" } },
      ],
    });
    const bare = `protocol: bare\nname: Bare\nkind: standard\nabi: { Ping: "event Ping(address indexed who)" }\nrules:\n  - { id: a, action: stake, anchor: { event: Ping }, say: "do it" }\n`;
    expect(compileTexts({ bare }).ruleset.rules[0]?.home).toEqual({ kind: "either", gates: [] });
  });
});
