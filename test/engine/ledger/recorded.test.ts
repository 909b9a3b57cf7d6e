import { describe, expect, it } from "vitest";
import { MoneyLedger } from "../../../src/engine/ledger/ledger.ts";
import { findWraps, ledgerKeyOf } from "../../../src/engine/ledger/movement-order.ts";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { labels, recordings } from "../../property/world.ts";

describe("the ledger of every recorded transaction", () => {
  it("gives each account the same net as the movements do, and keeps as much as it gives", () => {
    for (const file of recordings) {
      const tx = normalize(file, labels);
      const ledger = new MoneyLedger(tx, new Set([tx.from]));
      const wraps = findWraps(tx);
      const nets = new Map<string, bigint>();
      const accounts = new Set<string>();
      for (const move of tx.movements) {
        if (move.fee || move.amount === 0n || move.from === move.to || wraps.has(move.index)) continue;
        const key = ledgerKeyOf(move, tx);
        nets.set(`${move.from} ${key}`, (nets.get(`${move.from} ${key}`) ?? 0n) - move.amount);
        nets.set(`${move.to} ${key}`, (nets.get(`${move.to} ${key}`) ?? 0n) + move.amount);
        accounts.add(move.from).add(move.to);
      }
      const own = [...accounts].flatMap((account) =>
        [...ledger.net(account as typeof tx.from)].map(([key, amount]) => [`${account} ${key}`, amount] as const),
      );
      const moved = [...nets].filter(([, amount]) => amount !== 0n);
      expect([file.tx_hash, new Map(own)]).toEqual([file.tx_hash, new Map(moved)]);
    }
  });
});
