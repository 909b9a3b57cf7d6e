import { type Address, create2Address, create3Address } from "../../../../kernel/address.ts";
import type { BalanceChanges, MatchContext } from "../../../../model/match.ts";
import type { SignedDomain } from "../../../../model/message.ts";
import type { Movement } from "../../../../model/transaction.ts";
import type { AbiType, Value } from "../../../abi/abi-type.ts";

export type PathType = "address" | "uint" | "int" | "bool" | "bytes" | "string" | "array" | "tuple";

export interface CompiledPath {
  type: PathType;
  /** null where the path does not end in decoded data. */
  layout: AbiType | null;
  get: (source: PathSource) => Value | undefined;
}

/** Match and unwrap contexts are read through the same paths. */
export type PathSource = MatchContext & {
  item?: Value;
  caller?: Address;
  to?: Address;
  value?: bigint;
  domain?: SignedDomain;
};

export const reading = (type: PathType) => (get: (source: PathSource) => unknown) =>
  ({ type, layout: null, get }) as CompiledPath;
export const address = reading("address");
export const uint = reading("uint");
export const text = reading("string");
const bool = reading("bool");
export const bytes = reading("bytes");

/** An asset is `native` or the token's address. */
export const movementFields: Record<
  string,
  (read: (source: PathSource) => Movement | null | undefined) => CompiledPath
> = {
  token: (read) => address((source) => assetOf(read(source))),
  from: (read) => address((source) => read(source)?.from),
  to: (read) => address((source) => read(source)?.to),
  amount: (read) => uint((source) => read(source)?.amount),
  id: (read) => uint((source) => read(source)?.tokenId ?? undefined),
};

export const fixedPaths: Record<string, CompiledPath> = {
  subject: address((source) => source.subject),
  native: address(() => "native"),
  emitter: address((source) => source.log?.address),
  "emitter.made": bool((source) => source.log !== null && source.isBirth(source.log)),
  "emitter.called": bool((source) => source.log !== null && source.mayCall(source.subject, source.log.address)),
  "emitter.asked": bool(({ log, subject, mayCall }) => log !== null && mayCall(subject, log.address, true)),
  "call.from": address((source) => source.call?.from),
  "call.to": address((source) => source.call?.to ?? undefined),
  "call.value": uint((source) => source.call?.value),
  "call.data": bytes((source) => source.call?.input),
  "call.selector": bytes((source) => source.call?.input.slice(0, 10)),
  "call.create2": address(({ call }) => createdBy(call)),
  "call.create3": address(({ call }) =>
    call?.to ? create3Address(call.to, call.from, `0x${call.input.slice(10)}`) : undefined,
  ),
  "call.logs": uint((source) => source.logsBy(source.call?.to ?? null)),
  "tx.from": address((source) => source.tx.from),
  "tx.to": address((source) => source.tx.to ?? undefined),
  "tx.value": uint((source) => source.tx.value),
  "tx.type": text((source) => source.tx.type),
  "tx.data": bytes((source) => source.tx.input),
  "tx.mint": uint((source) => source.tx.depositMint),
  "tx.created": address((source) => source.tx.created ?? undefined),
  "tx.creates": bool((source) => source.tx.creates),
  "tx.has_target": bool(({ tx }) => tx.to !== null || tx.creates),
  "tx.code_ran": bool((source) => source.tx.ranCode),
  "tx.traced": bool((source) => source.tx.traced),
  target: address((source) => source.target ?? undefined),
  "target.told": bool(({ target, toldAt }) => target !== null && toldAt?.has(target) === true),
  "tx.logs": uint((source) => BigInt(source.tx.logs.length)),
  "tx.movements": uint((source) => BigInt(source.tx.movements.length)),
  "tx.authorizations": uint((source) => BigInt(source.tx.authorizations.length)),
  authority: address((source) => source.authorization?.authority ?? undefined),
  delegate: address((source) => source.authorization?.delegate),
  "flow.recipients": uint((source) => BigInt(source.flow.recipients.length)),
  "flow.senders": uint((source) => BigInt(source.flow.senders.length)),
  ...flowPaths("flow", (source) => source.flow),
  // The same for the called contract itself.
  ...flowPaths("target_flow", (source) => source.targetFlow()),
  "target_flow.wraps": bool((source) => source.targetFlow()?.wraps ?? false),
  "flow.recipient": address((source) => source.flow.recipients[0]),
  "flow.sender": address((source) => source.flow.senders[0]),
  "flow.given_id": uint((source) => source.flow.gives[0]?.tokenId ?? undefined),
  "flow.gotten_id": uint((source) => source.flow.gets[0]?.tokenId ?? undefined),
  "flow.minted": bool((source) => source.flow.minted),
  "flow.burned": bool((source) => source.flow.burned),
  "flow.wraps": bool((source) => source.flow.wraps),
  "domain.verifyingContract": address((source) => source.domain?.verifyingContract ?? undefined),
  "domain.name": text((source) => source.domain?.name ?? undefined),
  "domain.version": text((source) => source.domain?.version ?? undefined),
  "flow.complete": bool((source) => source.flow.complete || source.paysElsewhere(source.flow)),
};

export const authorizationPaths: ReadonlySet<string> = new Set(["authority", "delegate"]);

/** Paths of rules about messages, beside the message's arguments. */
export const messagePaths: ReadonlySet<string> = new Set([
  "subject",
  "native",
  "domain.verifyingContract",
  "domain.name",
  "domain.version",
]);

/** Created addresses by call: hashing long calldata is slow. */
const creations = new WeakMap<object, Address>();

function createdBy(call: MatchContext["call"]): Address | undefined {
  if (!call?.to) return undefined;
  const created = creations.get(call) ?? create2Address(call.to, call.input);
  if (created !== undefined) creations.set(call, created);
  return created;
}

/** Both sides: how many assets, the first, and its amount. */
function flowPaths(name: string, of: (source: MatchContext) => BalanceChanges | null): Record<string, CompiledPath> {
  const paths: [string, CompiledPath][] = (["gives", "gets"] as const).flatMap((side) => {
    const first = side === "gives" ? "given" : "gotten";
    return [
      [`${name}.${side}`, uint((source) => countOf(of(source)?.[side]))],
      [`${name}.${first}`, address((source) => assetOf(of(source)?.[side][0]))],
      [`${name}.${first}_amount`, uint((source) => of(source)?.[side][0]?.amount)],
    ];
  });
  return Object.fromEntries(paths);
}

function countOf(assets: readonly unknown[] | undefined): bigint | undefined {
  return assets === undefined ? undefined : BigInt(assets.length);
}

/** Paths into the call that an unwrapper reads. */
export const unwrapPaths: Record<string, CompiledPath> = {
  "call.from": address((source) => source.caller),
  "call.to": address((source) => source.to),
  "call.value": uint((source) => source.value),
};

/** The token's address, or `native`. */
function assetOf(moved: { token: Address | null } | null | undefined): string | undefined {
  return moved === null || moved === undefined ? undefined : (moved.token ?? "native");
}
