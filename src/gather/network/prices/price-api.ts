import type { Address } from "../../../kernel/address.ts";
import { readObject } from "../../../kernel/canonical.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import type { Clock } from "../health/endpoint-health.ts";
import type { BodyBudget } from "../http/body-budget.ts";
import { createJsonClient } from "../http/json-client.ts";
import { readFoundObject } from "../verified-contract.ts";

/** DefiLlama's API (`/prices/historical/{time}/{coins}`). Sends nothing; methods never reject. */
export function createPriceApi(url: string, { bodies, clock }: { bodies?: BodyBudget; clock: Clock }) {
  const client = createJsonClient(url, { kind: "price_api", bodies, clock });
  const slug = chain.name.toLowerCase();
  return {
    name: client.name,
    health: client.health,
    /** USD for one token as decimal text; time in Unix seconds. Missing: unknown, unsure, or of another day. Undefined: no answer. */
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

/** Seconds from the asked time. */
const apartMax = 86_400;
/** 0 to 1: reliable by the server's own word. */
const confidenceMin = 0.9;

/** Without an exponent, such as `0.00000012`. */
function decimalOf(price: unknown): string | undefined {
  if (typeof price !== "number" || !Number.isFinite(price) || price <= 0 || price >= 1e21) return undefined;
  const text = String(price);
  if (!text.includes("e")) return text;
  const fixed = price.toFixed(18).replace(/0+$/, "");
  return /[1-9]/.test(fixed) ? fixed : undefined;
}
