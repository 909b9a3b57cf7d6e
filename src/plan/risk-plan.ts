import { type Examined, examine } from "../assess/examined/examine.ts";
import { isExempt } from "../assess/examined/exempt.ts";
import { findUntrusted } from "../assess/first-contact.ts";
import { findVictims } from "../assess/poisoning.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import type { Address } from "../kernel/address.ts";
import { readQuantity } from "../kernel/hex.ts";
import type { RiskPlan } from "../model/lookup-plan.ts";

/** What the lookups should answer for the flags and checks of this transaction. Pure; `lookupsMax` is the cap. */
export function planRisk(act: SubjectAct, lookupsMax: number): RiskPlan {
  const { file, tx } = act;
  const { addresses, withCode } = examine(act);
  const untrusted = findUntrusted(withCode, act);
  return {
    verify: withCode.slice(0, lookupsMax).map(({ address, roles, selector, account }) => ({
      address,
      selector,
      owner: roles.includes("recipient") ? account : null,
    })),
    histories: historiesOf(act, untrusted),
    listed: [...new Set([...addresses.map(({ address }) => address), ...unseenWays(act)])],
    place: {
      hash: tx.hash,
      from: tx.from,
      nonce: toNumber(file.transaction.nonce),
      block: tx.blockNumber,
      // What is not signed yet comes after every transaction of the block that it is simulated on.
      index: file.simulation === undefined ? toNumber(file.transaction.transactionIndex) : Number.MAX_SAFE_INTEGER,
    },
  };
}

/** The subject's history, and of one more account: a victim's, or that of another principal that dealt with strangers. */
function historiesOf(act: SubjectAct, untrusted: readonly Examined[]): Address[] {
  const { subject } = act;
  const victims = findVictims(act);
  // One victim can be looked up; with more of them the number alone tells.
  if (victims.length === 1) return [subject, ...victims];
  const others = new Set(untrusted.map(({ account }) => account).filter((account) => account !== subject));
  return [subject, ...[...others].slice(0, othersMax)];
}

const othersMax = 1;

/** Where ether is not seen yet, the money may turn out to have passed anybody who moved something. */
function unseenWays({ tx }: SubjectAct): Address[] {
  return tx.nativeComplete ? [] : tx.movements.flatMap(({ from, to }) => [from, to]).filter((one) => !isExempt(one));
}

function toNumber(quantity: string | undefined): number | null {
  const value = readQuantity(quantity);
  return value === undefined ? null : Number(value);
}
