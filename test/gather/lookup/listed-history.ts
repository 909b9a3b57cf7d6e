import type { ReadGrantee } from "../../../src/gather/lookup/risk/own-act.ts";
import { createSenderHistory } from "../../../src/gather/lookup/risk/sender-history.ts";
import { createBlockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { TransactionPlace } from "../../../src/model/lookup-plan.ts";
import { granteeOf } from "../../../src/rules/ruleset/grant-table.ts";
import { alice, someone } from "../../engine/assess/scene.ts";
import { ruleset } from "../../property/world.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { hashOf } from "../../support/sample.ts";

export const bob = someone("bob");
export const spender = someone("spender");
export const router = someone("router");

interface Lists {
  transactions?: object[];
  "token-transfers"?: object[];
  "internal-transactions"?: object[];
}

const readGrantee: ReadGrantee = (to, input) => granteeOf(ruleset.grants, to, input);
let nextHash = 100;

/** A transaction of alice's as Blockscout lists it: in block 50, unless said otherwise. */
export function sent(to: Address | null, parts: object = {}): { hash: Hex } & Record<string, unknown> {
  const hash = hashOf(nextHash++);
  return {
    ...{ hash, block_number: 50, position: 0, status: "ok", value: "0", raw_input: "0x" },
    ...{ from: { hash: alice }, to: to === null ? null : { hash: to }, ...parts },
  };
}

/** A token transfer of alice's as Blockscout lists it. */
export function moved(hash: Hex, to: Address, total: object = { value: "5", decimals: "6" }): object {
  return { transaction_hash: hash, block_number: 50, log_index: 1, from: { hash: alice }, to: { hash: to }, total };
}

/** A call that alice's code made, as Blockscout lists it. */
export function inner(to: Address, parts: object = {}): object {
  return {
    ...{ transaction_hash: hashOf(nextHash++), block_number: 50, transaction_index: 0, type: "call" },
    ...{ from: { hash: alice }, to: { hash: to }, value: "0", success: true, ...parts },
  };
}

/** Reads histories from the explorer of this address. */
export function historyAt(url: string, pages = 2) {
  const clock = { now: () => 1 };
  return createSenderHistory(createBlockscout(url, { chainId: 8453, key: null, pageTimeoutMs: 1_000, clock }), {
    pages,
    readGrantee,
    clock,
  });
}

/** An explorer that lists these transactions, newest first, `size` on a page, from a given block backwards. */
export async function explorer(lists: Lists, { size = 50, pages = 2 }: { size?: number; pages?: number } = {}) {
  const server = await startFactServer((url) => {
    const list = url.pathname.split("/").at(-1) as keyof Lists;
    const rows = lists[list] ?? [];
    const start = Number(url.searchParams.get("skip") ?? 0);
    const items = rows.slice(start, start + size);
    const next_page_params = start + size < rows.length ? { skip: start + size, block_number: 50 } : null;
    return { body: { items, next_page_params } };
  });
  const look = historyAt(server.url, pages);
  const ask = (place: Partial<TransactionPlace> = {}, account = alice) =>
    look({
      account,
      place: { hash: hashOf(7), from: alice, nonce: lists.transactions?.length ?? 0, block: 100, index: 3, ...place },
      signal: AbortSignal.timeout(2_000),
      time: () => "then",
    });
  return { server, ask };
}
