import { describe, expect, it } from "vitest";
import { summarizeMessage } from "../../../src/engine/present/message/message-summary.ts";
import { shorten } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { parseTemplate } from "../../../src/rules/ruleset/compile/template.ts";
import { alice, vault } from "../../support/case-of.ts";
import { right } from "./message-rights.ts";
import { namesOf, teller } from "./named-world.ts";
import { said } from "./summary-parts.ts";

describe("the words about a message", () => {
  interface Parts {
    matched?: object | null;
    does?: string;
    act?: { text: string; untrusted?: boolean } | null;
    domain?: object;
    carried?: object | null;
    fields?: object[];
    /** Captures of times. */
    times?: { kind: string; get: () => bigint | undefined }[];
    witness?: string[];
  }
  let told: { also: ReadonlyMap<string, { text: string }> } | undefined;
  const tell = ({
    matched = {},
    does = "pay",
    act = { text: "pay" },
    domain = {},
    carried = null,
    fields = [],
    times = [],
    witness = [],
  }: Parts = {}) => {
    const writer = {
      write: (_does: unknown, given: typeof told) => {
        told = given;
        return act === null ? undefined : { untrusted: false, amounts: [], ...act };
      },
      address: () => "Vault",
    };
    const rule = { does: parseTemplate(does), yields: false, captures: new Map(times.map((one, i) => [`t${i}`, one])) };
    const context = { flow: { gives: [], gets: [] } };
    const diverted = { assets: [], to: [] };
    const whole = { rule, context, rights: [], parts: null, listed: false, forNothing: null, diverted, ...matched };
    const findings = {
      ...{
        matched: matched === null ? undefined : whole,
        signer: alice,
        account: alice,
        contentsType: "Order",
        witness,
        fields,
      },
      ...{ domain: { chainId: 8453n, verifyingContract: vault, ...domain } },
    };
    return summarizeMessage(findings as never, carried as never, { names: namesOf(), teller, writer } as never);
  };
  const asked = (text: string) => teller.say("message.asked", { signer: shorten(alice), act: said(text) });
  const fromRights = (...rights: object[]) => {
    tell({ matched: { rights }, does: "allow {allowed}" });
    return told?.also.get("allowed")?.text;
  };

  it("are the rule's, and say what is given for nothing", () => {
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

  it("say that there is no end if the rule does not say it", () => {
    const time = (at: bigint | undefined, kind = "time") => ({ kind, get: () => at });
    const ends = (parts: Parts) => !tell(parts).text.includes("without an end");
    const never = 253_402_300_800n;
    expect([undefined, 0n, never - 1n, never].map((at) => ends({ times: [time(1n), time(at)] }))).toEqual([
      ...[true, true, true, false],
    ]);
    expect(ends({ times: [time(never, "integer")] })).toBe(true);
    expect(tell({ times: [time(never)], matched: { forNothing: "all" } }).text).toBe(
      `${teller.say("message.for_nothing", { told: teller.say("message.endless", { told: asked("pay") }) }).text}.`,
    );
    const ofRights = (until: bigint | null) => ends({ matched: { rights: [right({ amount: null, until })] } });
    expect([null, 5n, never].map(ofRights)).toEqual([true, true, false]);
    const saidBy = (does: string, kind?: string) => !ends({ times: [time(never, kind)], does });
    expect(saidBy("pay[ until {t0}| for ever]")).toBe(false);
    expect(
      ["pay[ until {t0}]", "pay[ to {other}| to nobody][ until {t0}]", "pay until {t0}"].map((does) => saidBy(does)),
    ).toEqual([...[true, true, true]]);
    // What a token is called does not take the words away.
    const named = 'pay 1 "without an end"';
    const endless = teller.say("message.endless", { told: asked(named) });
    expect(tell({ times: [time(never)], act: { text: named } }).text).toBe(`${endless.text}.`);
  });

  it("name the accounts in a part that the rule does not know", () => {
    const named = (...witness: string[]) =>
      tell({ matched: { open: true }, witness })
        .text.split(". ")
        .at(-1);
    expect(named()).toBe(teller.words("message.witness_nobody"));
    expect(named("a")).toBe(teller.say("message.witness", { others: said("Vault") }).text);
    expect(named("a", "b", "c", "d", "e")).toContain("Vault, Vault, Vault and 2 more");
    expect(tell({ witness: ["a"] }).text).toBe(`${asked("pay").text}.`);
  });

  it("may tell rights, the call and the number of parts", () => {
    expect(fromRights(right(), right({ amount: null }))).toBe("5 USDC");
    expect(fromRights(right({ endless: true }), right({ amount: 1n, id: 7n, token: vault }))).toBe(
      `unlimited USDC and 0.000001 USDC`.replace("0.000001 USDC", `1 raw unit of token ${shorten(vault)}`),
    );
    expect(fromRights(right(), right(), right())).toBe("5 USDC, 5 USDC and 5 USDC");
    const more = teller.say("asset.more", { count: 2 }).text;
    expect(fromRights(right(), right(), right(), right(), right())).toBe(`5 USDC, 5 USDC, 5 USDC and ${more}`);
    expect(fromRights(right({ amount: null }))).toBeUndefined();
    tell({ carried: said("send it"), matched: { parts: "3 orders" } });
    expect([told?.also.get("call"), told?.also.get("parts")]).toEqual([said("send it"), said("3 orders")]);
    tell();
    expect(told?.also.size).toBe(0);
  });

  it("tell a right over NFTs by its collection or its number", () => {
    const beside = (more: object) =>
      tell({ matched: { rights: [right({ amount: null, token: vault, ...more })], listed: true } }).text;
    const allows = (amount: string) =>
      teller.say("message.also_allows", { spender: "Vault", amount: said(amount) }).text;
    expect(beside({})).toContain(allows(`token ${shorten(vault)}`));
    expect(beside({ id: 7n })).toContain(allows(`NFT #7 of ${shorten(vault)}`));
  });

  it("are the message's own fields if no rule knows it, with the contract that checks it", () => {
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

  it("are cut at a word if they are too long, but never the texts beside them", () => {
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
