import { describe, expect, it } from "vitest";
import { createPreviewer } from "../../../src/gather/preview/preview.ts";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { toAddress } from "../../../src/kernel/address.ts";

const alice = toAddress(`0x${"a1".repeat(20)}`);
const bob = toAddress(`0x${"b0".repeat(20)}`);
const hash = `0x${"7".repeat(64)}`;
const ok = (result: unknown) => ({ ok: true, result });
const lacking = { ok: false, code: -32601, message: "the method does not exist" };
const traced = ok({ type: "CALL", from: alice, to: bob, value: "0x0", input: "0x", gasUsed: "0x5208" });
const block = {
  number: "0x63",
  timestamp: "0x1",
  baseFeePerGas: "0x5",
  gasLimit: "0x989680",
  hash,
  mixHash: hash,
  miner: bob,
};

/** An endpoint that gives these answers to the runs of a simulation. null: it does not answer at all. */
function endpointOf(runs: unknown[] | null, { code = "0x", rests = [] as string[] } = {}) {
  const asked: string[][] = [];
  const chainState = [block, "0x2", "0xde0b6b3a7640000", code].map(ok);
  const ask = async (calls: { method: string }[]) => {
    asked.push(calls.map(({ method }) => method));
    return runs === null ? "failed" : calls[0]?.method === "eth_getBlockByNumber" ? chainState : runs;
  };
  const health = { rests: (method: string) => rests.includes(method), rest: () => undefined, troubles: () => [] };
  return { asked, ask, callTimeoutMs: 1_000, health };
}

