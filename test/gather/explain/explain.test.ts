import { describe, expect, it } from "vitest";
import { createExplainer } from "../../../src/gather/explain/explain.ts";
import type { Recordings } from "../../../src/gather/recordings/recordings.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";

/** An explainer whose stages are counted and whose clock the test sets. Its case files count as coming from the network. */
function build(
  options: {
    caseFile?: (hash: Hash) => CaseFile;
    cacheBytes?: number;
    wait?: Promise<void>;
    recordings?: Recordings;
  } = {},
) {
  const seen = { gathered: 0, decided: 0, nowMs: 1_700_000_000_000 };
  const draftOf = (hash: Hash) => (options.caseFile ?? caseFileOf)(hash);
  const explainer = createExplainer({
    stages: {
      fetch: async (hash) => {
        seen.gathered++;
        await options.wait;
        return { draft: draftOf(hash), endpoint: undefined as never, asked: [] };
      },
      plan: () => undefined as never,
      lookUp: async ({ draft }) => draft,
      decide: (caseFile) => {
        seen.decided++;
        return {
          explanation: explanationOf(caseFile.tx_hash),
          evidence: () => evidenceOf(),
          pictureFacts: pictureFactsOf,
        };
      },
    },
    recordings: options.recordings ?? null,
    cacheBytes: options.cacheBytes ?? 1_000_000,
    clock: { now: () => seen.nowMs },
  });
  return { explainer, seen };
}

