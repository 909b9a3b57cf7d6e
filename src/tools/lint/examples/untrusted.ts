import { normalize } from "../../../engine/normalize/normalize.ts";
import { GateKeeper } from "../../../engine/unwrap/gates.ts";
import { type Address, readAddress, toAddress } from "../../../kernel/address.ts";
import type { CaseFile, RpcLog } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import { gateMembers, gateStrength } from "../../../rules/ruleset/compile/gate.ts";
import type { FileScope } from "../../../rules/ruleset/compile/spot.ts";
import type { Anchor, CompiledMember, CompiledRule, Gate } from "../../../rules/ruleset/compiled.ts";
import { people } from "./given-names.ts";

/** Known addresses, and all members that a proof shows. */
interface Trusted {
  addresses: readonly Address[];
  members: readonly CompiledMember[];
}

export function contractsOf(scope: FileScope, roles: readonly string[]): Trusted {
  return {
    addresses: roles.flatMap((role) => scope.contracts.get(role) ?? []),
    members: roles.flatMap((role) => scope.members.get(role) ?? []),
  };
}

/** In each copy the contracts of one gate are replaced by untrusted ones, so that the rule must not fit. */
export function untrustedCopies(original: CaseFile, forms: readonly CompiledRule[], labels: Labels): CaseFile[] {
  const reverted = original.receipt.status === "0x0";
  const own = forms.find((rule) => (rule.status === "reverted") === reverted);
  const gates = own === undefined ? [] : protectingGates(own.anchor);
  return gates
    .map((gate) => replaceByUntrusted(original, admittedBy(gate), labels))
    .filter((copy) => copy !== original);
}

/** They admit only known contracts and proven members. */
export function protectingGates(anchor: Anchor): Gate[] {
  return gatesOf(anchor).filter((gate) => gateStrength(gate) >= 2);
}

function gatesOf(anchor: Anchor): Gate[] {
  if (anchor.kind === "transfer") return [anchor.from, anchor.to];
  if (anchor.kind === "none" || anchor.kind === "authorization") return [];
  return anchor.kind === "event" && anchor.companion !== null ? [anchor.gate, anchor.companion.gate] : [anchor.gate];
}

function admittedBy(gate: Gate): Trusted {
  const setsIn = (one: Gate): Address[] =>
    one.kind === "either" ? one.gates.flatMap(setsIn) : one.kind === "set" ? [...one.addresses] : [];
  return { addresses: setsIn(gate), members: gateMembers(gate) };
}

/**
 * Everywhere: emitter, target, party, words of topics, data and calldata. Reads and logs of factories stay, so that nothing proves the
 * replacements.
 */
export function replaceByUntrusted(file: CaseFile, { addresses, members }: Trusted, labels: Labels): CaseFile {
  const untrusted = untrustedFor([...addresses, ...members.flatMap((member) => membersIn(file, member, labels))]);
  if (untrusted.size === 0) return file;
  const { reads, receipt, ...rest } = file;
  const { logs, ...envelope } = receipt;
  return {
    ...swapAddresses(rest, untrusted),
    reads,
    receipt: { ...swapAddresses(envelope, untrusted), logs: swapLogs(logs, members, untrusted) },
  };
}

type Others = ReadonlyMap<Address, Address>;

/** Works inside data too, and on topics with only the first 19 bytes. */
export function swapAddresses<T>(value: T, others: Others): T {
  if (others.size === 0) return value;
  const pairs = [...others].map(([from, to]) => [from.slice(2), to.slice(2)] as const);
  const digits = new Map([...pairs, ...pairs.map(([from, to]) => [from.slice(0, 38), to.slice(0, 38)] as const)]);
  const prefixes = pairs.map(([from]) => `(?<="0x)${from.slice(0, 38)}(?=0{26}")`);
  const pattern = new RegExp([...pairs.map(([from]) => from), ...prefixes].join("|"), "gi");
  return JSON.parse(JSON.stringify(value).replace(pattern, (found) => digits.get(found.toLowerCase()) ?? found)) as T;
}

/** As {@link swapAddresses}. Logs of factories stay: they prove members. */
export function swapLogs(logs: readonly RpcLog[], members: readonly CompiledMember[], others: Others): RpcLog[] {
  const proofs = members.flatMap((member) => member.proofs);
  const factories = new Set<string>(proofs.flatMap((proof) => (proof.kind === "created" ? [...proof.factories] : [])));
  return logs.map((log) => (factories.has(log.address.toLowerCase()) ? log : swapAddresses(log, others)));
}

/** Proven members among emitters, targets, and contracts and arguments of reads. */
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

/** The same addresses always give the same contracts. */
export function untrustedFor(addresses: Iterable<Address>): Map<Address, Address> {
  return new Map([...new Set(addresses)].sort().map((address, i) => [address, untrustedAt(i)]));
}

export function untrustedAt(index: number): Address {
  return toAddress(`0x${(BigInt(people.stranger as Address) + BigInt(index)).toString(16).padStart(40, "0")}`);
}
