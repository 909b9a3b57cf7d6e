import { describe, expect, it } from "vitest";
import { presentMessage } from "../../../src/engine/present/message/message.ts";
import { type Address, checksum, shorten, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { parseTemplate } from "../../../src/rules/ruleset/compile/template.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { alice, token, usdc, vault, weth } from "../../support/case-of.ts";
import { right } from "./message-rights.ts";
import { labels, numbered, teller, worldFile } from "./named-world.ts";
import { said } from "./summary-parts.ts";

const { ruleset } = compileSources([]);

describe("the answer about a message", () => {
  const checks = {
    ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok", unchecked: [], notes: [] },
  };
  const ruleOf = (more: object = {}) => ({
    ...{
      id: "a/b",
      version: () => "v1",
      action: "claim",
      does: parseTemplate("pay"),
      captures: new Map(),
      yields: false,
    },
    ...{ protocol: null, carries: null, ...more },
  });
  const context = { flow: { gives: [], gets: [] } };
  const matchedBy = (more: object = {}, rule: object = {}) => ({
    ...{ rule: ruleOf(rule), context, rights: [], parts: null, listed: false, forNothing: null },
    ...{ open: false },
    diverted: { assets: [], to: [] },
    ...{ recipients: [], powers: [], call: null, ...more },
  });
  const present = (parts: object = {}) =>
    presentMessage({
      ...{ file: worldFile, ruleset, labels, signer: alice, account: alice, primaryType: "Order", fields: [] },
      contentsType: "Order",
      ...{ domain: { chainId: 8453n, verifyingContract: vault }, matched: matchedBy(), rights: [], carried: null },
      ...{ within: new Map(), witness: [], assessment: { suspects: new Set(), findings: [], checks }, ...parts },
    } as never);
  const answer = (parts: object = {}) => present(parts).explanation;
  const carriedBy = (...actions: string[]) => ({
    ...{ actions: actions.map((action) => ({ rule: ruleOf({ action }), context: {} })), calls: [], told: new Set() },
    ...{ opaque: false, through: [], asked: new Map(), sent: 0n },
  });

  it("has all its parts", () => {
    expect(present()).toEqual({
      rule: { id: "a/b", version: "v1" },
      explanation: {
        summary: `${teller.say("message.asked", { signer: shorten(alice), act: said("pay") }).text}.`,
        ...{ action_type: "claim", outcome: "not_simulated", assets_moved: [], grants: [] },
        message: { primary_type: "Order", contract: checksum(vault), contract_label: null, fields: [] },
        ...{ counterparties: [{ address: checksum(vault), label: null }], risk_flags: [] },
        checks: {
          ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" },
          ...{ unchecked_addresses: [], note: null },
        },
        ...{ partial: false, provenance: { untrusted_fields: [], note: teller.words("answer.provenance") } },
      },
    });
    const unknown = present({ matched: undefined, domain: { chainId: 8453n, verifyingContract: weth } });
    expect(unknown.rule).toBeNull();
    expect(unknown.explanation.message).toMatchObject({ contract: checksum(weth), contract_label: "WETH9" });
    expect(answer({ domain: { chainId: 8453n, verifyingContract: null } }).message).toMatchObject({
      ...{ contract: null, contract_label: null },
    });
  });

  it.each<[object, string]>([
    [{}, "claim"],
    [{ matched: undefined }, "unknown"],
    [{ carried: carriedBy("swap") }, "swap"],
    [{ carried: carriedBy("unknown") }, "claim"],
    [{ carried: carriedBy("contract_interaction") }, "claim"],
    [{ carried: carriedBy() }, "claim"],
    [{ matched: undefined, carried: carriedBy("swap") }, "swap"],
  ])("is of the type of what it carries, else of its rule: %#", (parts, action) => {
    expect(answer(parts).action_type).toBe(action);
  });

  it.each<[string, object, boolean]>([
    ["all is known", {}, false],
    ["no rule knows it", { matched: undefined }, true],
    ["it is cut", { matched: matchedBy({}, { does: parseTemplate("x".repeat(500)) }) }, true],
    ["it carries what is known", { carried: carriedBy("swap") }, false],
    ["it carries nothing that is known", { carried: carriedBy() }, true],
    ["it carries what cannot be read", { carried: { ...carriedBy("swap"), opaque: true } }, true],
    ["it has many rights", { rights: Array.from({ length: limits.signedGrantsMax + 1 }, () => right()) }, true],
    ["it has some rights", { rights: [right()] }, false],
  ])("is partial, or not, where %s", (_case, parts, partial) => {
    expect(answer(parts).partial).toBe(partial);
  });

  it("says which of its texts are a stranger's", () => {
    const fields = [
      { path: "a", type: "bool", value: true },
      { path: "b", type: "string", value: "x" },
    ];
    const untrusted = (parts: object) => answer(parts).provenance.untrusted_fields;
    expect(untrusted({ fields })).toEqual(["message.fields[1].value"]);
    expect(untrusted({ rights: [right(), right({ token })] })).toEqual(["grants[1].token"]);
    expect(untrusted({ matched: undefined, fields })).toEqual([
      ...["summary", "message.primary_type", "message.fields[0].path", "message.fields[0].type"],
      ...["message.fields[1].path", "message.fields[1].type", "message.fields[1].value"],
    ]);
    expect(untrusted({ matched: undefined, primaryType: null, contentsType: null })).toEqual([]);
  });

  it("names the parties in the order of what they get, each once, without the signer and the zero address", () => {
    const party = (i: number) => numbered(i);
    const capture = (kind: string, value: unknown) => ({ kind, get: () => value, sender: [] });
    const captures = new Map([
      ["a", capture("address", party(4))],
      ["b", capture("other", party(5))],
      ["c", capture("amount", party(6))],
      ["d", capture("address", "native")],
      ["e", capture("address", zeroAddress)],
      ["f", capture("address", undefined)],
    ]);
    const matched = matchedBy(
      { recipients: [party(2), party(9), alice], powers: [party(3)], call: { from: party(7) } },
      { captures },
    );
    const carried = {
      ...carriedBy("swap"),
      calls: [
        { id: 0, from: alice, to: party(8), value: 0n },
        { id: 1, from: alice, to: null, value: 0n },
      ],
    };
    const rights = [right({ spender: party(1) }), right({ spender: party(2), token: weth })];
    const { counterparties } = answer({ matched, carried, rights });
    expect(counterparties.map(({ address }) => address)).toEqual(
      [...[1, 2, 9, 3, 4, 5, 7, 8].map(party), vault, usdc, weth].map((one) => checksum(one as Address)),
    );
    expect(counterparties.slice(-2).map(({ label }) => label)).toEqual(["USDC", "WETH9"]);
    const many = Array.from({ length: limits.counterpartiesMax + 1 }, (_, i) => right({ spender: party(i) }));
    expect(answer({ rights: many }).counterparties).toHaveLength(limits.counterpartiesMax);
  });

  it("writes addresses in full if their short forms are equal", () => {
    const twin = toAddress(`${alice.slice(0, 6)}${"0".repeat(32)}${alice.slice(-4)}`);
    const signer = (parts: object) => answer(parts).summary.split(" ")[0];
    expect(signer({})).toBe(shorten(alice));
    expect(signer({ fields: [{ path: "a", type: "address", value: twin }] })).toBe(checksum(alice));
    expect(signer({ fields: [{ path: "a", type: "string", value: twin }] })).toBe(checksum(alice));
    expect(signer({ fields: [{ path: "a", type: "string", value: `${twin} ` }] })).toBe(shorten(alice));
    expect(signer({ rights: [right({ spender: twin })] })).toBe(checksum(alice));
  });

  it("raises its own flags before those of addresses", () => {
    const findings = [{ flag: "known_drainer", statement: { says: "summary.reason_unknown", fill: {} } }];
    const { risk_flags, partial } = answer({
      ...{ matched: undefined, assessment: { suspects: new Set(), findings, checks } },
    });
    expect(risk_flags.map(({ flag }) => flag)).toEqual(["unknown_message", "known_drainer"]);
    expect(partial).toBe(true);
    const many = Array.from({ length: 5_000 }, () => findings[0]);
    expect(answer({ assessment: { suspects: new Set(), findings: many, checks } }).partial).toBe(true);
    expect(answer({ assessment: { suspects: new Set(), findings, checks } }).partial).toBe(false);
  });
});
