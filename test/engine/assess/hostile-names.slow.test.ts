import fc from "fast-check";
import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../../src/model/explanation.ts";
import { hostileTexts } from "./hostile-texts.ts";
import {
  alice,
  answers,
  approval,
  approveCall,
  code,
  explain,
  maxUint,
  nftTransfer,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
} from "./scene.ts";

const shapes: Record<string, (symbol: string, name: string) => Scene> = {
  "a payment": (symbol, name) => ({
    ...{ to: token, input: "0xa9059cbb" },
    logs: [transfer(token, alice, someone("bob"), 5n)],
    tokens: { [token]: { symbol, name, decimals: 0 } },
  }),
  "an approval": (symbol, name) => ({
    ...{ to: token, input: approveCall(spender, maxUint) },
    logs: [approval(token, alice, spender, maxUint)],
    tokens: { [token]: { symbol, name } },
    risk: answers({ verification: { [spender]: code({ status: "absent", logic: [spender] }) } }),
  }),
  "an NFT": (symbol, name) => ({
    ...{ to: token, input: "0x42842e0e" },
    logs: [nftTransfer(token, alice, someone("bob"), 5n)],
    tokens: { [token]: { symbol, name, standard: "erc721" } },
  }),
  "a trade": (symbol, name) => ({
    logs: [transfer(usdc, alice, router, 5_000_000n), transfer(token, router, alice, 7n)],
    tokens: { [token]: { symbol, name, decimals: 0 } },
  }),
  "a revert": (symbol, name) => ({
    ...{ to: token, input: approveCall(spender, maxUint), status: "0x0" },
    tokens: { [token]: { symbol, name } },
  }),
};

/** A revert with a reason that the contract chose. */
function revertsWith(text: string): Scene {
  const output = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [text] });
  return { status: "0x0", frames: [], output };
}

/** Characters that no string of an answer may hold: they would control a terminal, or hide or reverse text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function textsOf(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsOf(item, Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`),
  );
}

/** Paths at which two answers differ. */
function differences(a: Explanation, b: Explanation): string[] {
  const left = new Map(textsOf(a));
  const right = new Map(textsOf(b));
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path));
}

const cases = Object.entries(shapes).flatMap(([shape, make]) =>
  hostileTexts.map((text) => ({ shape, shown: JSON.stringify(text).slice(0, 40), text, make })),
);

describe.each(cases)("$shape of a token called $shown", ({ text, make }) => {
  const answer = explain(make(text, text));
  const calm = explain(make("CALM", "Calm"));

  it("puts nothing invisible and nothing endless into the answer", () => {
    const odd = textsOf(answer).filter(([, value]) => invisible.test(value));
    expect(odd).toEqual([]);
    expect(JSON.stringify(answer).length).toBeLessThan(6_000);
    expect([...answer.summary].length).toBeLessThanOrEqual(480);
  });

  it("lets the text show only where the answer says so", () => {
    const listed = new Set([...answer.provenance.untrusted_fields, ...calm.provenance.untrusted_fields]);
    const outside = differences(answer, calm).filter(
      (path) => !listed.has(path) && !path.startsWith("risk_flags") && !path.startsWith("provenance"),
    );
    expect(outside).toEqual([]);
  });

  it("keeps it out of flags and notes, and out of the summary where it misleads", () => {
    const plain = text.trim();
    if (plain.length >= 5 && !/^usdc$|^constructor$/i.test(plain))
      for (const [path, value] of textsOf(answer))
        if (!answer.provenance.untrusted_fields.includes(path)) expect(value).not.toContain(plain);
    const misleads = answer.risk_flags.some(({ flag }) => /symbol|impersonated/.test(flag));
    if (misleads) expect(answer.provenance.untrusted_fields).not.toContain("summary");
  });
});

describe.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "a revert that says %s",
  (_, text) => {
    const answer = explain(revertsWith(text));

    it("stays quoted, capped and marked, and outside of flags", () => {
      expect(textsOf(answer).filter(([, value]) => invisible.test(value))).toEqual([]);
      expect([...answer.summary].length).toBeLessThanOrEqual(480);
      expect(answer.risk_flags.map(({ detail }) => detail)).toEqual([
        "The transaction reverted: nothing moved except the fee.",
      ]);
      const calm = explain(revertsWith("calm"));
      const listed = new Set([...answer.provenance.untrusted_fields, ...calm.provenance.untrusted_fields]);
      expect(differences(answer, calm).filter((path) => !listed.has(path) && !path.startsWith("provenance"))).toEqual(
        [],
      );
    });
  },
);

describe("a stranger's plain symbol", () => {
  it("stands quoted with the token's short address in the summary", () => {
    const { summary, provenance } = explain((shapes["a payment"] as (a: string, b: string) => Scene)("FOO", "Foo"));
    expect(summary).toMatch(/5 "FOO" \(0x\w{4}…\w{4}\)/);
    expect(provenance.untrusted_fields).toEqual(["summary", "assets_moved[0].token"]);
  });

  it("changes what is listed and nothing else when it is another", () => {
    const symbol = fc.stringMatching(/^[A-Z]{3,9}$/);
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(shapes)), symbol, symbol, (make, first, second) => {
        const [a, b] = [explain(make(first, "n")), explain(make(second, "n"))];
        // If the symbol happens to be a well-known one, it is flagged, so the answer differs.
        fc.pre(
          a.risk_flags.length === b.risk_flags.length &&
            a.provenance.untrusted_fields.length === b.provenance.untrusted_fields.length,
        );
        fc.pre(first !== second);
        expect(differences(a, b).sort()).toEqual([...a.provenance.untrusted_fields].sort());
      }),
      { numRuns: 300 },
    );
  });

  it("never leaves its own text in a flag", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(shapes)),
        fc.string({ unit: "binary", minLength: 1 }),
        (make, text) => {
          const answer = explain(make(text, text));
          for (const { detail } of answer.risk_flags) expect(detail).toMatch(/^[\x20-\x7e]+$/);
          expect(textsOf(answer).filter(([, value]) => invisible.test(value))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("flags", () => {
  const noise = [
    transfer(usdc, someone("x"), someone("y"), 3n),
    approval(token, someone("x"), someone("y"), maxUint),
    transfer(usdc, someone("z"), someone("x"), 0n),
  ];

  it("do not change with what other people do in the same transaction, wherever it stands", () => {
    const own = [approval(token, alice, spender, maxUint), transfer(usdc, alice, someone("bob"), 9n)];
    const flagsOf = (logs: typeof own) => explain({ logs, risk: answers({}) }).risk_flags;
    const alone = flagsOf(own);
    expect(alone.length).toBeGreaterThan(1);
    const places = fc.array(fc.tuple(fc.constantFrom(...noise), fc.nat(20)), { maxLength: 12 });
    fc.assert(
      fc.property(places, (added) => {
        const logs = [...own];
        for (const [log, at] of added) logs.splice(Math.min(at, logs.length), 0, log);
        expect(flagsOf(logs)).toEqual(alone);
      }),
      { numRuns: 200 },
    );
  });

  it("and the order of examination do not give way to forged approvals", () => {
    const junk = [0, 1, 2, 3].map((n) => approval(someone(`junk${n}`), alice, someone(`spender${n}`), maxUint));
    const real = approval(usdc, alice, spender, 5n);
    const scene: Scene = { to: usdc, input: approveCall(spender, 5n), logs: [...junk, real], risk: answers({}) };
    expect(explain(scene).checks.unchecked_addresses[0]?.toLowerCase()).toBe(spender);
  });
});
