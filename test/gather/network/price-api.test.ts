import { describe, expect, it } from "vitest";
import { createPriceApi } from "../../../src/gather/network/prices/price-api.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { alice, bob } from "../../support/rpc-server-chain.ts";

const clock = { now: () => 1_000 };
const soon = () => AbortSignal.timeout(5_000);
const time = 1_700_000_000;

describe("a price of the price API", () => {
  it.each<[string, unknown, string | undefined]>([
    ["of that moment", { price: 1.5, timestamp: time }, "1.5"],
    ["of a day before", { price: 1.5, timestamp: time - 86_400 }, "1.5"],
    ["of a day after", { price: 1.5, timestamp: time + 86_400 }, "1.5"],
    ["of longer before", { price: 1.5, timestamp: time - 86_401 }, undefined],
    ["of longer after", { price: 1.5, timestamp: time + 86_401 }, undefined],
    ["of no time", { price: 1.5 }, undefined],
    ["that it is sure of", { price: 1.5, timestamp: time, confidence: 0.9 }, "1.5"],
    ["that it is less sure of", { price: 1.5, timestamp: time, confidence: 0.89 }, undefined],
    ["with a word for that", { price: 1.5, timestamp: time, confidence: "high" }, undefined],
    ["that is tiny", { price: 1.2e-7, timestamp: time }, "0.00000012"],
    ["that is nothing within eighteen places", { price: 1e-19, timestamp: time }, undefined],
    ["that is zero", { price: 0, timestamp: time }, undefined],
    ["that is negative", { price: -1, timestamp: time }, undefined],
    ["that is huge", { price: 999_999_999_999_999_900_000, timestamp: time }, "999999999999999900000"],
    ["that is beyond all", { price: 1e21, timestamp: time }, undefined],
    ["that is text", { price: "1.5", timestamp: time }, undefined],
    ["that is not there", null, undefined],
  ])("%s", async (_name, coin, usd) => {
    const server = await startFactServer(() => ({ body: { coins: { [`base:${alice}`]: coin } } }));
    const prices = await createPriceApi(server.url, { clock }).pricesAt(
      [alice as Address, bob as Address],
      time,
      soon(),
    );
    expect(prices).toEqual(new Map(usd === undefined ? [] : [[alice, usd]]));
    expect(server.visits).toEqual([`/prices/historical/${time}/base:${alice},base:${bob}`]);
  });

  it.each([[{ coins: [] }], [{}], [[]]])("is not told by %j", async (body) => {
    const server = await startFactServer(() => ({ body }));
    expect(await createPriceApi(server.url, { clock }).pricesAt([alice as Address], time, soon())).toBeUndefined();
  });
});
