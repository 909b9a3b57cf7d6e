import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PreviewRequest, readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import type { Preview } from "../../../src/model/told/preview.ts";
import { compileSchema } from "../../support/schema.ts";
import { compareBalances } from "./mined-balances.ts";
import { oddTokenTransactions } from "./odd-tokens.ts";
import { preparations, type SentTransaction } from "./preparations.ts";
import { type PreviewWorld, startPreviewWorld } from "./preview-world.ts";
import { sentTransactions } from "./sent-transactions.ts";

function requestOf({ from, to, data, value, gas, delegate }: SentTransaction): PreviewRequest {
  return readPreviewRequest({
    ...{ from, to },
    ...(data === undefined ? {} : { data }),
    ...(value === undefined ? {} : { value: String(value) }),
    ...(gas === undefined ? {} : { gas: String(gas) }),
    ...(delegate === undefined ? {} : { authorization_list: [{ address: delegate }] }),
  });
}

/** The parts that must be the same before and after: the sentence without its frame, and the listed fields. */
function essence({ summary, action_type, assets_moved, risk_flags, counterparties, partial }: Explanation | Preview) {
  const told = summary
    .replace(/^In a simulation on block \d+, /, "")
    .replace(", but that reverted.", ", but the transaction reverted.")
    .replace(/^the sender/, "The sender");
  const flags = risk_flags.map(({ flag }) => (flag === "simulation_reverted" ? "transaction_reverted" : flag));
  return { summary: told, action_type, assets_moved, counterparties, flags, partial };
}

/** What eth_simulateV1 alone cannot know, and why. */
const withoutTree: Readonly<Record<string, string>> = {
  "multicall - one call fails": "which inner call failed is in the call tree only, so the flag is missing",
  "multicall - reverts": "why the inner call failed is in the call tree only",
  "safe - delegatecall": "that the Safe ran another contract's code is in the call tree only",
  "7702 - batch of approval and swap":
    "by whose right the tokens were moved is in the call tree only, so the allowance is told",
  "creation - by a factory": "what a call created is in the call tree only",
  "revert - out of gas": "this node says no more than that execution failed",
  "creation - with ether": "this node refuses a creation here, so its calldata alone is told",
  "creation - of a token": "this node refuses a creation here, so its calldata alone is told",
};

/** Tokens whose balances differ from what their events say. Views say so. */
const oddTokens = ["fee token - all to oneself", "fee token - transfer", "issued", "rebasing - grows with a transfer"];

describe.each(["debug_traceCall", "eth_simulateV1"] as const)("previews by %s", (method) => {
  let world: PreviewWorld;
  const validate = compileSchema("preview");
  /** By the hash of what was mined: its name. */
  const sent = new Map<Hash, string>();

  beforeAll(async () => {
    world = await startPreviewWorld();
    for (const one of preparations) await world.send(one);
    const [endpoint] = world.network.pool.endpoints;
    if (method === "eth_simulateV1") endpoint?.health.rest("missing", 10 ** 9, "debug_traceCall");
  });
  afterAll(() => world.stop());

  it("tell of all kinds of transactions what is told when they are mined", async () => {
    const all = [...sentTransactions, ...oddTokenTransactions];
    const kinds = new Set(all.map(({ name }) => name.split(" - ")[0]));
    expect(sentTransactions.length).toBeGreaterThanOrEqual(60);
    expect(kinds.size).toBeGreaterThanOrEqual(25);
    const different: string[] = [];
    for (const one of all) {
      const { preview } = await world.previewer.preview(requestOf(one));
      const hash = await world.send(one);
      sent.set(hash, one.name);
      const mined = await world.explainer.explain(hash);
      expect(validate(JSON.parse(JSON.stringify(preview))) ? [] : validate.errors, one.name).toEqual([]);
      expect(preview.simulation.differs, one.name).not.toBe(true);
      const before = JSON.stringify(essence(preview));
      if (before !== JSON.stringify(essence(mined.explanation))) different.push(one.name);
      else expect(preview.simulation.method, one.name).toBe(method);
    }
    expect(different.toSorted()).toEqual(method === "debug_traceCall" ? [] : Object.keys(withoutTree).toSorted());
  });

  it.runIf(method === "debug_traceCall")("and views of them tell what each account has more or less of", async () => {
    const wrong: unknown[] = [];
    const odd = new Set<string>();
    let [moved, checked] = [0, 0];
    for (const [hash, name] of sent) {
      const verdicts = await compareBalances(world, hash);
      for (const { told, real, check, ...place } of verdicts) {
        const isFungible = !place.asset.includes(" ");
        const expected =
          check === null ? told === real : isFungible ? check === (told === real ? "equal" : "differs") : told === real;
        if (check !== null) checked++;
        // Wrapped ether comes from its own contract, which holds none of it.
        if (check === "differs") odd.add(place.account === place.asset ? "issued" : name);
        else if (!expected) wrong.push({ name, ...place, told, real, check });
      }
      if (verdicts.some(({ told }) => told !== 0n)) moved++;
    }
    expect(wrong).toEqual([]);
    expect(moved).toBeGreaterThanOrEqual(40);
    expect(checked).toBeGreaterThan(100);
    expect([...odd].toSorted()).toEqual(oddTokens);
  });
});
