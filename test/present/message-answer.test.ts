import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import { AssetNames } from "../../src/present/amounts/asset-names.ts";
import { presentMessage } from "../../src/present/message/message.ts";
import { summarizeMessage } from "../../src/present/message/message-summary.ts";
import { parseTemplate } from "../../src/ruleset/compile/template.ts";
import { compileSources } from "../../src/ruleset/load.ts";
import { alice, bob, caseOf, metadata, token, usdc, vault, weth } from "../support/case-of.ts";
import { shippedLabels } from "../support/labels.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const labels = shippedLabels();
const { ruleset } = compileSources([]);
const file = caseOf({ tokens: { [token]: metadata("ODD", 2) } });
const said = (text: string, untrusted = false) => ({ text, untrusted });
const numbered = (i: number) => toAddress(`0x${i.toString(16).padStart(40, "d")}`);
const right = (more: object = {}) => ({
  ...{ token: usdc, spender: bob, amount: 5_000_000n, endless: false, id: null, until: null, ...more },
});

describe("the words about a message", () => {
  interface Parts {
    matched?: object | null;
    does?: string;
    act?: { text: string; untrusted?: boolean } | null;
    domain?: object;
    carried?: object | null;
    fields?: object[];
  }
  let told: { also: ReadonlyMap<string, { text: string }> } | undefined;
  const tell = ({
    matched = {},
    does = "pay",
    act = { text: "pay" },
    domain = {},
    carried = null,
    fields = [],
  }: Parts = {}) => {
    const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
    const names = new AssetNames(file, labels, policy, teller);
    const writer = {
      write: (_does: unknown, given: typeof told) => {
        told = given;
        return act === null ? undefined : { untrusted: false, amounts: [], ...act };
      },
      address: () => "Vault",
    };
    const rule = { does: parseTemplate(does), yields: false };
    const whole = { rule, context: {}, rights: [], parts: null, listed: false, forNothing: null, ...matched };
    const findings = {
      ...{ matched: matched === null ? undefined : whole, signer: alice, primaryType: "Order", fields },
      ...{ fieldCount: fields.length, domain: { chainId: 8453n, verifyingContract: vault, ...domain } },
    };
    return summarizeMessage(findings as never, carried as never, { names, teller, writer } as never);
  };
  const asked = (text: string) => teller.say("message.asked", { signer: shorten(alice), act: said(text) });
  const fromRights = (...rights: object[]) => {
    tell({ matched: { rights }, does: "allow {allowed}" });
    return told?.also.get("allowed")?.text;
  };

  it("are the rule's, with what it gives for nothing", () => {
    expect(tell()).toEqual({ text: `${asked("pay").text}.`, untrusted: false, cut: false });
    expect(tell({ act: { text: "pay", untrusted: true } }).untrusted).toBe(true);
    expect(tell({ matched: { forNothing: "all" } }).text).toBe(
      `${teller.say("message.for_nothing", { told: asked("pay") }).text}.`,
    );
    expect(tell({ matched: { forNothing: "some" } }).text).toBe(
      `${teller.say("message.some_for_nothing", { told: asked("pay") }).text}.`,
    );
    expect(tell({ act: null })).toEqual({
      ...{ text: `${asked(teller.words("summary.some_act")).text}.`, untrusted: false, cut: false },
    });
  });

  it("may tell rights, the call and how many parts there are", () => {
    expect(fromRights(right(), right({ amount: null }))).toBe("5 USDC");
    expect(fromRights(right({ endless: true }), right({ amount: 1n, id: 7n, token: vault }))).toBe(
      `unlimited USDC and 0.000001 USDC`.replace("0.000001 USDC", `1 raw unit of token ${shorten(vault)}`),
    );
    expect(fromRights(right(), right(), right())).toBe("5 USDC, 5 USDC and 5 USDC");
    const more = teller.say("asset.more", { count: 2 }).text;
    expect(fromRights(right(), right(), right(), right(), right())).toBe(`5 USDC, 5 USDC, 5 USDC and ${more}`);
    expect(fromRights(right({ amount: null }))).toBeUndefined();
    tell({ carried: said("send it"), matched: { parts: 3 } });
    expect([told?.also.get("call"), told?.also.get("parts")]).toEqual([said("send it"), said("3")]);
    tell();
    expect(told?.also.size).toBe(0);
  });

  it("tell of a right over NFTs by its collection or its number", () => {
    const beside = (more: object) =>
      tell({ matched: { rights: [right({ amount: null, token: vault, ...more })], listed: true } }).text;
    const allows = (amount: string) =>
      teller.say("message.also_allows", { spender: "Vault", amount: said(amount) }).text;
    expect(beside({})).toContain(allows(`token ${shorten(vault)}`));
    expect(beside({ id: 7n })).toContain(allows(`NFT #7 of ${shorten(vault)}`));
  });

  it("are the message's own where no rule knows it, with who checks it", () => {
    const type = said('"Order"', true);
    const checked = teller.say("message.checked_by", { contract: "Vault" }).text;
    const first = asked(teller.say("message.unknown", { type }).text).text;
    expect(tell({ matched: null })).toEqual({ text: `${first}. ${checked}`, untrusted: true, cut: false });
    const unchecked = tell({ matched: null, domain: { verifyingContract: null } }).text;
    expect(unchecked).toBe(`${first}. ${teller.say("message.unchecked", {}).text}`);
    const fields = [{ path: "a", type: "bool", value: true }];
    const field = teller.say("message.field", { name: said('"a"'), value: said("yes") });
    expect(tell({ matched: null, fields }).text).toBe(
      `${asked(teller.say("message.unknown_fields", { type, fields: field }).text).text}. ${checked}`,
    );
    expect(tell({ matched: null, domain: { chainId: null } }).text).toBe(
      `${first}. ${checked} ${teller.say("message.no_chain", {}).text}`,
    );
  });

  it("are cut at a word where they are too long, and never what stands beside them", () => {
    const around = asked("").text.length + 1;
    const whole = "x".repeat(limits.summaryCharsMax - around);
    expect(tell({ act: { text: whole } })).toMatchObject({ text: `${asked(whole).text}.`, cut: false });
    const long = tell({ act: { text: "word ".repeat(100).trim() }, domain: { chainId: null } });
    const last = teller.say("message.no_chain", {}).text;
    expect(long.text.length).toBeLessThanOrEqual(limits.summaryCharsMax + 1);
    expect(long.text.length).toBeGreaterThan(limits.summaryCharsMax - 8);
    expect([long.cut, long.text.endsWith(` word…. ${last}`)]).toEqual([true, true]);
    const two = { rights: [right(), right()] };
    expect(tell({ matched: two }).cut).toBe(false);
    expect(tell({ matched: two, domain: { chainId: null } }).cut).toBe(false);
  });
});

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
  const matchedBy = (more: object = {}, rule: object = {}) => ({
    ...{ rule: ruleOf(rule), context: {}, rights: [], parts: null, listed: false, forNothing: null },
    ...{ recipients: [], powers: [], call: null, ...more },
  });
  const present = (parts: object = {}) =>
    presentMessage({
      ...{ file, ruleset, labels, signer: alice, primaryType: "Order", fields: [], fieldCount: 0 },
      ...{ domain: { chainId: 8453n, verifyingContract: vault }, matched: matchedBy(), rights: [], carried: null },
      ...{ within: new Map(), assessment: { suspects: new Set(), findings: [], checks }, ...parts },
    } as never);
  const answer = (parts: object = {}) => present(parts).explanation;
  const carriedBy = (...actions: string[]) => ({
    ...{ actions: actions.map((action) => ({ rule: ruleOf({ action }), context: {} })), calls: [], told: new Set() },
    opaque: false,
  });

  it("has all of it", () => {
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
    expect(untrusted({ matched: undefined, fields, fieldCount: 2 })).toEqual([
      ...["summary", "message.primary_type", "message.fields[0].path", "message.fields[0].type"],
      ...["message.fields[1].path", "message.fields[1].type", "message.fields[1].value"],
    ]);
    expect(untrusted({ matched: undefined, primaryType: null })).toEqual([]);
  });

  it("names the parties in the order of what they get, each once, without the signer and nobody", () => {
    const party = (i: number) => numbered(i);
    const capture = (kind: string, value: unknown) => ({ kind, get: () => value });
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

  it("writes addresses that read the same in full", () => {
    const twin = toAddress(`${alice.slice(0, 6)}${"0".repeat(32)}${alice.slice(-4)}`);
    const signer = (parts: object) => answer(parts).summary.split(" ")[0];
    expect(signer({})).toBe(shorten(alice));
    expect(signer({ fields: [{ path: "a", type: "address", value: twin }] })).toBe(checksum(alice));
    expect(signer({ fields: [{ path: "a", type: "string", value: twin }] })).toBe(shorten(alice));
    expect(signer({ rights: [right({ spender: twin })] })).toBe(checksum(alice));
  });

  it("raises its own flags before those of addresses", () => {
    const findings = [{ flag: "known_drainer", statement: { says: "summary.reason_unknown", fill: {} } }];
    const { risk_flags, partial } = answer({
      ...{ matched: undefined, assessment: { suspects: new Set(), findings, checks } },
    });
    expect(risk_flags.map(({ flag }) => flag)).toEqual(["unknown_message", "known_drainer"]);
    expect(partial).toBe(true);
    const many = Array.from({ length: 11 }, () => findings[0]);
    expect(answer({ assessment: { suspects: new Set(), findings: many, checks } }).partial).toBe(true);
    expect(answer({ assessment: { suspects: new Set(), findings, checks } }).partial).toBe(false);
  });
});
