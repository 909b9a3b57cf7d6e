import { describe, expect, it } from "vitest";
import { alice, someone } from "../../engine/assess/scene.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { hashOf } from "../../support/sample.ts";
import { bob, explorer, historyAt, sent } from "./listed-history.ts";

describe("a history that cannot prove absence", () => {
  it("is inconclusive when it has more pages than are read, and names whom it saw", async () => {
    const transactions = Array.from({ length: 5 }, (_, i) => sent(someone(`party ${i}`), { value: "5" }));
    const { ask, server } = await explorer({ transactions }, { size: 2, pages: 2 });
    const told = await ask();
    expect(told).toMatchObject({ status: "inconclusive", complete: false });
    expect(told.counterparties).toHaveLength(4);
    expect(server.visits.filter((path) => path.includes("/transactions?"))).toHaveLength(2);
  });

  it("is inconclusive when the nonce says that there was more, as with an index that lags", async () => {
    const { ask } = await explorer({ transactions: [sent(bob, { value: "5" })] });
    expect(await ask({ nonce: 9 })).toMatchObject({ status: "inconclusive", complete: false, counterparties: [bob] });
  });

  it("is inconclusive when it lists nothing at all of an account that has no nonce here", async () => {
    const { ask } = await explorer({});
    expect(await ask({}, someone("account"))).toMatchObject({ status: "inconclusive" });
    expect(await ask({ nonce: 0 })).toMatchObject({ status: "found", complete: true });
  });

  it.each(["500", "429", "garbage", "shape", "empty", "refused"] as const)(
    "is unavailable at %s, and asked anew",
    async (fault) => {
      const { server, ask } = await explorer({ transactions: [sent(bob, { value: "5" })] });
      server.fault = fault;
      expect(await ask()).toMatchObject({ status: "unavailable", counterparties: [] });
    },
  );

  it("is unavailable, with the reason, when the explorer wants a key", async () => {
    const server = await startFactServer(() => ({ status: 401, body: "" }));
    const place = { hash: hashOf(7), from: alice, nonce: 1, block: 100, index: 3 };
    const question = { account: alice, place, signal: AbortSignal.timeout(2_000), time: () => "then" };
    expect(await historyAt(server.url)(question)).toMatchObject({ status: "unavailable", reason: "key_missing" });
  });

  it("is unavailable when the explorer does not know the account", async () => {
    const server = await startFactServer(() => undefined);
    const look = historyAt(server.url);
    const place = { hash: hashOf(7), from: alice, nonce: 0, block: 100, index: 3 };
    expect(await look({ account: alice, place, signal: AbortSignal.timeout(1_000), time: () => "then" })).toMatchObject(
      {
        status: "unavailable",
      },
    );
  });
});
