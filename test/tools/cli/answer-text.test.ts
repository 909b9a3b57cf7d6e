import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { formatEvidence, formatExplanation } from "../../../src/tools/cli/answer-text.ts";
import { evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

const [one, two] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as [Address, Address];
/** The value of a field, of all its lines. */
function fieldOf(text: string, name: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`${name} `));
  if (at < 0) return undefined;
  const width = /^(?:type|ruleset) +/m.exec(text)?.[0].length ?? 0;
  const end = lines.findIndex((line, i) => i > at && !line.startsWith(" "));
  return [lines[at], ...lines.slice(at + 1, end)].map((line) => line?.slice(width)).join("\n");
}

describe("an answer for people", () => {
  const base = explanationOf(hashOf(1));
  const field = (name: string, parts: Partial<typeof base> = {}) =>
    fieldOf(formatExplanation({ ...base, ...parts }), name);

  it("begins with the summary", () => {
    expect(formatExplanation(base)).toMatch(
      /^0x1111…1111 sent 1\.5 USDC to 0x2222…2222\.\n\ntype {2,}token_transfer\n/,
    );
  });

  it("says whether it is whole, what it cost, and when it was, also where that is not known", () => {
    expect(field("status", { partial: false })).toBe("success");
    expect(field("status", { partial: true })).toBe("success, incomplete");
    expect(field("fee", { gas_paid_usd: 0.0012345678 })).toBe("0.001235 USD");
    expect(field("fee", { gas_paid_usd: null })).toBe("unknown in USD");
    expect(field("time", { timestamp: null, block_number: 7 })).toBe("unknown, block 7");
  });

  it("lists what moved with names where there are some, amounts to the right", () => {
    const [moved] = base.assets_moved as [(typeof base.assets_moved)[number]];
    const assets_moved = [moved, { ...moved, amount: "1000", token: "Punk", token_id: "77" }];
    const counterparties = [{ address: two, label: "Bob's shop" }];
    expect(field("moved", { assets_moved, counterparties })).toBe(
      " 1.5  USDC      0x1111…1111 → Bob's shop\n1000  Punk #77  0x1111…1111 → Bob's shop",
    );
    expect(field("with", { counterparties: [...counterparties, { address: one, label: null }] })).toBe(
      `${two}  Bob's shop\n${one}`,
    );
  });

  it("shows the checks, with what was not checked and why", () => {
    const checks = { ...base.checks, unchecked_addresses: [one, two], note: "Too many." };
    expect(field("checks", { checks })).toBe(
      `contract verification: unavailable\nfirst interaction: unavailable\ndrainer blacklist: unavailable\nunchecked: ${one}, ${two}\nToo many.`,
    );
    expect(field("checks", { checks: { ...checks, unchecked_addresses: [one] } })).toContain(`unchecked: ${one}\n`);
    expect(field("checks", { checks: { ...checks, unchecked_addresses: [], note: null } })).not.toContain("unchecked");
  });

  it("names up to four places of a stranger's text, and counts the others", () => {
    const untrusted = (count: number) =>
      field("untrusted", {
        provenance: { ...base.provenance, untrusted_fields: ["a", "b", "c", "d", "e", "f"].slice(0, count) },
      });
    expect(untrusted(0)).toBeUndefined();
    expect(untrusted(4)).toBe("a, b, c, d");
    expect(untrusted(5)).toBe("a, b, c, d and 1 more");
    expect(untrusted(6)).toBe("a, b, c, d and 2 more");
  });
});

describe("the evidence for people", () => {
  const field = (name: string, parts: Partial<ReturnType<typeof evidenceOf>> = {}) =>
    fieldOf(formatEvidence({ ...evidenceOf(), ...parts }), name);
  const action = { rule: "a/b", version: "v1", action: "swap", subject: one, logs: [], calls: [], movements: [] };

  it("says what stands and what each claims, or that no rule does", () => {
    expect(field("stands")).toBe("no rule");
    expect(field("stands", { actions: [action] })).toBe("a/b@v1: swap; claims nothing");
    expect(
      field("stands", {
        actions: [
          { ...action, logs: [1, 2], movements: [3] },
          { ...action, calls: [0] },
        ],
      }),
    ).toBe("a/b@v1: swap; claims logs 1 2, movements 3\na/b@v1: swap; claims calls 0");
  });

  it("lists the calls: plain ones, creations, and what wrapped them", () => {
    const call = { id: 0, via: null, step: null, from: one, to: two, selector: "0x", state: "ran" };
    const calls = [call, { ...call, id: 1, to: null, via: "a/wrap", selector: "0x12345678", state: "failed" }];
    expect(
      field("calls", { calls })
        ?.split("\n")
        .map((line) => line.replace(/ {2,}/g, " | ")),
    ).toEqual([`#0 | ${one} → ${two} | plain | ran`, `#1 | ${one} → creation | 0x12345678 | failed | by a/wrap`]);
  });

  it("tells with what calls say they were sent", () => {
    const code = (text: string, role: "app" | null) => ({ code: text, role, registry: null });
    const attribution = [
      { call: 0, schema: 2, codes: [code("baseapp", "app"), code("x_1", null)], left_out: 2 },
      { call: 3, schema: 7, codes: [], left_out: 0 },
    ];
    expect(field("sent with")).toBeUndefined();
    expect(field("sent with", { attribution })).toBe("#0 says app baseapp, x_1, 2 that are not shown\n#3 says no code");
  });

  it("says what lost, what is left over, and how much is covered", () => {
    expect(field("lost", { superseded: [{ rule: "a/b", by: "c/d", reason: "rank" }] })).toBe("a/b to c/d: rank");
    const left = { movement: 3, token: null, amount: "5", from: one, to: two };
    expect(field("left over", { unexplained: [left, { ...left, token: two }] })?.split("\n")).toEqual([
      `movement 3  5 of native ether${" ".repeat(32)}${one} → ${two}`,
      `movement 3  5 of ${two}  ${one} → ${two}`,
    ]);
    const completeness = { movements: { explained: 1, total: 2 }, calls: { explained: 3, total: 4 } };
    expect(field("covered", { completeness })).toBe("1 of 2 movements of the subject, 3 of 4 calls");
    expect(field("incomplete", { partial: ["one", "two"] })).toBe("one\ntwo");
  });

  it("shows what the flags rest on", () => {
    const finding = { flag: null, detail: "d", address: one, role: "token", basis: "b", evidence: ["log 1", "call 0"] };
    const risk = {
      examined: [{ address: one, roles: ["spender", "called"] }],
      findings: [finding, { ...finding, flag: "known_drainer" as const }],
      lookups: [{ about: "history", status: "found", source: "explorer", time: "then" }],
    };
    expect(field("examined", { risk })).toBe(`${one}  spender, called`);
    expect(field("found", { risk })).toBe("no flag (b; log 1, call 0): d\nknown_drainer (b; log 1, call 0): d");
    expect(field("looked up", { risk })).toBe("history  found  explorer  then");
  });
});
