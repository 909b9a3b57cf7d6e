import { type Address, readAddress, toAddress } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import { normalize } from "../../normalize/normalize.ts";
import { gateMembers } from "../../ruleset/compile/gate.ts";
import type { FileScope } from "../../ruleset/compile/spot.ts";
import type { CompiledMember, Gate } from "../../ruleset/compiled.ts";
import { GateKeeper } from "../../unwrap/gates.ts";
import { people } from "./given-names.ts";

/** Contracts to put untrusted ones in the place of: known addresses, and all that a proof shows to be members. */
export interface Trusted {
  addresses: readonly Address[];
  members: readonly CompiledMember[];
}

/** The contracts of roles and members of a file. */
export function contractsOf(scope: FileScope, roles: readonly string[]): Trusted {
  return {
    addresses: roles.flatMap((role) => scope.contracts.get(role) ?? []),
    members: roles.flatMap((role) => scope.members.get(role) ?? []),
  };
}

/** The contracts that a gate admits. */
export function admittedBy(gate: Gate): Trusted {
  if (gate.kind === "set") return { addresses: [...gate.addresses], members: [] };
  if (gate.kind !== "either") return { addresses: [], members: gateMembers(gate) };
  const parts = gate.gates.map(admittedBy);
  return { addresses: parts.flatMap((part) => part.addresses), members: parts.flatMap((part) => part.members) };
}

/**
 * A copy of a case in which an untrusted contract stands wherever the given contracts stood: as emitter, target, party and in every word of
 * topics, data and calldata. Reads and the logs of factories stay, so that no proof speaks for it.
 */
export function replaceByUntrusted(file: CaseFile, { addresses, members }: Trusted, labels: Labels): CaseFile {
  const replaced = new Set<Address>(addresses);
  for (const member of members) for (const address of membersIn(file, member, labels)) replaced.add(address);
  const proofs = members.flatMap((member) => member.proofs);
  const kept = new Set(proofs.flatMap((proof) => (proof.kind === "created" ? [...proof.factories] : [])));
  const untrusted = new Map([...replaced].sort().map((address, i) => [address.slice(2), untrustedAt(i).slice(2)]));
  if (untrusted.size === 0) return file;
  const pattern = new RegExp([...untrusted.keys()].join("|"), "gi");
  const swap = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(pattern, (found) => untrusted.get(found.toLowerCase()) ?? found));
  const { reads, receipt, ...rest } = file;
  const { logs, ...envelope } = receipt;
  return {
    ...swap(rest),
    reads,
    receipt: {
      ...swap(envelope),
      logs: logs.map((log) => (kept.has(log.address.toLowerCase() as Address) ? log : swap(log))),
    },
  };
}

/** Addresses of a case that are proven to be members: emitters of its logs and targets of its calls. */
function membersIn(file: CaseFile, member: CompiledMember, labels: Labels): Address[] {
  const tx = normalize(file, labels);
  const gates = new GateKeeper(tx, file);
  const seen = new Set<Address>([...tx.logs.map((log) => log.address), ...tx.calls.flatMap((call) => call.to ?? [])]);
  for (const read of file.reads) {
    seen.add(toAddress(read.to));
    const argument = readAddress(`0x${read.data.slice(-40)}`);
    if (argument !== undefined) seen.add(argument);
  }
  return [...seen].filter((address) => gates.admits({ kind: "proof", member }, address, tx.from));
}

/** The address of an untrusted contract by its number. */
export function untrustedAt(index: number): Address {
  return toAddress(`0x${(BigInt(people.stranger as Address) + BigInt(index)).toString(16).padStart(40, "0")}`);
}
