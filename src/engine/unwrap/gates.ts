import { type Address, zeroAddress } from "../../kernel/address.ts";
import { keccakOfDigits } from "../../kernel/hash.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Transaction } from "../../model/transaction.ts";
import { compileReader, decode } from "../../rules/abi/decoder.ts";
import { encodeTuple } from "../../rules/abi/encoder.ts";
import type { FunctionItem } from "../../rules/abi/signature.ts";
import { mayBeMember } from "../../rules/ruleset/compile/gate.ts";
import type { CompiledMember, Gate, MemberProof } from "../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { ReadPrecompiles } from "../normalize/precompiles.ts";

type Evidence = { readonly [K in "logs" | "movements"]: readonly Transaction[K][number][] };

/** In one transaction; proofs come from the case file. */
export class GateKeeper {
  readonly #tx: Evidence;
  readonly #file: CaseFile;
  #reads: Map<string, Hex> | undefined;
  // Lazy.
  #moved: Map<Address, Set<Address>> | undefined;
  #proven: Map<CompiledMember, Map<Address, boolean>> | undefined;
  /** By proof: announced by its factories. */
  #announced: Map<MemberProof, ReadonlySet<unknown>> | undefined;

  constructor(tx: Evidence, file: CaseFile) {
    this.#tx = tx;
    this.#file = file;
  }

  /** `subject` matters for `moved` only: tokens that it gave or got. */
  admits(gate: Gate, address: Address | null, subject: Address): boolean {
    if (gate.kind === "any") return true;
    if (address === null) return false;
    if (gate.kind === "set") return gate.addresses.has(address);
    if (gate.kind === "either") return this.admitsAny(gate.gates, address, subject);
    if (gate.kind === "moved") return this.#movedBy(subject).has(address);
    return this.#isMember(gate.member, address);
  }

  admitsAny(gates: readonly Gate[], address: Address | null, subject: Address): boolean {
    for (const gate of gates) if (this.admits(gate, address, subject)) return true;
    return false;
  }

  #movedBy(subject: Address): Set<Address> {
    this.#moved ??= new Map();
    const known = this.#moved.get(subject);
    if (known !== undefined) return known;
    const tokens = new Set<Address>();
    for (const movement of this.#tx.movements)
      if (movement.token !== null && (movement.from === subject || movement.to === subject)) tokens.add(movement.token);
    this.#moved.set(subject, tokens);
    return tokens;
  }

  #isMember(member: CompiledMember, address: Address): boolean {
    this.#proven ??= new Map();
    let answers = this.#proven.get(member);
    if (answers === undefined) {
      answers = new Map();
      this.#proven.set(member, answers);
    }
    const known = answers.get(address);
    if (known !== undefined) return known;
    const proven = mayBeMember(member, address) && member.proofs.some((proof) => this.#proves(proof, address));
    answers.set(address, proven);
    return proven;
  }

  #proves(proof: MemberProof, address: Address): boolean {
    if (proof.kind === "registry") return this.#registers(proof, address);
    if (proof.kind === "create2") return this.#derives(proof, address);
    return this.#announcedBy(proof).has(address);
  }

  #announcedBy(proof: Extract<MemberProof, { kind: "created" }>): ReadonlySet<unknown> {
    this.#announced ??= new Map();
    let announced = this.#announced.get(proof);
    if (announced === undefined) {
      const { event, factories, argument } = proof;
      const made = this.#tx.logs.filter((log) => log.topics[0] === event.hash && factories.has(log.address));
      announced = new Set(made.map((log) => event.read(log.topics, log.data)?.[argument]));
      this.#announced.set(proof, announced);
    }
    return announced;
  }

  #registers(proof: MemberProof & { kind: "registry" }, address: Address): boolean {
    const result = this.#answer(proof.registry, registryCalldata(proof.read, address));
    if (result === undefined || result.length < 66) return false;
    const word = BigInt(result.slice(0, 66));
    if (proof.expect === "true") return word === 1n;
    return proof.expect === "self" ? word === BigInt(address) : word !== 0n;
  }

  /** undefined: no question or no answer. */
  #answer(to: Address, data: Hex): Hex | undefined {
    if (this.#reads === undefined) {
      this.#reads = new Map();
      for (const read of this.#file.reads)
        if (read.status === "found" && read.result !== null) this.#reads.set(`${read.to}${read.data}`, read.result);
    }
    return this.#reads.get(`${to}${data}`);
  }

  /** From the known deployer (CREATE2, EIP-1014). A lying member would give another address. */
  #derives(proof: MemberProof & { kind: "create2" }, address: Address): boolean {
    let salt = "";
    for (const read of proof.reads) {
      const result = this.#answer(address, read.hash);
      const values = result === undefined ? undefined : decode(compileReader(read.outputs), result, 2);
      // Odd hex digits are no answer.
      if (values === undefined || (result as string).length % 2 > 0) return false;
      salt += proof.packed ? packed(read, values) : encodeTuple(read.outputs.items, values);
    }
    // EIP-1014.
    const parts = [proof.deployer, keccakOfDigits(salt), proof.initCodeHash].map((part) => part.slice(2));
    return keccakOfDigits(`ff${parts.join("")}`).slice(26) === address.slice(2);
  }
}

/** Needs the case file and logs alone. */
export function precompilesIn(file: CaseFile, { precompiles }: Pick<Ruleset, "precompiles">): ReadPrecompiles {
  return (logs) => {
    const gates = new GateKeeper({ logs, movements: [] }, file);
    return (address) => gates.admitsAny(precompiles, address, zeroAddress);
  };
}

/** Base units; undefined: no proof. */
export function supplyLimits(
  file: CaseFile,
  { limitedTokens }: Pick<Ruleset, "limitedTokens">,
  logs: Transaction["logs"],
): (token: Address) => bigint | undefined {
  const gates = new GateKeeper({ logs, movements: [] }, file);
  return (token) =>
    limitedTokens.find((member) => gates.admits({ kind: "proof", member }, token, zeroAddress))?.supplyMax;
}

/** The member's address is the only argument. */
export function registryCalldata(read: FunctionItem, address: Address): Hex {
  return `${read.hash}${address.slice(2).padStart(64, "0")}` as Hex;
}

/** abi.encodePacked: addresses 20 bytes, integers their width, bool one byte. */
function packed(read: FunctionItem, values: readonly unknown[]): string {
  return read.outputs.items
    .map((type, i) => {
      if (type.kind === "address") return String(values[i]).slice(2);
      if (type.kind === "bool") return values[i] === true ? "01" : "00";
      if (type.kind === "uint" || type.kind === "int")
        return BigInt.asUintN(type.bits, values[i] as bigint)
          .toString(16)
          .padStart(type.bits / 4, "0");
      return String(values[i]).slice(2);
    })
    .join("");
}
