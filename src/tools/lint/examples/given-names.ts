import { concat, encodePacked, getCreate2Address, keccak256, pad, toHex } from "viem/utils";
import { registryCalldata } from "../../../engine/unwrap/gates.ts";
import { type Address, readAddress, toAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { ReadLookup } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import { type AbiType, typeText, type Value } from "../../../rules/abi/abi-type.ts";
import { encodeTuple } from "../../../rules/abi/encoder.ts";
import type { AbiItem, EventItem } from "../../../rules/abi/signature.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import type { FileScope } from "../../../rules/ruleset/compile/spot.ts";
import type { CompiledMember, MemberProof } from "../../../rules/ruleset/compiled.ts";

/** The people of inline examples. No contract of the chain has these addresses. */
export const people: Readonly<Record<string, Address>> = {
  alice: toAddress(`0xa11ce${"0".repeat(30)}a11ce`),
  bob: toAddress(`0xb0b${"0".repeat(34)}b0b`),
  carol: toAddress(`0xca401${"0".repeat(30)}ca401`),
  stranger: toAddress(`0x57a46e${"0".repeat(28)}57a46e`),
  zero: zeroAddress,
  /** The account that signs the EIP-7702 authorizations of examples. */
  signer: toAddress("0x17975634267e889bf0ebb43e4937e552cedb7d1b"),
};

/** Finds the scope of another rule file by its protocol id, for names such as `erc4337/entry_point_v7`. */
export type ScopeLookup = (protocol: string) => FileScope | undefined;

/** Resolves the names in one inline example. Also collects the reads and logs that the case needs, so that its members are proven. */
export class GivenNames {
  /** Reads that prove the members named so far. */
  readonly reads: ReadLookup[] = [];
  /** Members that only the event of a factory proves. The case needs this event among its logs. */
  readonly created: { address: Address; proof: MemberProof & { kind: "created" } }[] = [];
  readonly #scope: FileScope;
  readonly #scopes: ScopeLookup;
  readonly #labels: Labels;
  readonly #members: Map<string, Address> = new Map();

  constructor(scope: FileScope, scopes: ScopeLookup, labels: Labels) {
    this.#scope = scope;
    this.#scopes = scopes;
    this.#labels = labels;
  }

  /** The address of a name: a person, `role`, `role.1`, a member, a token symbol or an address; undefined when it is unknown. */
  address(text: unknown): Address | undefined {
    if (typeof text !== "string") return undefined;
    const literal = readAddress(text) ?? (Object.hasOwn(people, text) ? people[text] : undefined);
    if (literal !== undefined) return literal;
    const { scope, name } = this.#split(text);
    const [, base = "", index = "0"] = /^(.*?)(?:\.(\d+))?$/.exec(name) ?? [];
    if (scope.contracts.has(base)) return scope.contracts.get(base)?.[Number(index)];
    const member = scope.members.get(base);
    return member === undefined
      ? symbolAddress(this.#labels, text)
      : this.#member(member, scope.document.protocol, Number(index));
  }

  /** The ABI item of a name of this file, or of `protocol/Name` for another file. */
  item(text: string): AbiItem | undefined {
    const { scope, name } = this.#split(text);
    return scope.abi.get(name);
  }

  /** The known name that is closest to a text, other than the text itself: it may be known, but as something else. */
  suggest(text: string): string | undefined {
    const { contracts, members, abi } = this.#scope;
    const known = [...Object.keys(people), ...contracts.keys(), ...members.keys(), ...abi.keys()];
    return suggest(
      text,
      known.filter((name) => name !== text),
    );
  }

  #split(text: string): { scope: FileScope; name: string } {
    const slash = text.indexOf("/");
    const other = slash < 0 ? undefined : this.#scopes(text.slice(0, slash));
    return other === undefined ? { scope: this.#scope, name: text } : { scope: other, name: text.slice(slash + 1) };
  }

  #member(member: CompiledMember, protocol: string, index: number): Address {
    const key = `${protocol}/${member.role}.${index}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const [start = "0x"] = member.begins ?? [];
    const invented = toAddress(`${start}${keccak256(toHex(key)).slice(24 + start.length)}`);
    const proof = member.proofs.find((one) => one.kind !== "created") ?? member.proofs[0];
    const address = proof?.kind === "create2" ? this.#derive(proof, index) : invented;
    if (proof?.kind === "registry") {
      const answer = pad(proof.expect === "self" ? address : "0x1");
      this.#read(proof.registry, registryCalldata(proof.read, address), answer);
    }
    if (proof?.kind === "created") this.created.push({ address, proof });
    this.#members.set(key, address);
    return address;
  }

  /** The member's address by EIP-1014 (CREATE2), computed from invented answers to its reads. The proof then accepts the address. */
  #derive(proof: MemberProof & { kind: "create2" }, index: number): Address {
    const answers = proof.reads.map((read) => ({
      read,
      values: read.outputs.items.map((type) => plainValue(type, index)),
    }));
    const salts = answers.map(
      ({ read: { outputs }, values }): Hex =>
        proof.packed ? encodePacked(outputs.items.map(typeText), values) : `0x${encodeTuple(outputs.items, values)}`,
    );
    const address = toAddress(
      getCreate2Address({ from: proof.deployer, salt: keccak256(concat(salts)), bytecodeHash: proof.initCodeHash }),
    );
    for (const { read, values } of answers)
      this.#read(address, read.hash, `0x${encodeTuple(read.outputs.items, values)}`);
    return address;
  }

  #read(to: Address, data: Hex, result: Hex): void {
    this.reads.push({ status: "found", source: "example", to, data, result });
  }
}

/** The log in which a factory says that it made a contract. */
export function creationLog(
  proof: { event: EventItem; argument: number; factories: ReadonlySet<Address> },
  address: Address,
) {
  const values = proof.event.inputs.items.map((type, i) => (i === proof.argument ? address : plainValue(type, 0)));
  return encodeLog(proof.event, [...proof.factories][0] ?? zeroAddress, values);
}

/** A log of an event as a receipt holds it. */
export function encodeLog(event: EventItem, emitter: Address, values: readonly Value[]) {
  const { items } = event.inputs;
  const encode = (places: readonly number[]) =>
    `0x${encodeTuple(
      places.map((i) => items[i] as AbiType),
      places.map((i) => values[i] as Value),
    )}`;
  const places = [...items.keys()];
  const topics = places.filter((i) => event.indexed[i]).map((i) => encode([i]));
  return { address: emitter, topics: [event.hash, ...topics], data: encode(places.filter((i) => !event.indexed[i])) };
}

/** The simplest value of a type. Numbers, addresses and fixed bytes hold the seed, so that several values can differ. */
export function plainValue(type: AbiType, seed: number): Value {
  switch (type.kind) {
    case "uint":
    case "int":
      return BigInt(seed);
    case "address":
      return `0x${seed.toString(16).padStart(40, "0")}`;
    case "bool":
      return false;
    case "fixed":
      return `0x${seed.toString(16).padStart(type.size * 2, "0")}`;
    case "bytes":
      return "0x";
    case "string":
      return "";
    case "tuple":
      return type.items.map((item) => plainValue(item, seed));
    case "array":
      return Array.from({ length: type.length ?? 0 }, () => plainValue(type.item, seed));
  }
}

const symbolsOf = new WeakMap<Labels, Map<string, Address>>();

/** The token with that symbol. A well-known token goes before others. */
function symbolAddress(labels: Labels, symbol: string): Address | undefined {
  let symbols = symbolsOf.get(labels);
  if (symbols === undefined) {
    symbols = new Map();
    for (const token of labels.tokens())
      if (token.wellKnown || !symbols.has(token.symbol)) symbols.set(token.symbol, token.address);
    symbolsOf.set(labels, symbols);
  }
  return symbols.get(symbol);
}
