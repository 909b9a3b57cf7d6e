import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  listedNothing,
  logOf,
  metadata,
  token,
  traced,
  transferLog,
  usdc,
  vault,
} from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";

type Parts = Parameters<typeof caseOf>[0];
const subject = shorten(alice);

describe("lists of assets", () => {
  const flow = compileOwn(`protocol: flow
kind: standard
rules:
  - { id: call, action: contract_interaction, money: { gives: some, gets: any }, say: "give {gives} to {others}" }`);
  const tokensOf = (count: number) =>
    Array.from({ length: count }, (_, i) => `0x${(0x30 + i).toString(16).repeat(20)}`);
  const tellFlow = (logs: RpcLog[], rest: Parts = {}) =>
    decideBy(flow, caseOf({ receipt: { logs }, ...rest })).explanation.summary;

  it("name three and count the others, and the same for people", () => {
    const logs = tokensOf(5).map((of) => transferLog(of, alice, bob, 1n));
    expect(tellFlow(logs, listedNothing)).toMatch(
      /gave 1 raw unit of token \S+, 1 raw unit of token \S+, 1 raw unit of token \S+ and 2 more assets to 0xB0\S+\.$/i,
    );
    const people = [bob, carol, vault].map((to) => transferLog(usdc, alice, to, 1n));
    expect(tellFlow(people, listedNothing)).toMatch(/ to 0xB0\S+, 0xC4\S+ and 0x5a\S+\.$/);
    expect(tellFlow(people.slice(0, 2), listedNothing)).toMatch(/ to 0xB0\S+ and 0xC4\S+\.$/);
    // Of more than three receivers, those who got most are named, first those of a listed token.
    const thief = `0x${"7e".repeat(20)}`;
    const junk = [transferLog(tokensOf(1)[0] as string, alice, carol, 1_000_000n)];
    const crowd = [...junk, ...people, transferLog(usdc, alice, thief, 9n)];
    expect(tellFlow(crowd, listedNothing)).toMatch(/ to (?=.*0x7E7E)\S+, \S+, \S+ and 1 other\.$/i);
  });

  it("mark the sentence when a stranger's symbol is in it", () => {
    const file = caseOf({
      receipt: { logs: [transferLog(token, alice, bob, 5n)] },
      tokens: { [token]: metadata("FOO", 0) },
    });
    const { summary, provenance } = decideBy(flow, file).explanation;
    expect(summary).toContain('gave 5 "FOO" (0x7070…7070) to');
    expect(provenance.untrusted_fields).toEqual(["summary", "assets_moved[0].token"]);
  });
});

describe("sentences", () => {
  const rules = compileOwn(`protocol: steps
kind: protocol
name: Steps
site: https://example.org
contracts:
  hub: { source: test, Steps hub: "${checksum(vault)}" }
abi:
  Did: "event Did(address indexed who, string note)"
rules:
  - { id: did, action: claim, anchor: { event: Did }, at: hub, subject: who, values: { x: note as text }, say: "do {x}" }`);
  const log = (note: string) => logOf(vault, "event Did(address indexed who, string note)", { who: alice, note });
  const tellSteps = (notes: string[], rest: Parts = listedNothing) =>
    decideBy(rules, caseOf({ receipt: { logs: notes.map(log) }, ...rest })).explanation;

  it("tell the headline, then two or three more, or two and a count", () => {
    expect(tellSteps(["a"]).summary).toBe(`${subject} did "a".`);
    expect(tellSteps(["a", "b"]).summary).toBe(`${subject} did "a". It also did "b".`);
    expect(tellSteps(["a", "b", "c"]).summary).toBe(`${subject} did "a". It also did "b" and did "c".`);
    expect(tellSteps(["a", "b", "c", "d"]).summary).toBe(`${subject} did "a". It also did "b", did "c" and did "d".`);
    expect(tellSteps([..."abcde"]).summary).toMatch(/ It also did "b", did "c" and took 2 more steps\.$/);
    expect(tellSteps([..."abcdef"]).summary).toMatch(/ and took 3 more steps\.$/);
  });

  it("tell the same thing once", () => {
    expect(tellSteps(["a", "a", "a"]).summary).toBe(`${subject} did "a".`);
  });

  it("end with what is missing, and say that the answer is partial", () => {
    const { summary, partial } = tellSteps(["a", "b"], {});
    expect(summary).toBe(`${subject} did "a". It also did "b". Ether moved inside the call could not be traced.`);
    expect(partial).toBe(true);
  });

  it("say what cannot be told when no rule matches", () => {
    expect(tellSteps([])).toMatchObject({
      summary: "The sender did something that could not be decoded.",
      action_type: "unknown",
      partial: true,
    });
  });

  it("stay within the limit: others are counted first, then the headline is cut at a word", () => {
    const long = compileOwn(`protocol: long
kind: protocol
name: Long
site: https://example.org
contracts:
  hub: { source: test, Long hub: "${checksum(vault)}" }
abi:
  Did: "event Did(address indexed who, string a, string b, string c, string d)"
rules:
  - id: did
    action: claim
    anchor: { event: Did }
    at: hub
    subject: who
    values: { a: a as text, b: b as text, c: c as text, d: d as text }
    say: "do {a} then {b} then {c} then {d}, then {a} then {b} then {c} then {d}"`);
    const event = "event Did(address indexed who, string a, string b, string c, string d)";
    const words = (letter: string) => `${letter.repeat(9)} `.repeat(6).trim();
    const one = logOf(vault, event, { who: alice, a: words("a"), b: words("b"), c: words("c"), d: words("d") });
    const two = logOf(vault, event, { who: alice, a: "x", b: "x", c: "x", d: "x" });
    const { summary } = decideBy(long, caseOf({ receipt: { logs: [one, two] } })).explanation;
    expect(summary.length).toBeLessThanOrEqual(limits.summaryCharsMax);
    expect(summary).toMatch(
      /… It also took 1 more step\. Ether moved inside the call could not be traced\.$|…\. It also took 1 more step\. /,
    );
    expect((summary.match(/"/g)?.length ?? 0) % 2).toBe(0);
    const reverted = decideBy(
      compileOwn(`protocol: long
kind: standard
abi:
  act: "function act(string a, string b, string c, string d)"
rules:
  - { id: try, action: claim, say: "try {a} then {b} then {c} then {d} then {a} then {b} then {c} then {d}", tried: [{ call: act, at: any, values: { a: a as text, b: b as text, c: c as text, d: d as text } }] }`),
      caseOf({
        transaction: {
          input: calldata("function act(string a, string b, string c, string d)", ["a", "b", "c", "d"].map(words)),
        },
        receipt: { status: "0x0", logs: [] },
        trace: traced(frame(alice, vault, { error: "out of gas" })),
      }),
    ).explanation.summary;
    expect(reverted.length).toBeLessThanOrEqual(limits.summaryCharsMax);
    expect(reverted).toMatch(/…, but the transaction reverted\. The reason: it ran out of gas\.$/);
  });
});
