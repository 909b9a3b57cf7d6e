import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { AbiType } from "../../abi/abi-type.ts";
import type { CompiledCapture, Gate } from "../compiled.ts";
import type { GrantEntry } from "../document/hint-entries.ts";
import type { Cause } from "../document/rule-document.ts";
import type { CallPlace, FileGrants, GrantCall, GrantEvent } from "../grant-table.ts";
import type { ChargeHint, FailureEvent, FeeHint, SubjectHint, TokenNote } from "../hints.ts";
import { compileCaptures } from "./capture.ts";
import { compileGate, gateAddresses } from "./gate.ts";
import { type FileScope, Spot } from "./spot.ts";
import { parsePhrase, placeholdersOf } from "./template.ts";

/** Recognized by makers, by code, and by events. */
export interface AccountHints {
  /** `argument`: the new account. */
  makers: readonly SubjectHint[];
  code: ReadonlySet<Address>;
  /** Of events that accounts emit when they act. */
  acts: ReadonlySet<string>;
}

/** What a file says beside its rules. An entry with a mistake is reported and left out. */
export interface FileHints {
  subjects: SubjectHint[];
  /** Whose signed permission was used. */
  signers: SubjectHint[];
  accounts: AccountHints;
  fees: FeeHint[];
  /** What a service cost. */
  charges: ChargeHint[];
  grants: FileGrants;
  failures: FailureEvent[];
  /** Run by the nodes themselves. */
  precompiles: Gate[];
  notes: TokenNote[];
  /** By selector, where the meaning depends on arguments. */
  phrasedCauses: [string, CompiledCapture][];
}

export function compileHints(file: FileScope): FileHints {
  const { subjects, signers, accounts, fees, grants, failures, precompiles, notes } = file.document;
  const each = <T, R>(
    name: string,
    entries: readonly T[] = [],
    compile: (spot: Spot, entry: T) => R | undefined,
  ): R[] => entries.flatMap((entry, i) => compile(new Spot(file, [name, i]), entry) ?? []);
  return {
    subjects: each("subjects", subjects, compileSubject),
    signers: each("signers", signers, compileSigner),
    accounts: {
      makers: each("accounts", accounts, compileMaker),
      code: new Set(each("accounts", accounts, accountCode).flat()),
      acts: new Set(each("accounts", accounts, actTopic)),
    },
    fees: each("fees", fees, (spot, entry) => (entry.paid === undefined ? compileFee(spot, entry) : undefined)),
    charges: each("fees", fees, (spot, entry) => (entry.paid === undefined ? undefined : compileCharge(spot, entry))),
    grants: {
      events: each("grants", grants, (spot, entry) => ("event" in entry ? compileGrantEvent(spot, entry) : undefined)),
      calls: each("grants", grants, (spot, entry) => ("call" in entry ? compileGrantCall(spot, entry) : undefined)),
    },
    failures: each("failures", failures, compileFailure),
    precompiles: precompiles === undefined ? [] : [compileGate(new Spot(file, ["precompiles"]), precompiles)],
    notes: each("notes", notes, compileNote),
    phrasedCauses: Object.entries(file.document.causes ?? {}).flatMap(([error, cause]) =>
      typeof cause === "string" ? [] : compileCause(new Spot(file, ["causes", error]), error, cause),
    ),
  };
}

function compileCause(spot: Spot, error: string, cause: Exclude<Cause, string>): [string, CompiledCapture][] {
  const item = spot.file.abi.get(error);
  if (item === undefined) return spot.report("RL304", (say) => say.textCause()) ?? [];
  const words = compileCaptures(spot.reading({ args: item.inputs, anchor: "call" }), { cause }).get("cause");
  return words === undefined ? [] : [[item.hash, words]];
}

function compileNote(spot: Spot, { at, ask, unless, says }: EntryOf<"notes">): TokenNote | undefined {
  const [[name, argument] = ["", ""]] = Object.entries(ask);
  const call = spot.in("ask").call(name);
  if (call === undefined) return undefined;
  const [type, ...others] = call.inputs.items;
  if (type === undefined || others.length > 0 || type.dynamic || type.words !== 1)
    return spot.in("ask", name).report("RL304", (say) => say.oneWord(name));
  const data = `${call.hash}${BigInt(argument).toString(16).padStart(64, "0")}` as Hex;
  return { gate: compileGate(spot.in("at"), at), data, unless: BigInt(unless), says };
}

