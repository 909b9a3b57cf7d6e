import { maxUint256, parseEther, toHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import type { Preview } from "../../../src/model/told/preview.ts";
import { approve, batch, misc, multicallValue, transfer, usd } from "./calldata.ts";
import { preparations } from "./preparations.ts";
import { at, call, type PreviewWorld, startPreviewWorld, who } from "./preview-world.ts";

const { alice, bob, carol } = who;
const codesOf = ({ notes }: Preview) => notes.map(({ code }) => code);

describe("a previewer over a real node", () => {
  let world: PreviewWorld;
  beforeAll(async () => {
    world = await startPreviewWorld();
    for (const one of preparations) await world.send(one);
  });
  afterAll(() => world.stop());
  // A new block: nothing is remembered.
  beforeEach(async () => {
    await world.control.mine({ blocks: 1 });
    world.clock.time += 3_000;
    for (const method of ["debug_traceCall", "eth_simulateV1"]) endpoint().health.succeed(method);
  });

  const endpoint = () => world.network.pool.endpoints[0] as PreviewWorld["network"]["pool"]["endpoints"][number];
  const lack = (...methods: string[]) => {
    for (const method of methods) endpoint().health.rest("missing", 10 ** 9, method);
  };
  const preview = async (fields: Record<string, unknown>) =>
    (await world.previewer.preview(readPreviewRequest({ from: alice, ...fields }))).preview;

  describe("tells of a contract that looks for simulations by", () => {
    const ways = ["coinbase", "gas price", "base fee", "prevrandao", "balance", "block number", "gas limit"];
    it.each(ways)("its %s that nothing is certain", async (way) => {
      const by = ways.indexOf(way);
      if (way === "block number") await world.send({ from: bob, to: at.evader, data: call("function poke()") });
      const data = call("function claim(uint256 by) payable", [BigInt(by)]);
      const told = await preview({ to: at.evader, value: String(parseEther("1")), data });
      // The result of the real transaction is told, and that another simulation ended differently.
      expect(told.summary).toMatch(
        /^In a simulation on block \d+, \S+ called \S+, giving 1 ETH\. Simulated in another way it ended differently/,
      );
      expect(told).toMatchObject({ partial: true, simulation: { differs: true, priced: true } });
      expect(codesOf(told)).toContain("simulations_differ");
      const mined = await world.explainer.explain(
        await world.send({ from: alice, to: at.evader, value: parseEther("1"), data }),
      );
      expect(mined.explanation.summary).toMatch(
        /^\S+ called \S+, giving 1 ETH\. What the call was for is not known\.$/,
      );
    });

    it.each(ways)("its %s the truth, where there is eth_simulateV1 only", async (way) => {
      lack("debug_traceCall");
      const by = ways.indexOf(way);
      if (way === "block number") await world.send({ from: bob, to: at.evader, data: call("function poke()") });
      const data = call("function claim(uint256 by) payable", [BigInt(by)]);
      const told = await preview({ to: at.evader, value: String(parseEther("1")), data });
      expect(told.summary).toContain("giving 1 ETH. Simulated in another way it ended differently");
      expect(codesOf(told)).toContain("method_missing");
    });
  });

  describe("rejects what no node would take", () => {
    it("more ether than there is", async () => {
      const told = await preview({ to: bob, value: String(parseEther("1000000")) });
      expect(told).toMatchObject({ outcome: "rejected", assets_moved: [], partial: true, fee_estimate_usd: null });
      expect(told.summary).toMatch(
        /asks to send 1,000,000 ETH to \S+ A node would refuse it: the account cannot pay for its value and fee\.$/,
      );
      expect(codesOf(told)).toContain("rejected");
    });

    it.each([
      ["a nonce that was used", { nonce: 0 }, "its nonce was used before"],
      ["a nonce of later", { nonce: 9_999 }, "lower nonces have to come first"],
      ["too little gas", { gas: 20_000 }, "lower than what it costs before any code runs"],
    ])("%s", async (_, fields, reason) => {
      const told = await preview({ to: bob, value: "1", ...fields });
      expect(told.outcome).toBe("rejected");
      expect(told.summary).toContain(reason);
    });
  });

  it("simulates a contract as sender without a price, and says so", async () => {
    const told = await preview({ from: at.account, to: at.usdc, data: transfer(bob, usd(5)) });
    expect(told).toMatchObject({ outcome: "success", simulation: { priced: false, differs: null } });
    expect(codesOf(told)).toContain("unpriced");
    expect(told.summary).toContain("sent 5 USDC");
  });

  it("simulates an account that can hardly pay", async () => {
    await world.control.setBalance({ address: carol, value: 100_000n * 10n ** 10n });
    const told = await preview({
      from: carol,
      to: at.misc,
      data: misc("note(bytes32 what)", [toHex(1n, { size: 32 })]),
    });
    expect(told.outcome).toBe("success");
  });

  it("tells the fee with what its data costs on Ethereum", async () => {
    const { caseFile } = await world.previewer.preview(readPreviewRequest({ from: alice, to: bob, value: "5" }));
    expect(BigInt(caseFile.receipt.l1Fee ?? 0)).toBeGreaterThan(0n);
    expect(caseFile.receipt.gasUsed).toBe("0x5208");
    // As a receipt has it (Isthmus): gas x scalar / 1,000,000 + constant.
    expect(caseFile.receipt).toMatchObject({ operatorFeeScalar: "0x3d090", operatorFeeConstant: "0x7" });
  });

  it("tells the calldata alone where the endpoint can do nothing else", async () => {
    lack("debug_traceCall", "eth_simulateV1");
    const told = await preview({ to: at.usdc, data: approve(bob, maxUint256) });
    expect(told).toMatchObject({
      outcome: "not_simulated",
      assets_moved: [],
      partial: true,
      simulation: { method: "none" },
    });
    expect(told.summary).toMatch(
      /^\S+ asks to allow \S+ to spend unlimited USDC\. Nobody simulated it: what would really happen is not known\.$/,
    );
    expect(told.risk_flags.map(({ flag }) => flag)).toEqual(["unlimited_approval"]);
    expect(codesOf(told)).toEqual(["method_missing", "method_missing", "not_simulated"]);
  });

  it("tells every act, right and amount that calldata alone asks for", async () => {
    lack("debug_traceCall", "eth_simulateV1");
    const strange = `0x${"71".repeat(20)}` as typeof bob;
    const acts = batch([
      { target: bob, value: parseEther("0.5") },
      { target: at.usdc, data: transfer(carol, usd(7)) },
      { target: at.usdc, data: approve(bob, maxUint256) },
      { target: strange, data: "0x12345678" },
    ]);
    const told = await preview({ to: alice, data: acts });
    expect(told.asks).toHaveLength(4);
    for (const words of ["send 0.5 ETH", "send 7 USDC", "spend unlimited USDC", "call 0x7171"])
      expect(told.summary).toContain(words);
    expect(told.risk_flags.map(({ flag }) => flag)).toEqual(["unlimited_approval"]);
    const more = multicallValue([
      { target: bob, value: parseEther("0.1") },
      { target: carol, value: parseEther("0.1") },
    ]);
    expect((await preview({ to: at.multicall3, data: more, value: String(parseEther("0.3")) })).summary).toMatch(
      /send 0\.1 ETH to \S+, send 0\.1 ETH to \S+ and send 0\.1 ETH along\./,
    );
    const foreign = await preview({ to: strange, data: acts, value: "1000000000000000" });
    expect(foreign.asks).toContain("have 0x7171…7171 do what it wants");
    expect(foreign.asks).toContain("call 0x7171…7171 with 0.001 ETH");
  });

  it.each([
    ["a trace", [], "debug_traceCall"],
    ["a simulated block", ["debug_traceCall"], "eth_simulateV1"],
    ["the calldata alone", ["debug_traceCall", "eth_simulateV1"], "none"],
  ])("makes two round trips by %s, as an explanation does", async (_, lacking, method) => {
    lack(...lacking);
    const before = world.trips();
    const told = await preview({ to: at.usdc, data: transfer(bob, usd(3)) });
    expect(told.simulation.method).toBe(method);
    expect(world.trips() - before).toBe(2);
  });

  it("gives the same answer while the block is the same, and a new one after it", async () => {
    const request = readPreviewRequest({ from: alice, to: bob, value: "77" });
    const [one, same] = await Promise.all([world.previewer.preview(request), world.previewer.preview(request)]);
    expect(same).toBe(one);
    expect(world.previewer.cached(request)).toBe(one);
    world.clock.time += 3_000;
    expect(world.previewer.cached(request)).toBeUndefined();
    expect(await world.previewer.preview(request)).toBe(one);
    await world.control.mine({ blocks: 1 });
    world.clock.time += 3_000;
    const next = await world.previewer.preview(request);
    expect(next.preview.simulation.block_number).toBe(one.preview.simulation.block_number + 1);
  });

  it("keeps case files that replay to the same answer", async () => {
    const { caseFile, preview: told } = await world.previewer.preview(
      readPreviewRequest({ from: alice, to: at.usdc, data: transfer(bob, usd(8)) }),
    );
    expect(world.stages.decide(JSON.parse(JSON.stringify(caseFile))).explanation.summary).toBe(told.summary);
  });
});
