import { openDeadline } from "../../../kernel/abort.ts";
import type { Address } from "../../../kernel/address.ts";
import type { JsonObject } from "../../../kernel/canonical.ts";
import type { Hash } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Clock } from "../health/endpoint-health.ts";
import type { BodyBudget } from "../http/body-budget.ts";
import { createJsonClient } from "../http/json-client.ts";
import { readFoundObject, readImplementation, type VerifiedContract } from "../verified-contract.ts";
import { type InternalTransferAnswer, readInternalTransfers } from "./internal-transfers.ts";
import { type Query, type Rows, readPages } from "./pages.ts";

export type AccountList = "transactions" | "token-transfers" | "internal-transactions";

/** `start`: query parameters; read backwards in time from there. */
export interface AccountListQuestion {
  account: Address;
  list: AccountList;
  start: Query;
  pages: number;
  signal: AbortSignal;
}

/**
 * API v2. Contracts, internal transfers and histories fail and rest apart. Never rejects. The keyed API of all chains has the chain id
 * before the routes.
 */
export type Blockscout = ReturnType<typeof createBlockscout>;

export interface BlockscoutOptions {
  chainId: number;
  /** null: none. */
  key: string | null;
  /** For a page of internal transfers. */
  pageTimeoutMs: number;
  bodies?: BodyBudget;
  clock: Clock;
}

/** Sends nothing. */
export function createBlockscout(url: string, { chainId, key, pageTimeoutMs, bodies, clock }: BlockscoutOptions) {
  const client = createJsonClient(baseOf(url, chainId), { kind: "blockscout", key, bodies, clock });
  const { name, health } = client;

  async function getContract(address: Address, signal: AbortSignal): Promise<JsonObject | undefined> {
    return readFoundObject(await client.get(`/api/v2/smart-contracts/${address}`, signal, contracts));
  }

  const lacksKey = (use: string): boolean => health.reasonOf(use) === "key_missing";

  return {
    name,
    health,
    /** Refused for want of a key. */
    wantsKey: { contracts: () => lacksKey(contracts), history: () => lacksKey(history) },
    /** After one failure it is not asked for a while. */
    async listInternalTransfers(hash: Hash, signal: AbortSignal): Promise<InternalTransferAnswer> {
      const path = `/api/v2/transactions/${hash}/internal-transactions`;
      const get = (query: Query) => {
        const page = openDeadline(pageTimeoutMs, signal);
        return client.get(withQuery(path, query), page.signal, internalTransfers).finally(() => page.end());
      };
      const answer = readInternalTransfers(await readPages(get, { pagesMax: serviceLimits.explorerPagesMax }));
      if (lacksKey(internalTransfers)) return "keyless";
      // Unless the server has asked for longer.
      if (answer === "failed" && !signal.aborted && !health.rests(internalTransfers))
        health.fail({ restMs: 10_000 }, internalTransfers);
      return answer;
    },
    /** Newest first; undefined: a page is missing. */
    async readAccountList({ account, list, start, pages, signal }: AccountListQuestion): Promise<Rows | undefined> {
      let asked = 0;
      const get = (query: Query) => {
        asked++;
        return client.get(withQuery(`/api/v2/addresses/${account}/${list}`, query), signal, history);
      };
      const fixed = { filter: "from" };
      let rows = await readPages(get, { start, fixed, pagesMax: pages });
      // The server refuses the starting place: read from the newest row.
      if (asked === 1 && (rows === 400 || rows === 422)) rows = await readPages(get, { fixed, pagesMax: pages });
      return typeof rows === "object" ? rows : undefined;
    },
    /** undefined: no answer. */
    async isVerified(address: Address, signal: AbortSignal): Promise<boolean | undefined> {
      return readVerified(await getContract(address, signal));
    },
    /** undefined: no answer. */
    async readContract(address: Address, signal: AbortSignal): Promise<VerifiedContract | undefined> {
      const contract = await getContract(address, signal);
      if (contract === undefined) return undefined;
      return { name: contract.name, abi: contract.abi, implementation: readImplementation(contract.implementations) };
    },
  };
}

const [internalTransfers, history, contracts] = ["internal_transfers", "history", "contracts"] as const;

/** The setting may have more of the routes, or leave out the chain id. */
function baseOf(url: string, chainId: number): string {
  const base = url.replace(/\/+$/, "").replace(/\/api(?:\/v2)?$/, "");
  return base === allChains ? `${base}/${chainId}` : base;
}

const allChains = "https://api.blockscout.com";

function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Unverified contracts are listed with bytecode alone. Undefined e.g. for 404: never seen. */
function readVerified(body: JsonObject | undefined): boolean | undefined {
  if (body?.is_verified === true) return true;
  const isKnown =
    body !== undefined && (body.is_verified === false || "deployed_bytecode" in body || "creation_bytecode" in body);
  return isKnown && (body.is_verified ?? false) === false ? false : undefined;
}
