import type { Address } from "../../kernel/address.ts";
import { readObject } from "../../kernel/canonical.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Clock } from "../health/endpoint-health.ts";
import type { BodyBudget } from "../http/body-budget.ts";
import { createJsonClient } from "../http/json-client.ts";
import { readFoundObject } from "../verified-contract.ts";

/** A client of a server with the price API of DefiLlama (`/prices/historical/{time}/{coins}`). Nothing is sent yet. No method rejects. */
export function createPriceApi(url: string, { bodies, clock }: { bodies?: BodyBudget; clock: Clock }) {
  const client = createJsonClient(url, { kind: "price_api", bodies, clock });
  const slug = chain.name.toLowerCase();
  return {
    name: client.name,
    health: client.health,
    /**
     * USD of one token each, as plain decimals, at a time in Unix seconds. A token is missing where the server knows no price, is not
     * sure of it, or has one of another day only; undefined when there was no answer.
     */
    async pricesAt(
      tokens: readonly Address[],
      time: number,
      signal: AbortSignal,
    ): Promise<ReadonlyMap<Address, string> | undefined> {
      const coins = tokens.map((token) => `${slug}:${token}`).join(",");
      const answer = await client.get(`/prices/historical/${time}/${coins}`, signal);
      const listed = readObject(readFoundObject(answer)?.coins);
      if (listed === undefined) return undefined;
      const prices = new Map<Address, string>();
      for (const token of tokens) {
        const { price, timestamp, confidence = 1 } = readObject(listed[`${slug}:${token}`]) ?? {};
        const isNear = typeof timestamp === "number" && Math.abs(timestamp - time) <= apartMax;
        const isSure = typeof confidence === "number" && confidence >= confidenceMin;
        const text = decimalOf(price);
        if (text !== undefined && isNear && isSure) prices.set(token, text);
      }
      return prices;
    },
  };
}

/** Seconds between a price and the time that was asked for. */
const apartMax = 86_400;
/** What the server itself calls a price that can be relied on. */
const confidenceMin = 0.9;

/** A positive number as a plain decimal, such as `0.00000012`. */
function decimalOf(price: unknown): string | undefined {
  if (typeof price !== "number" || !Number.isFinite(price) || price <= 0 || price >= 1e21) return undefined;
  const text = String(price);
  if (!text.includes("e")) return text;
  const fixed = price.toFixed(18).replace(/0+$/, "");
  return /[1-9]/.test(fixed) ? fixed : undefined;
}
