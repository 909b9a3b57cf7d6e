import { expect, it } from "vitest";
import { TooLargeNow } from "../../../src/kernel/error.ts";
import { explainerOver } from "../../support/explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

it("a transaction that was too large is gathered again only when there is time for it, whoever asks", async () => {
  let gathered = 0;
  let isBusy = true;
  const spent: [string, number][] = [];
  const decide = ({ tx_hash }: { tx_hash: string }) => ({
    explanation: explanationOf(tx_hash as never),
    evidence: () => evidenceOf(),
  });
  const refuse = (size: number) => {
    if (isBusy) throw new TooLargeNow(size, 3_000);
  };
  const explainer = explainerOver({
    gather: async (hash) => caseFileOf(hash),
    decide,
    stages: {
      fetch: async (hash) => {
        gathered++;
        return { draft: caseFileOf(hash), endpoint: undefined as never, asked: [] };
      },
      plan: () => {
        refuse(50);
        return undefined as never;
      },
      lookUp: async ({ draft }) => draft,
      decide,
      admit: refuse,
      measure: () => 50,
    },
  });
  const ask = (client: string) =>
    explainer
      .explain(hashOf(1), undefined, { client, spend: (size) => spent.push([client, size]) })
      .then(({ explanation }) => explanation.tx_hash)
      .catch(({ code, retryAfterSeconds }) => [code, retryAfterSeconds]);
  for (const client of ["mallory", "mallory", "ann"]) expect(await ask(client)).toEqual(["overloaded", 3]);
  expect([gathered, spent]).toEqual([1, [["mallory", 50]]]);
  isBusy = false;
  expect(await ask("ann")).toBe(hashOf(1));
  expect([gathered, spent.at(-1)]).toEqual([2, ["ann", 50]]);
});