/** The preview over these endpoints. `later`: tokens to look up besides those that the request names. */
function previewerOver(
  endpoints: ReturnType<typeof endpointOf>[],
  { later = [] as string[], statuses = ["success"], calendar = { blocks: null, gasCap: () => null } as object } = {},
) {
  const looked: unknown[] = [];
  const plan = ({ simulation }: { simulation: { method: string } }) => ({
    tokens: simulation.method === "none" ? ["a"] : ["a", ...later],
    ...{ reads: [], risk: { verify: [], histories: [], listed: [] } },
  });
  const lookUp = async (_fetched: unknown, wanted: { tokens: string[] }) => {
    looked.push(wanted.tokens);
    const tokens = Object.fromEntries(wanted.tokens.map((name) => [name, { status: "found" }]));
    return { gathered_at: `at ${looked.length}`, price: { status: "found" }, tokens, reads: [] };
  };
  let runs = 0;
  const decide = () => ({
    explanation: {
      ...{ summary: "told", status: statuses[runs++ % statuses.length], action_type: "x", assets_moved: [] },
      ...{ counterparties: [], checks: {}, gas_paid_usd: 1, partial: false, risk_flags: [] },
      provenance: { untrusted_fields: ["summary"], note: "n" },
    },
    preview: { asks: ["a", "b"], notes: [], untrustedAsks: [1] },
    evidence: () => ({ subject: alice }),
  });
  const pool = {
    endpoints: [],
    tryEach: async (work: (one: unknown) => Promise<unknown>) => {
      for (const endpoint of endpoints) {
        const found = await work(endpoint);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
  const clock = { now: () => 1_000 };
  const previewer = createPreviewer({
    pool,
    stages: { plan, lookUp, decide },
    l1FeeOracle: null,
    calendar,
    clock,
  } as never);
  const request = readPreviewRequest({ from: alice, to: bob });
  return { previewer, request, looked, preview: () => previewer.preview(request) };
}

describe("a preview", () => {
  it("of more gas than one transaction may have is told without a simulation", async () => {
    const endpoint = endpointOf([traced, traced, lacking, lacking]);
    const asked: number[] = [];
    const gasCap = (block: number) => {
      asked.push(block);
      return 16_777_216n;
    };
    const { previewer } = previewerOver([endpoint], { calendar: { blocks: null, gasCap } });
    const previewOf = async (gas: number) => previewer.preview(readPreviewRequest({ from: alice, to: bob, gas }));
    const { preview, caseFile } = await previewOf(16_777_217);
    expect(preview).toMatchObject({ outcome: "rejected", simulation: { method: "none" } });
    expect(caseFile.simulation?.refusal).toBe("gas_high");
    expect(endpoint.asked.flat()).not.toContain("debug_traceCall");
    expect((await previewOf(16_777_216)).preview.outcome).toBe("success");
    expect(endpoint.asked.flat()).toContain("debug_traceCall");
    // Of the block after the newest one.
    expect(new Set(asked)).toEqual(new Set([0x64]));
  });

  it("is told of the run, looked up once, and remembered", async () => {
    const endpoint = endpointOf([traced, traced, lacking, lacking]);
    const { previewer, request, preview, looked } = previewerOver([endpoint]);
    expect(previewer.cached(request)).toBeUndefined();
    const told = await preview();
    expect(told.preview).toMatchObject({
      ...{ outcome: "success", fee_estimate_usd: 1, asks: ["a", "b"], partial: false },
      simulation: {
        method: "debug_traceCall",
        block_number: 99,
        block_hash: hash,
        gas_used: 21_000,
        priced: true,
        differs: false,
      },
      provenance: { untrusted_fields: ["summary", "asks[1]"], note: "n" },
    });
    expect(told.caseFile).toMatchObject({ gathered_at: "at 1", tokens: { a: { status: "found" } } });
    expect([looked, previewer.cached(request), await preview()]).toEqual([[["a"]], told, told]);
    expect(endpoint.asked).toHaveLength(2);
    previewer.close();
  });

  it("looks up what only the run brought to light", async () => {
    const { preview, looked } = previewerOver([endpointOf([traced, traced, lacking, lacking])], { later: ["b"] });
    const { caseFile } = await preview();
    expect([looked, caseFile.gathered_at, Object.keys(caseFile.tokens)]).toEqual([[["a"], ["b"]], "at 1", ["a", "b"]]);
  });

  it("says whether another run ended differently, as far as there was one", async () => {
    const differs = async (runs: unknown[], more: object = {}, statuses = ["success"]) =>
      (await previewerOver([endpointOf(runs, more)], { statuses }).preview()).preview.simulation;
    expect(await differs([traced, traced, lacking, lacking], {}, ["success", "reverted"])).toMatchObject({
      differs: true,
    });
    expect(await differs([traced, lacking, lacking, lacking])).toMatchObject({ differs: null, priced: true });
    const contract = { code: "0x6000" };
    expect(await differs([traced, lacking], contract)).toMatchObject({ differs: null, priced: false });
    const simulated = ok([{ calls: [{ status: "0x1", gasUsed: "0x1", logs: [] }] }]);
    expect(await differs([traced, simulated], contract)).toMatchObject({ differs: null, priced: false });
    expect(await differs([traced, simulated], contract, ["success", "reverted"])).toMatchObject({ differs: true });
  });

  it("of an endpoint that cannot simulate waits for one that can", async () => {
    const none = [lacking, lacking, lacking, lacking];
    const [poor, rich] = [endpointOf(none), endpointOf([traced, traced, lacking, lacking])];
    expect((await previewerOver([poor, rich]).preview()).preview.outcome).toBe("success");
    const alone = (await previewerOver([endpointOf(none)]).preview()).preview;
    expect(alone).toMatchObject({
      outcome: "not_simulated",
      fee_estimate_usd: null,
      simulation: { gas_used: null, method: "none" },
    });
    // After no endpoint simulated, endpoints that are known to lack both methods are not asked any more.
    const known = endpointOf([], { rests: ["debug_traceCall", "eth_simulateV1"] });
    const half = endpointOf([lacking, lacking], { rests: ["debug_traceCall"] });
    await previewerOver([endpointOf(none), known, half]).preview();
    expect([known.asked.length, half.asked.length]).toEqual([0, 2]);
  });

  it("is refused if no endpoint answers, and rejected if a node would refuse the transaction", async () => {
    await expect(previewerOver([endpointOf(null)]).preview()).rejects.toMatchObject({
      ...{ code: "upstream_unavailable", retryAfterSeconds: 5 },
    });
    const funds = { ok: false, code: -38014, message: "" };
    const { preview } = await previewerOver([endpointOf([traced, traced, funds, funds])]).preview();
    expect(preview).toMatchObject({ outcome: "rejected", simulation: { method: "none" } });
  });
});
