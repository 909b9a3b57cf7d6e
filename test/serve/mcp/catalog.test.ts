import { join } from "node:path";
import { expect, it } from "vitest";
import { loadEngine } from "../../../src/engine/engine.ts";
import { listResources } from "../../../src/serve/mcp/definitions.ts";
import { root } from "../../support/shared.ts";

it("the resources tell every protocol with its actions, and every action type", () => {
  const { engine } = loadEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
  const [rules, actions] = listResources(engine.catalog).map(({ text }) => JSON.parse(text));
  const slipstream = rules.protocols.find(({ id }: { id: string }) => id === "aerodrome-slipstream");
  expect(slipstream).toMatchObject({ name: "Aerodrome Slipstream", actions: expect.arrayContaining(["swap"]) });
  const ids: string[] = rules.protocols.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(actions.action_types.map(({ id }: { id: string }) => id)).toEqual(engine.actionTypes);
  const known = new Set(engine.actionTypes);
  for (const protocol of rules.protocols) {
    expect(protocol.actions.length).toBeGreaterThan(0);
    for (const action of protocol.actions) expect(known.has(action)).toBe(true);
  }
});