type EntryOf<K extends "subjects" | "signers" | "accounts" | "fees" | "failures" | "notes"> = NonNullable<
  FileScope["document"][K]
>[number];

function compileSubject(spot: Spot, entry: EntryOf<"subjects">, field = "subject"): SubjectHint | undefined {
  const event = spot.in("event").event(entry.event);
  if (event === undefined) return undefined;
  const argument = spot.in(field).member(event, event.inputs, entry.subject, "address")?.path;
  const gate = compileGate(spot.in("at"), entry.at);
  return argument === undefined ? undefined : { event, gate, argument };
}

function compileSigner(spot: Spot, { event, at, signer }: EntryOf<"signers">): SubjectHint | undefined {
  return compileSubject(spot, { event, at, subject: signer }, "signer");
}

function compileMaker(spot: Spot, entry: EntryOf<"accounts">): SubjectHint | undefined {
  const { event, at, created } = entry;
  return event && created ? compileSubject(spot, { event, at, subject: created }, "created") : undefined;
}

function actTopic(spot: Spot, { event, created }: EntryOf<"accounts">): string | undefined {
  return event && !created ? spot.in("event").event(event)?.hash : undefined;
}

function accountCode(spot: Spot, { event, at }: EntryOf<"accounts">): Address[] {
  return event === undefined ? [...(gateAddresses(compileGate(spot.in("at"), at)) ?? [])] : [];
}

export function joinAccounts(files: readonly AccountHints[]): AccountHints {
  return {
    makers: files.flatMap(({ makers }) => makers),
    code: new Set(files.flatMap(({ code }) => [...code])),
    acts: new Set(files.flatMap(({ acts }) => [...acts])),
  };
}

function compileFee(spot: Spot, entry: EntryOf<"fees">): FeeHint | undefined {
  const event = spot.in("event").event(entry.event);
  if (event === undefined) return undefined;
  const isWhole = entry.to !== undefined || (entry.token !== undefined && entry.amount !== undefined);
  if (entry.from === undefined || !isWhole) return spot.report("RL303", (say) => say.feeWithoutReceiver());
  const place = (field: "to" | "token" | "amount" | "cost", kind: AbiType["kind"]) =>
    entry[field] === undefined ? null : spot.in(field).argument(event, entry[field], kind);
  return sound<FeeHint>({
    ...{ event, gate: compileGate(spot.in("at"), entry.at) },
    from: spot.in("from").argument(event, entry.from, "address"),
    ...{ to: place("to", "address"), token: place("token", "address") },
    ...{ amount: place("amount", "uint"), cost: place("cost", "uint") },
  });
}

function compileCharge(spot: Spot, entry: EntryOf<"fees">): ChargeHint | undefined {
  const event = spot.in("event").event(entry.event);
  const contracts = knownContracts(spot.in("at"), entry.at);
  if (event === undefined || contracts === undefined) return undefined;
  if (contracts === null) return spot.in("at").report("RL303", (say) => say.knownContractsOnly());
  const amount = spot.in("paid").member(event, event.inputs, entry.paid as string);
  const item = amount?.type.kind === "array" ? amount.type.item : amount?.type;
  if (item !== undefined && item.kind !== "uint") return spot.in("paid").report("RL303", (say) => say.chargedAmount());
  const token =
    entry.token === undefined ? null : spot.in("token").member(event, event.inputs, entry.token, "address")?.path;
  return sound<ChargeHint>({ event, contracts, amount: amount?.path, token });
}

/** Undefined where a field has a mistake. */
function sound<T extends object>(hint: { [K in keyof T]: T[K] | undefined }): T | undefined {
  return Object.values(hint).includes(undefined) ? undefined : (hint as T);
}

