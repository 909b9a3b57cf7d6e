import { toAddress } from "../../kernel/address.ts";
import type { ChainFacts } from "./calendar.ts";
import type { LabelEntries } from "./entry.ts";

/** The facts of chain files, with moments as Unix seconds and without sources. */
export function chainFactsOf(entries: LabelEntries): ChainFacts {
  return {
    upgrades: entries.upgrades.map(({ value: { name, activates } }) => ({ name, activates: secondsOf(activates) })),
    blockTimes: entries.block_times.map(({ value: { from_block, at, ms } }) => ({
      fromBlock: from_block,
      at: secondsOf(at),
      ms,
    })),
    gasCaps: entries.gas_caps.map(({ value: { since, gas } }) => ({ since, gas })),
    deposits: entries.deposits.map(({ value: { source: _, from, to, selectors, ...deposit } }) => ({
      ...deposit,
      from: toAddress(from),
      to: toAddress(to),
      selectors: selectors.toSorted(),
    })),
    predeploys: entries.predeploys.map(({ value: { form } }) => ({ form })),
    precompiles: entries.precompiles.map(({ value: { source: _, address, ...rest } }) => ({
      ...rest,
      address: toAddress(address),
    })),
  };
}

function secondsOf(moment: string): number {
  return Date.parse(moment) / 1000;
}
