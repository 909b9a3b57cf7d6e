import { describe, expect, it } from "vitest";
import type { Asker } from "../../../src/kernel/asker.ts";
import type { ServiceError } from "../../../src/kernel/error.ts";
import { type Deferred, defer } from "../../support/deferred.ts";
import { explainerOver } from "../../support/explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An explainer with the usual places, whose gatherings end when the test says so. */
function open() {
  const started: { client: string; ready: Deferred<void> }[] = [];
  const clients = new Map<string, string>();
  let count = 0;
  const explainer = explainerOver({
    gather: async (hash) => {
      const ready = defer<void>();
      started.push({ client: clients.get(hash) as string, ready });
      await ready.promise;
      return caseFileOf(hash);
    },
    decide: ({ tx_hash }) => ({ explanation: explanationOf(tx_hash), evidence: () => evidenceOf() }),
    work: { runningMax: 64, waitingMax: 256, clientMax: 8 },
  });
  const ask = (asker: Asker): Promise<string> => {
    const hash = hashOf(++count);
    clients.set(hash, asker.client);
    return explainer.explain(hash, undefined, asker).then(
      () => "answered",
      ({ code }: ServiceError) => code,
    );
  };
  const inWork = (client: string) => started.filter((one) => one.client === client).length;
  return { explainer, ask, inWork, started };
}

const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

describe("a client that takes all places it can get", () => {
  it("has eight in work and sixteen that wait, is refused the rest at once, and nobody waits for it", async () => {
    const { ask, inWork, started, explainer } = open();
    const attack = times(320, () => ask({ client: "mallory" }));
    expect(new Set(await Promise.all(attack.slice(24)))).toEqual(new Set(["overloaded"]));
    const victims = times(5, (nth) => ask({ client: `victim ${nth}` }));
    await turn();
    expect([inWork("mallory"), ...times(5, (nth) => inWork(`victim ${nth}`))]).toEqual([8, 1, 1, 1, 1, 1]);
    for (const { ready } of started.filter(({ client }) => client !== "mallory")) ready.resolve();
    expect(await Promise.all(victims)).toEqual(times(5, () => "answered"));
    expect(inWork("mallory")).toBe(8);
    explainer.close();
  });

  it("takes turns with others where all places are taken", async () => {
    const { ask, inWork, started, explainer } = open();
    // Eight clients with all that each may have take all 64 places.
    for (const nth of times(8, (one) => one)) times(24, () => ask({ client: `attacker ${nth}` }));
    await turn();
    expect(started.length).toBe(64);
    const victims = times(3, (nth) => ask({ client: `victim ${nth}` }));
    // The victims came last, and have the next free places.
    for (const { ready } of started.slice(0, 3)) ready.resolve();
    await turn();
    await turn();
    expect(times(3, (nth) => inWork(`victim ${nth}`))).toEqual([1, 1, 1]);
    for (const { client, ready } of started) if (client.startsWith("victim")) ready.resolve();
    expect(await Promise.all(victims)).toEqual(["answered", "answered", "answered"]);
    explainer.close();
  });

  it("leaves a quarter of the places to those who pay", async () => {
    const { ask, inWork, started, explainer } = open();
    for (const nth of times(60, (one) => one)) times(24, () => ask({ client: `free ${nth}`, free: true }));
    await turn();
    expect(started.length).toBe(48);
    const paying = times(2, (nth) => times(8, () => ask({ client: `payer ${nth}` }))).flat();
    await turn();
    expect([started.length, inWork("payer 0"), inWork("payer 1")]).toEqual([64, 8, 8]);
    for (const { client, ready } of started) if (client.startsWith("payer")) ready.resolve();
    expect(new Set(await Promise.all(paying))).toEqual(new Set(["answered"]));
    explainer.close();
  });
});
