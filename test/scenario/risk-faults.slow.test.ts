import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readCase, writeCase } from "../../src/gather/recordings/case-format.ts";
import type { Checks, Explanation, FlagCode } from "../../src/model/explanation.ts";
import { explainCase } from "../property/world.ts";
import { factFaults } from "../support/fact-server.ts";
import { everything, openRiskWorld, type RiskWorld, reverted } from "../support/risk-world.ts";

const flagsOf = (answer: Explanation) => [...new Set(answer.risk_flags.map(({ flag }) => flag))].sort();

const all: FlagCode[] = [
  "approval_for_all",
  "first_time_counterparty",
  "impersonated_token",
  "known_drainer",
  "nonstandard_token_symbol",
  "unlimited_approval",
  "unverified_contract",
];

type Source = keyof RiskWorld["servers"];

/** For each source: the flag that rests on it, and the check that says how far it reached. */
const restsOn: Record<Source, { flag: FlagCode; check: Exclude<keyof Checks, "note" | "unchecked_addresses"> }> = {
  sourcify: { flag: "unverified_contract", check: "contract_verification" },
  blockscout: { flag: "unverified_contract", check: "contract_verification" },
  history: { flag: "first_time_counterparty", check: "first_interaction" },
  lists: { flag: "known_drainer", check: "drainer_blacklist" },
};

const deadlineMs = 1_000;
const cells = (Object.keys(restsOn) as Source[]).flatMap((source) => factFaults.map((fault) => ({ source, fault })));

describe("with every source well", () => {
  it("raises every flag with its evidence, and every check is ok", async () => {
    const world = await openRiskWorld();
    const { status, answer } = await world.explain();
    expect(status).toBe(200);
    expect(flagsOf(answer)).toEqual(all);
    expect(answer.checks).toMatchObject({
      ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" },
      ...{ unchecked_addresses: [], note: null },
    });
    expect(flagsOf((await world.explain(reverted)).answer)).toContain("transaction_reverted");
  });

  it("asks once: the next request is answered from memory, and a recording tells the same byte for byte", async () => {
    const world = await openRiskWorld();
    const { answer } = await world.explain();
    const asked = Object.values(world.servers).map(({ visits }) => visits.length);
    expect((await world.explain()).answer).toEqual(answer);
    expect(Object.values(world.servers).map(({ visits }) => visits.length)).toEqual(asked);
    const dir = mkdtempSync(join(tmpdir(), "txgloss-risk-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const recorded = await readCase(await writeCase(dir, await world.gather(everything)));
    expect(recorded.risk?.drainers.hits).toHaveLength(1);
    expect(explainCase(recorded).explanation).toEqual(answer);
  });
});

describe.each(cells)("with $source: $fault", ({ source, fault }) => {
  it("raises no flag without evidence, claims no ok without an answer, ends in time, and recovers", async () => {
    const world = await openRiskWorld({ deadlineMs });
    const { flag, check } = restsOn[source];
    world.servers[source].fault = fault;
    for (const hash of [everything, reverted]) {
      const { status, answer, ms } = await world.explain(hash);
      expect(status).toBe(200);
      expect(ms).toBeLessThan(deadlineMs + 1_500);
      const expected =
        hash === everything ? all.filter((one) => one !== flag) : flagsOf(answer).filter((one) => one !== flag);
      expect(flagsOf(answer)).toEqual(expected);
      expect(answer.checks[check]).not.toBe("ok");
      expect(answer.checks.note).not.toBeNull();
    }
    for (const other of Object.values(restsOn).filter((one) => one.check !== check))
      expect((await world.explain()).answer.checks[other.check]).toBe("ok");
    world.servers[source].fault = null;
    world.clock.time += 130_000;
    await world.refresh();
    const { answer } = await world.explain();
    expect(flagsOf(answer)).toEqual(all);
    expect(answer.checks).toMatchObject({ [check]: "ok", note: null });
  });
});

describe("with a chain that has no state", () => {
  it("does not say what the code is, and says so once it has the state again", async () => {
    const world = await openRiskWorld();
    world.chain.hasState = false;
    const { answer } = await world.explain();
    expect(flagsOf(answer)).toEqual(all.filter((one) => one !== "unverified_contract"));
    expect(answer.checks.contract_verification).toBe("unavailable");
    world.chain.hasState = true;
    // An answer that lacks something is kept for half a minute.
    world.clock.time += 31_000;
    expect(flagsOf((await world.explain()).answer)).toEqual(all);
  });
});

describe("with 100 ms before every answer", () => {
  it("takes the chain's two round trips and the slowest lookup beside the second, not the sum", async () => {
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      const world = await openRiskWorld({ latencyMs: 100, published: true });
      const { answer, ms } = await world.explain();
      expect(answer.checks).toMatchObject({
        contract_verification: "ok",
        first_interaction: "ok",
        drainer_blacklist: "ok",
      });
      times.push(Math.round(ms));
    }
    console.log(`cold explanations with 100 ms before every answer: ${times.join(", ")} ms`);
    expect(Math.min(...times)).toBeGreaterThan(280);
    expect(Math.min(...times)).toBeLessThan(450);
  });
});
