import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { isLabelled } from "../../../model/label.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Entry } from "./entry.ts";
import { isExempt } from "./exempt.ts";

/**
 * How many addresses may have passed on principals' ether unseen: strangers that got some and may have code, and strangers' code run as a
 * principal's account. 0 where a call tree or an explorer's list shows all ether.
 *
 * @param reached got money of principals
 * @param delegated code run as a principal's account
 */
export function countUnseenEther(reached: ReadonlySet<Address>, delegated: readonly Entry[], act: SubjectAct): number {
  const { tx, file, labels, principals, isProven } = act;
  if (tx.nativeComplete || tx.status === "reverted") return 0;
  const isStranger = (address: Address): boolean =>
    !isExempt(address, act) && !isLabelled(labels, address) && !isProven(address);
  const found = new Set<Address>();
  for (const { token, to, amount, fee } of tx.movements) {
    if (token !== null || fee || amount === 0n || !reached.has(to) || principals.has(to)) continue;
    if (isStranger(to) && file.risk?.verification[to]?.code !== "none") found.add(to);
  }
  const own = tx.authorizations.filter(({ authority }) => authority === null || principals.has(authority));
  for (const { delegate } of own) if (delegate !== zeroAddress && isStranger(delegate)) found.add(delegate);
  for (const { address } of delegated) if (isStranger(address)) found.add(address);
  return found.size;
}