function compileFailure(spot: Spot, entry: EntryOf<"failures">): FailureEvent | undefined {
  const event = spot.in("event").event(entry.event);
  const contracts = knownContracts(spot.in("at"), entry.at);
  if (event === undefined || contracts === undefined) return undefined;
  const { account: named, success: told } = entry;
  const account = named === "emitter" ? null : spot.in("account").argument(event, named, "address");
  const success = told === undefined ? null : spot.in("success").argument(event, told, "bool");
  const reason = entry.reason === undefined ? null : spot.in("reason").argument(event, entry.reason, "bytes");
  const what = parsePhrase(entry.what);
  for (const { capture } of placeholdersOf(what))
    if (capture !== "account") spot.in("what").report("RL501", (say) => say.accountOnly(capture));
  return sound<FailureEvent>({ event, contracts, account, success, reason, what });
}

function compileGrantEvent(spot: Spot, entry: Extract<GrantEntry, { event: string }>): GrantEvent | undefined {
  const event = spot.in("event").event(entry.event);
  const contracts = knownContracts(spot.in("at"), entry.at);
  if (event === undefined || contracts === undefined) return undefined;
  if (contracts === null) return spot.in("at").report("RL303", (say) => say.grantOfStranger());
  const member = (field: "key" | "amount" | "until", kind?: AbiType["kind"]) =>
    entry[field] === undefined ? null : spot.in(field).member(event, event.inputs, entry[field], kind);
  const pathOf = (found: ReturnType<typeof member>) => (found === null ? null : found?.path);
  const party = (field: "owner" | "token" | "spender") =>
    spot.in(field).member(event, event.inputs, entry[field], "address")?.path;
  const parties = { owner: party("owner"), token: party("token"), spender: party("spender") };
  const [key, amount, until] = [member("key"), member("amount", "uint"), member("until", "uint")];
  const protocol = spot.file.document.name ?? spot.file.document.protocol;
  return sound<GrantEvent>({
    ...{ event, contracts, protocol, ...parties },
    ...{ key: pathOf(key), amount: pathOf(amount), until: pathOf(until) },
    ...{ unlimited: largestOf(amount?.type), never: largestOf(until?.type) },
  });
}

function compileGrantCall(spot: Spot, entry: Extract<GrantEntry, { call: string }>): GrantCall | undefined {
  const call = spot.in("call").call(entry.call);
  const contracts = knownContracts(spot.in("at"), entry.at);
  if (call === undefined || contracts === undefined) return undefined;
  const list = entry.each === undefined ? null : spot.in("each").member(call, call.inputs, entry.each, "array");
  if (list === undefined) return undefined;
  const item = list?.type.kind === "array" ? list.type.item : null;
  const place = (field: CallField, kind?: AbiType["kind"]): CallPlace | null | undefined => {
    const name = entry[field];
    if (name === undefined) return null;
    const ofItem = item?.kind === "tuple" && name.startsWith("item.");
    const found = spot.in(field).member(call, ofItem ? item : call.inputs, ofItem ? name.slice(5) : name, kind);
    return found && { path: found.path, ofItem };
  };
  return sound<GrantCall>({
    ...{ call, contracts, each: list?.path ?? null, owner: place("owner", "address") },
    ...{ spender: place("spender", "address") ?? undefined, token: place("token", "address") },
    ...{ amount: place("amount", "uint"), given: place("given", "bool") },
    ...{ until: place("until", "uint"), key: place("key") },
  });
}

type CallField = "owner" | "spender" | "amount" | "given" | "token" | "until" | "key";

/** null: any contract. undefined: a mistake, which is reported. */
function knownContracts(spot: Spot, at: string | string[] | undefined): ReadonlySet<Address> | null | undefined {
  const gate = compileGate(spot, at);
  if (gate.kind === "any") return null;
  const addresses = gateAddresses(gate);
  if (addresses === null) return spot.report("RL303", (say) => say.knownContractsOnly());
  return new Set(addresses);
}

/** The largest number of an unsigned type below 256 bits. */
function largestOf(type: AbiType | undefined): bigint | null {
  return type?.kind === "uint" && type.bits < 256 ? (1n << BigInt(type.bits)) - 1n : null;
}
