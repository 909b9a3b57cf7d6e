import { type Address, readAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { CompiledMember, Gate, MemberProof } from "../compiled.ts";
import type { MemberEntry } from "../document/rule-document.ts";
import { listOf } from "./scope.ts";
import type { FileScope, Spot } from "./spot.ts";

/** Roles and members, `any`, or `moved` (the emitter is itself the token that moved). */
export function compileGate(spot: Spot, at: string | string[] | undefined): Gate {
  const { contracts, members } = spot.file;
  const names = listOf(at);
  if (names.length === 0 || names.includes("any")) return { kind: "any" };
  const gates = spot.each(at, (place, name): Gate | undefined => {
    if (name === "moved") return { kind: "moved" };
    const addresses = contracts.get(name);
    if (addresses !== undefined) return { kind: "set", addresses: new Set(addresses) };
    const member = members.get(name);
    if (member !== undefined) return { kind: "proof", member };
    const known = [...contracts.keys(), ...members.keys(), "any", "moved"];
    const address = readAddress(name);
    if (address === undefined) return place.unknown("RL302", name, (say) => say.noRoleOrMember(), known);
    const role = [...contracts].find(([, list]) => list.includes(address))?.[0];
    return place.report("RL302", (say) => say.roleOfAddress(), { suggest: role });
  });
  const sets = gates.filter((gate) => gate.kind === "set");
  const merged: Gate[] =
    sets.length > 1 ? [{ kind: "set", addresses: new Set(sets.flatMap((set) => [...set.addresses])) }] : sets;
  const all = [...merged, ...gates.filter((gate) => gate.kind !== "set")];
  return all.length === 1 ? (all[0] as Gate) : { kind: "either", gates: all };
}

const homes = new WeakMap<FileScope, Gate>();

/** Every contract and member of a file. Made once per file. */
export function homeOf(scope: FileScope): Gate {
  let home = homes.get(scope);
  if (home === undefined) {
    const addresses = new Set([...scope.contracts.values()].flat());
    const members = [...scope.members.values()].map((member): Gate => ({ kind: "proof", member }));
    home = {
      kind: "either",
      gates: [...(addresses.size === 0 ? [] : [{ kind: "set" as const, addresses }]), ...members],
    };
    homes.set(scope, home);
  }
  return home;
}

/** 3 a known contract, 2 a proven member, 1 the moved token itself, 0 anyone; of several the weakest. */
export function gateStrength(gate: Gate): number {
  if (gate.kind === "set") return 3;
  if (gate.kind === "proof") return 2;
  if (gate.kind === "moved") return 1;
  if (gate.kind === "any") return 0;
  return gate.gates.length === 0 ? 0 : Math.min(...gate.gates.map(gateStrength));
}

/** Addresses for indexes; null when the gate may admit others. */
export function gateAddresses(gate: Gate): Address[] | null {
  if (gate.kind === "set") return [...gate.addresses];
  if (gate.kind !== "either") return null;
  const lists = gate.gates.map(gateAddresses);
  return lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

export function gateMembers(gate: Gate): CompiledMember[] {
  if (gate.kind === "proof") return [gate.member];
  return gate.kind === "either" ? gate.gates.flatMap(gateMembers) : [];
}

/** One with a mistake is reported and left out. */
export function compileMember(spot: Spot, role: string, entry: MemberEntry): CompiledMember {
  const { begins, supply_max, registry, created, create2 } = entry;
  const proofs: MemberProof[] = [];
  if (registry !== undefined) {
    const at = spot.in("registry");
    const [address] = at.in("contract").contracts(registry.contract) ?? [];
    const read = at.in("read").call(registry.read);
    if (address !== undefined && read !== undefined)
      proofs.push({ kind: "registry", registry: address, read, expect: registry.expect ?? "true" });
  }
  if (created !== undefined) {
    const at = spot.in("created");
    const factories = new Set(at.in("contract").contracts(created.contract));
    const event = at.in("event").event(created.event);
    const argument = event && at.in("argument").argument(event, created.argument);
    if (event !== undefined && argument !== undefined) proofs.push({ kind: "created", factories, event, argument });
  }
  if (create2 !== undefined) {
    const at = spot.in("create2");
    const [deployer] = at.in("deployer").contracts(create2.deployer) ?? [];
    const reads = create2.reads.map((name, i) => at.in("reads", i).call(name));
    const initCodeHash = create2.init_code_hash as Hex;
    if (deployer !== undefined && reads.every((read) => read !== undefined))
      proofs.push({ kind: "create2", deployer, initCodeHash, reads, packed: create2.encoding === "packed" });
  }
  return {
    role,
    ...(begins && { begins: begins.map((start) => start.toLowerCase()) }),
    ...(supply_max !== undefined && { supplyMax: BigInt(supply_max) }),
    proofs,
  };
}

/** Others are neither asked for nor proven. */
export function mayBeMember({ begins }: CompiledMember, address: Address): boolean {
  return begins === undefined || begins.some((start) => address.startsWith(start));
}
