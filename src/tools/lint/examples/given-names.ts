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

/** No contract of the chain has these addresses. */
export const people: Readonly<Record<string, Address>> = {
  alice: toAddress(`0xa11ce${"0".repeat(30)}a11ce`),
  bob: toAddress(`0xb0b${"0".repeat(34)}b0b`),
  carol: toAddress(`0xca401${"0".repeat(30)}ca401`),
  stranger: toAddress(`0x57a46e${"0".repeat(28)}57a46e`),
  zero: zeroAddress,
  /** Signs the EIP-7702 authorizations. */
  signer: toAddress("0x17975634267e889bf0ebb43e4937e552cedb7d1b"),
};

/** Finds a file's scope by protocol id, for names such as `erc4337/entry_point_v7`. */
export type ScopeLookup = (protocol: string) => FileScope | undefined;

/** Names of one inline example. Collects the reads and logs that prove its members. */
export class GivenNames {
  /** Of the members named so far. */
  readonly reads: ReadLookup[] = [];
  /** Only a factory's event proves them, so the case needs it. */
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

  /** A person, `role`, `role.1`, a member, a token symbol or an address. */
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

  /** Of this file, or `protocol/Name`. */
  item(text: string): AbiItem | undefined {
    const { scope, name } = this.#split(text);
    return scope.abi.get(name);
  }

  /** Other than the text itself, which may be known as something else. */
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

  /** EIP-1014 (CREATE2), with invented answers to its reads, so that the proof accepts it. */
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

/** The factory's log of a new contract. */
export function creationLog(
  proof: { event: EventItem; argument: number; factories: ReadonlySet<Address> },
  address: Address,
) {
  const values = proof.event.inputs.items.map((type, i) => (i === proof.argument ? address : plainValue(type, 0)));
  return encodeLog(proof.event, [...proof.factories][0] ?? zeroAddress, values);
}

/** As in a receipt. */
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

/** Numbers, addresses and fixed bytes hold the seed, so that values differ. */
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

/** Prefers a well-known token. */
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
