import { describe, expect, it } from "vitest";
import { createExplainer } from "../../src/explain.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf } from "../support/sample.ts";

const minedSeconds = 1_700_000_000;

/** An explainer over counted stages and a clock in the test's hand. */
function build(options: { caseFile?: (hash: Hash) => CaseFile; cacheBytes?: number } = {}) {
  const seen = { gathered: 0, decided: 0, nowMs: (minedSeconds + 3600) * 1000 };
  const explainer = createExplainer({
    gather: async (hash) => {
      seen.gathered++;
      return (options.caseFile ?? ((given) => caseFileOf(given, minedSeconds)))(hash);
    },
    decide: (caseFile) => {
      seen.decided++;
      return { explanation: explanationOf(caseFile.tx_hash), evidence: evidenceOf() };
    },
    cacheBytes: options.cacheBytes ?? 1_000_000,
    now: () => seen.nowMs,
  });
  return { explainer, seen };
}

describe("createExplainer", () => {
  it("answers with the JSON of the explanation, in the order of the model, and a tag of those bytes", async () => {
    const { explainer } = build();
    const answer = await explainer.explain(hashOf(1));
    expect(answer.body.toString()).toBe(JSON.stringify(explanationOf(hashOf(1))));
    expect(answer.etag).toMatch(/^"[\w-]{27}"$/);
    const other = await explainer.explain(hashOf(2));
    expect(other.etag).not.toBe(answer.etag);
  });

  it("shares one run between concurrent requests for one hash, and only for that hash", async () => {
    const { explainer, seen } = build();
    const [first, second, third] = await Promise.all([1, 1, 2].map((number) => explainer.explain(hashOf(number))));
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(seen).toMatchObject({ gathered: 2, decided: 2 });
  });

  it("remembers an answer and gives it without waiting", async () => {
    const { explainer, seen } = build();
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    const answer = await explainer.explain(hashOf(1));
    expect(explainer.cached(hashOf(1))).toBe(answer);
    expect(await explainer.explain(hashOf(1))).toBe(answer);
    expect(seen.gathered).toBe(1);
  });

  it("never remembers a failure", async () => {
    let failures = 1;
    const { explainer, seen } = build({
      caseFile: (hash) => {
        if (failures-- > 0) throw new ServiceError("upstream_unavailable");
        return caseFileOf(hash);
      },
    });
    await expect(explainer.explain(hashOf(1))).rejects.toMatchObject({ code: "upstream_unavailable" });
    expect((await explainer.explain(hashOf(1))).explanation.tx_hash).toBe(hashOf(1));
    expect(seen.gathered).toBe(2);
  });

  it.each([
    ["a settled block, a day less a minute", caseFileOf(hashOf(1), minedSeconds), 23 * 3600 + 59 * 60, true],
    ["a settled block, more than a day", caseFileOf(hashOf(1), minedSeconds), 25 * 3600, false],
    ["a young block, 10 s", caseFileOf(hashOf(1), minedSeconds + 3500), 10, true],
    ["a young block, 20 s", caseFileOf(hashOf(1), minedSeconds + 3500), 20, false],
    ["no trace, 20 s", { ...caseFileOf(hashOf(1)), trace: { source: "none", reason: "refused" } as const }, 20, false],
    ["block time unknown, 20 s", { ...caseFileOf(hashOf(1)), block: { number: "0x1" as const } }, 20, false],
    [
      "a price that was unavailable, 20 s",
      { ...caseFileOf(hashOf(1)), price: { status: "unavailable" as const, source: "rpc", eth_usd: null } },
      20,
      false,
    ],
    [
      "a token that was unavailable, 20 s",
      {
        ...caseFileOf(hashOf(1)),
        tokens: {
          "0x1": {
            status: "unavailable" as const,
            source: "rpc",
            symbol: null,
            name: null,
            decimals: null,
            standard: null,
          },
        },
      },
      20,
      false,
    ],
  ])("holds for its time: %s", async (_name, caseFile, laterSeconds, held) => {
    const { explainer, seen } = build({ caseFile: () => caseFile });
    await explainer.explain(hashOf(1));
    seen.nowMs += laterSeconds * 1000;
    expect(explainer.cached(hashOf(1)) !== undefined).toBe(held);
  });

  it("keeps within its memory: the oldest answers go first", async () => {
    const { explainer } = build({ cacheBytes: 20_000 });
    for (let number = 1; number <= 50; number++) await explainer.explain(hashOf(number));
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    expect(explainer.cached(hashOf(50))).toBeDefined();
  });
});
