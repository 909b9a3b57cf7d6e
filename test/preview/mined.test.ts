import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import type { Preview } from "../../src/model/told/preview.ts";
import { type PreviewRequest, readPreviewRequest } from "../../src/preview/preview-request.ts";
import { compileSchema } from "../support/schema.ts";
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

/** What must be the same before and after; the sentence but for its frame. */
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
  "safe - delegatecall": "that the Safe ran another contract's code is in the call tree only",
  "revert - out of gas": "this node says no more than that execution failed",
  "creation - with ether": "this node refuses a creation here, so its calldata alone is told",
  "creation - of a token": "this node refuses a creation here, so its calldata alone is told",
};

describe.each(["debug_traceCall", "eth_simulateV1"] as const)("previews by %s", (method) => {
  let world: PreviewWorld;
  const validate = compileSchema("preview");

  beforeAll(async () => {
    world = await startPreviewWorld();
    for (const one of preparations) await world.send(one);
    const [endpoint] = world.network.pool.endpoints;
    if (method === "eth_simulateV1") endpoint?.health.rest("missing", 10 ** 9, "debug_traceCall");
  });
  afterAll(() => world.stop());

  it("tell of all kinds of transactions what is told when they are mined", async () => {
    const kinds = new Set(sentTransactions.map(({ name }) => name.split(" - ")[0]));
    expect(sentTransactions.length).toBeGreaterThanOrEqual(60);
    expect(kinds.size).toBeGreaterThanOrEqual(25);
    const different: string[] = [];
    for (const one of sentTransactions) {
      const { preview } = await world.previewer.preview(requestOf(one));
      const mined = await world.explainer.explain(await world.send(one));
      expect(validate(JSON.parse(JSON.stringify(preview))) ? [] : validate.errors, one.name).toEqual([]);
      expect(preview.simulation.differs, one.name).not.toBe(true);
      const before = JSON.stringify(essence(preview));
      if (before !== JSON.stringify(essence(mined.explanation))) different.push(one.name);
      else expect(preview.simulation.method, one.name).toBe(method);
    }
    expect(different.toSorted()).toEqual(method === "debug_traceCall" ? [] : Object.keys(withoutTree).toSorted());
  });
});
