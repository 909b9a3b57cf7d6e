import type { Address } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import type { RiskPlan } from "../../model/lookup-plan.ts";
import { type Examined, examine } from "../assess/examined/examine.ts";
import { isExempt } from "../assess/examined/exempt.ts";
import { findUntrusted } from "../assess/first-contact.ts";
import { findVictims } from "../assess/poisoning.ts";
import type { SubjectAct } from "../assess/subject-act.ts";

/** Pure. Source code of at most `lookupsMax` addresses. */
export function planRisk(act: SubjectAct, lookupsMax: number): RiskPlan {
  const { file, tx } = act;
  const { addresses, withCode, actors } = examine(act);
  const untrusted = findUntrusted(withCode, act);
  return {
    verify: calledFirst(withCode, act)
      .slice(0, lookupsMax)
      .map(({ address, roles, selector, account }) => ({
        address,
        selector,
        owner: roles.includes("recipient") ? account : null,
      })),
    histories: historiesOf(act, untrusted),
    listed: [...new Set([...[...addresses, ...actors].map(({ address }) => address), ...unseenWays(act)])],
    place: {
      hash: tx.hash,
      from: tx.from,
      nonce: toNumber(file.transaction.nonce),
      block: tx.blockNumber,
      // A preview comes after its block's transactions.
      index: file.simulation === undefined ? toNumber(file.transaction.transactionIndex) : Number.MAX_SAFE_INTEGER,
    },
  };
}

/** The subject's called contract first: a reader knows it by name. */
function calledFirst(withCode: readonly Examined[], { calls, subject }: SubjectAct): readonly Examined[] {
  const coded = new Map(withCode.map((one) => [one.address, one]));
  const call = calls.find(({ actor, delegate, to }) => actor === subject && !delegate && to !== null && coded.has(to));
  const called = call?.to == null ? undefined : coded.get(call.to);
  return called === undefined ? withCode : [called, ...withCode.filter((one) => one !== called)];
}

/** The subject and one more: the only poisoning victim, or a principal that dealt with strangers. */
function historiesOf(act: SubjectAct, untrusted: readonly Examined[]): Address[] {
  const { subject } = act;
  const victims = findVictims(act);
  // Several victims are proof enough.
  if (victims.length === 1) return [subject, ...victims];
  const others = new Set(untrusted.map(({ account }) => account).filter((account) => account !== subject));
  return [subject, ...[...others].slice(0, othersMax)];
}

const othersMax = 1;

/** Without all ether known, every party may have passed money on. */
function unseenWays(act: SubjectAct): Address[] {
  const { tx } = act;
  if (tx.nativeComplete) return [];
  return tx.movements.flatMap(({ from, to }) => [from, to]).filter((one) => !isExempt(one, act));
}

function toNumber(quantity: string | undefined): number | null {
  const value = readQuantity(quantity);
  return value === undefined ? null : Number(value);
}
