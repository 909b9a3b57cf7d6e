import type { Address } from "../../../kernel/address.ts";
import { addressesIn, addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import { isLabelled } from "../../../model/label.ts";
import type { Log } from "../../../model/transaction.ts";
import type { SubjectAct } from "../subject-act.ts";

/** Addresses that the principals' own calls and the events name, and whether there were more than the limit lets through. */
export interface Mentioned {
  addresses: ReadonlySet<Address>;
  cut: boolean;
}

/** At most this many words of one call or log are read, and this many addresses are kept. */
const wordsMax = 256;
const mentionedMax = 64;

/**
 * Everybody whom an argument of a principal's call names, or an event near it. Rules read only some of them: these are looked up in the
 * drainer lists alone. Of events, those count that name a principal, or that a contract wrote that it called or that its money reached.
 * `skip`: those that are examined anyway.
 */
export function findMentioned(
  act: SubjectAct,
  reached: ReadonlySet<Address>,
  skip: (address: Address) => boolean,
): Mentioned {
  const { tx, calls, principals, labels } = act;
  const found = new Set<Address>();
  let cut = false;
  const add = (data: string, starts: readonly number[]): void => {
    for (const address of addressesIn(data, starts, wordsMax)) {
      if (found.has(address) || skip(address) || isLabelled(labels, address)) continue;
      if (found.size < mentionedMax) found.add(address);
      else cut = true;
    }
  };
  const own = calls.filter(({ actor }) => principals.has(actor));
  for (const { input, step } of own) if (step === null) add(input, [4, 8]);
  if (tx.status === "reverted") return { addresses: found, cut };
  const called = new Set(own.map(({ to }) => to));
  const isNear = ({ address, topics }: Log) =>
    called.has(address) ||
    reached.has(address) ||
    topics.some((topic) => isAddressWord(topic) && principals.has(addressOfWord(topic)));
  for (const log of tx.logs) {
    if (!isNear(log)) continue;
    for (const topic of log.topics.slice(1)) add(topic, [0]);
    add(log.data, [0]);
  }
  return { addresses: found, cut };
}
