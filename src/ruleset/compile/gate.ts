import { suggest } from "../../documents/suggest.ts";
import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { CompiledMember, Gate, MemberProof } from "../compiled.ts";
import type { MemberEntry } from "../document/rule-document.ts";
import { eventNamed, type FileScope, functionNamed, listOf } from "./scope.ts";

/** Compiles `at:`: roles and members of the file, `any`, or `moved` (the emitter is itself the token that moved). */
export function compileGate(scope: FileScope, at: string | string[] | undefined, path: (string | number)[]): Gate {
  const names = listOf(at);
  if (names.length === 0 || names.includes("any")) return { kind: "any" };
  const gates = names.flatMap((name, i): Gate[] => {
    if (name === "moved") return [{ kind: "moved" }];
    const addresses = scope.contracts.get(name);
    if (addresses !== undefined) return [{ kind: "set", addresses: new Set(addresses) }];
    const member = scope.members.get(name);
    if (member !== undefined) return [{ kind: "proof", member }];
    const known = [...scope.contracts.keys(), ...scope.members.keys(), "any", "moved"];
    scope.reporter.report(
      "RL302",
      Array.isArray(at) ? [...path, i] : path,
      `\`${name}\` is no contract role or member of this file`,
      {
        suggest: suggest(name, known),
      },
    );
    return [];
  });
  const sets = gates.filter((gate) => gate.kind === "set");
  const merged: Gate[] =
    sets.length > 1 ? [{ kind: "set", addresses: new Set(sets.flatMap((set) => [...set.addresses])) }] : sets;
  const all = [...merged, ...gates.filter((gate) => gate.kind !== "set")];
  return all.length === 1 ? (all[0] as Gate) : { kind: "either", gates: all };
}

const homes = new WeakMap<FileScope, Gate>();

/** Admits every contract and member of a file; nobody where it has none. */
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

/** How much a gate proves: 3 contract address, 2 proof of membership, 1 the moved token itself, 0 anyone. */
export function gateStrength(gate: Gate): number {
  if (gate.kind === "set") return 3;
  if (gate.kind === "proof") return 2;
  if (gate.kind === "moved") return 1;
  if (gate.kind === "any") return 0;
  return gate.gates.length === 0 ? 0 : Math.min(...gate.gates.map(gateStrength));
}

/** Every address that a gate names, for indexes by address; null when it admits others too. */
export function gateAddresses(gate: Gate): Address[] | null {
  if (gate.kind === "set") return [...gate.addresses];
  if (gate.kind !== "either") return null;
  const lists = gate.gates.map(gateAddresses);
  return lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

/** The members that a gate may ask proof of. */
export function gateMembers(gate: Gate): CompiledMember[] {
  if (gate.kind === "proof") return [gate.member];
  return gate.kind === "either" ? gate.gates.flatMap(gateMembers) : [];
}

/** Compiles one entry of `members:`. */
export function compileMember(scope: FileScope, role: string, entry: MemberEntry): CompiledMember {
  const proofs: MemberProof[] = [];
  if (entry.registry !== undefined) {
    const path = ["members", role, "registry"];
    const registry = contractNamed(scope, entry.registry.contract, [...path, "contract"])[0];
    const read = functionNamed(scope, entry.registry.read, [...path, "read"]);
    if (registry !== undefined && read !== undefined)
      proofs.push({ kind: "registry", registry, read, expect: entry.registry.expect ?? "true" });
  }
  if (entry.created !== undefined) {
    const path = ["members", role, "created"];
    const factories = new Set(contractNamed(scope, entry.created.contract, [...path, "contract"]));
    const event = eventNamed(scope, entry.created.event, [...path, "event"]);
    const argument = event?.inputs.names.indexOf(entry.created.argument) ?? -1;
    if (event !== undefined && argument < 0)
      scope.reporter.report(
        "RL303",
        [...path, "argument"],
        `\`${entry.created.argument}\` is no argument of the event`,
        {
          suggest: suggest(entry.created.argument, event.inputs.names),
        },
      );
    if (event !== undefined && argument >= 0) proofs.push({ kind: "created", factories, event, argument });
  }
  if (entry.create2 !== undefined) {
    const path = ["members", role, "create2"];
    const deployer = contractNamed(scope, entry.create2.deployer, [...path, "deployer"])[0];
    const reads = entry.create2.reads.map((name, i) => functionNamed(scope, name, [...path, "reads", i]));
    if (deployer !== undefined && reads.every((read) => read !== undefined))
      proofs.push({
        kind: "create2",
        deployer,
        initCodeHash: entry.create2.init_code_hash as Hex,
        reads,
        packed: entry.create2.encoding === "packed",
      });
  }
  return { role, proofs };
}

function contractNamed(scope: FileScope, name: string, path: (string | number)[]): Address[] {
  const addresses = scope.contracts.get(name);
  if (addresses === undefined)
    scope.reporter.report("RL302", path, `\`${name}\` is no contract role of this file`, {
      suggest: suggest(name, [...scope.contracts.keys()]),
    });
  return addresses ?? [];
}