/** A case whose block has this age at the start of a test. */
function agedCase(hash: Hash, seconds: number): CaseFile {
  const timestamp = `0x${(1_700_000_000 - seconds).toString(16)}` as const;
  return { ...caseFileOf(hash), block: { number: "0x1", timestamp } };
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
    const { explainer, seen } = build({ caseFile: (hash) => agedCase(hash, 86_400) });
    const [first, second, third] = await Promise.all([1, 1, 2].map((number) => explainer.explain(hashOf(number))));
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(seen).toMatchObject({ gathered: 2, decided: 2 });
  });

  it("remembers an answer and gives it without waiting", async () => {
    const { explainer, seen } = build({ caseFile: (hash) => agedCase(hash, 86_400) });
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    const answer = await explainer.explain(hashOf(1));
    expect(explainer.cached(hashOf(1))).toBe(answer);
    expect(await explainer.explain(hashOf(1))).toBe(answer);
    expect(seen.gathered).toBe(1);
  });

  it("remembers the case of an answer and gives both again", async () => {
    const { explainer, seen } = build({ caseFile: (hash) => agedCase(hash, 86_400) });
    expect(explainer.examined(hashOf(1))).toBeUndefined();
    const examined = await explainer.examine(hashOf(1));
    expect(examined).toEqual({ answer: explainer.cached(hashOf(1)), caseFile: agedCase(hashOf(1), 86_400) });
    const known = explainer.examined(hashOf(1));
    expect(known).toEqual(examined);
    expect(await explainer.examine(hashOf(1))).toBe(known);
    expect(await explainer.explain(hashOf(1))).toBe(examined.answer);
    expect(seen).toMatchObject({ gathered: 1, decided: 1 });
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

  it("gives an answer again for its lifetime and no longer", async () => {
    const { explainer, seen } = build({ caseFile: (hash) => agedCase(hash, 60) });
    await explainer.explain(hashOf(1));
    seen.nowMs += 14_000;
    expect(explainer.cached(hashOf(1))).toBeDefined();
    seen.nowMs += 2_000;
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    await explainer.explain(hashOf(1));
    expect(seen.gathered).toBe(2);
  });

  it("gathers once for all who ask within half a minute where a source did not answer, and then again", async () => {
    const price = { status: "unavailable", source: "feed", eth_usd: null } as const;
    const { explainer, seen } = build({ caseFile: (hash) => ({ ...agedCase(hash, 86_400), price }) });
    for (let asked = 0; asked < 3; asked++) {
      await explainer.explain(hashOf(1));
      seen.nowMs += 9_999;
    }
    expect(seen.gathered).toBe(1);
    seen.nowMs += 4;
    await explainer.explain(hashOf(1));
    expect(seen.gathered).toBe(2);
  });

  it("does not keep an answer without a lifetime", async () => {
    const { explainer, seen } = build({ caseFile: (hash) => ({ ...caseFileOf(hash), block: { number: "0x1" } }) });
    await explainer.explain(hashOf(1));
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    await explainer.explain(hashOf(1));
    expect(seen.decided).toBe(2);
  });

  it("keeps within its memory: the oldest answers go first", async () => {
    const { explainer } = build({ cacheBytes: 20_000, caseFile: (hash) => agedCase(hash, 86_400) });
    for (let number = 1; number <= 50; number++) await explainer.explain(hashOf(number));
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    expect(explainer.cached(hashOf(50))).toBeDefined();
  });

  it("remembers for seconds that a transaction is not known, and pushes no answer out for that", async () => {
    const known = hashOf(1);
    const { explainer, seen } = build({
      caseFile: (hash) => {
        if (hash !== known) throw new ServiceError("transaction_not_found");
        return agedCase(hash, 86_400);
      },
    });
    const answer = await explainer.explain(known);
    for (let number = 2; number < 20_000; number++)
      await explainer.explain(hashOf(number)).catch((error: ServiceError) => expect(error.status).toBe(404));
    expect(explainer.cached(known)).toBe(answer);
    const { gathered } = seen;
    await expect(explainer.explain(hashOf(19_999))).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(seen.gathered).toBe(gathered);
    seen.nowMs += 4_001;
    await expect(explainer.explain(hashOf(19_999))).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(seen.gathered).toBe(gathered + 1);
  });

  it("ends the wait of one caller by its signal; the run goes on for the others", async () => {
    const ready = defer<void>();
    const { explainer, seen } = build({ wait: ready.promise });
    const gone = new AbortController();
    const [first, second] = [explainer.explain(hashOf(1), gone.signal), explainer.explain(hashOf(1))];
    gone.abort();
    await expect(first).rejects.toMatchObject({ code: "upstream_unavailable", retryAfterSeconds: 5 });
    ready.resolve();
    await expect(second).resolves.toMatchObject({ explanation: { tx_hash: hashOf(1) } });
    // Who has gone already starts nothing.
    await expect(explainer.explain(hashOf(2), AbortSignal.abort())).rejects.toMatchObject({ status: 503 });
    expect(seen.gathered).toBe(1);
  });

  it("takes a recording before the network and keeps its answer for a day, no matter what was unavailable then", async () => {
    const poor = { ...caseFileOf(hashOf(1)), block: { number: "0x1" as const } };
    const recordings = { find: (hash: Hash) => (hash === hashOf(1) ? Promise.resolve(poor) : undefined) };
    const { explainer, seen } = build({ recordings });
    const answer = await explainer.explain(hashOf(1));
    expect(seen.gathered).toBe(0);
    seen.nowMs += 23 * 3_600_000;
    expect(explainer.cached(hashOf(1))).toBe(answer);
    await explainer.explain(hashOf(2));
    expect(seen.gathered).toBe(1);
    // A new recording is made from the network, though there is one.
    expect(await explainer.gather(hashOf(1))).toEqual(caseFileOf(hashOf(1)));
    expect(seen.gathered).toBe(2);
  });

  it("replays a case file that it is given, and remembers nothing of it", async () => {
    const { explainer, seen } = build();
    const answer = await explainer.replay(caseFileOf(hashOf(1)));
    expect(answer.body.toString()).toBe(JSON.stringify(explanationOf(hashOf(1))));
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    expect(seen).toMatchObject({ gathered: 0, decided: 1 });
  });
});
