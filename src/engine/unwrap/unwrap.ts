import type { Address } from "../../kernel/address.ts";
import { type Hex, selectorOf } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import { addTo, type Members, membersOf } from "../../kernel/lists.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { EventItem } from "../../rules/abi/signature.ts";
import type { CompiledUnwrapper, EachSource, UnwrapContext } from "../../rules/ruleset/compiled-unwrapper.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { readItems, readsExactly } from "./call-items.ts";
import { depthOf } from "./call-tree.ts";
import { CertainCalls, calldataMovements } from "./calldata-movements.ts";
import { FrameIndex } from "./frame-index.ts";
import type { GateKeeper } from "./gates.ts";
import { isProgram, readSteps, type Step } from "./steps.ts";
import { asActor, asAddress, findSubject, namedBy, namedByEvents } from "./subject.ts";
import { tokenFees } from "./token-fees.ts";

type Arguments = ReturnType<EventItem["read"]>;

/** Decoded once: several calls may ask for the same proof. */
export class ProvingLogs {
  readonly #tx: Transaction;
  #known: Map<EventItem, ReadonlyMap<unknown, readonly Arguments[]>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** undefined: not decodable. */
  of(event: EventItem, emitter: unknown): readonly Arguments[] {
    this.#known ??= new Map();
    let said = this.#known.get(event);
    if (said === undefined) {
      said = this.#read(event);
      this.#known.set(event, said);
    }
    return said.get(emitter) ?? [];
  }

  #read(event: EventItem): ReadonlyMap<unknown, readonly Arguments[]> {
    const said = new Map<unknown, Arguments[]>();
    for (const { address, topics, data } of this.#tx.logs) {
      if (topics[0] === event.hash) addTo(said, address, event.read(topics, data));
    }
    return said;
  }
}

/** Without wrappers. */
export interface Unwrapped {
  /** Gas marked as fees, and ether that only calldata shows. */
  tx: Transaction;
  calls: ActorCall[];
  /** The sender for several independent actors. */
  subject: Address;
  /** Of the outermost wrapper with any; two or more: a bundle. */
  actors: Address[];
  /** Used authority, proven by the chain or known contracts. */
  principals: ReadonlySet<Address>;
  /** Ran as written, without a call tree. */
  certain: Members<number>;
  truncated: string[];
}

/**
 * Breadth first, within limits. An inexact encoding is `opaque`. Gas paid in ether to the wrapper's collector or in a token becomes a fee.
 */
export function unwrap(tx: Transaction, ruleset: Ruleset, gates: GateKeeper): Unwrapped {
  const root: ActorCall = {
    ...{ id: 0, parent: -1, via: null, step: null },
    ...{ from: tx.from, actor: tx.from },
    to: tx.to,
    value: tx.value,
    input: tx.input,
    delegate: false,
    state: tx.mode === "requested" ? "asserted" : tx.status === "success" ? "executed" : "failed",
    frame: 0,
  };
  const work: Work = {
    tx,
    ruleset,
    gates,
    calls: [root],
    actorOf: new Map(),
    ungated: new Set(),
    frames: new FrameIndex(tx),
    logs: new ProvingLogs(tx),
    certain: new CertainCalls(root),
    fees: new Set(),
    truncated: new Set(),
  };
  for (let i = 0; i < work.calls.length; i++) open(work, work.calls[i] as ActorCall, depthOf(work.calls, i));
  unmarkOwnEther(work);
  for (const index of tokenFees(work)) work.fees.add(index);
  const movements = withFees(tx.movements, work.fees);
  const added = calldataMovements(tx, work.calls, work.certain);
  const seen = movements === tx.movements && added.length === 0 ? tx : { ...tx, movements: [...movements, ...added] };
  const named = namedByEvents(work);
  const { subject, actors } = findSubject({ ...work, tx: seen, named });
  const certain = membersOf(work.calls.filter((call) => work.certain.has(call, work.calls)).map(({ id }) => id));
  const principals = provenPrincipals({ tx: seen, subject, ruleset, gates, named });
  return { tx: seen, calls: work.calls, subject, actors, principals, certain, truncated: [...work.truncated] };
}

interface Work {
  tx: Transaction;
  ruleset: Ruleset;
  gates: GateKeeper;
  calls: ActorCall[];
  /** By call, as its unwrapper says. */
  actorOf: Map<number, Address[]>;
  /** Calls whose unwrapper accepts any contract. */
  ungated: Set<number>;
  frames: FrameIndex;
  logs: ProvingLogs;
  certain: CertainCalls;
  /** Movements that paid for gas. */
  fees: Set<number>;
  truncated: Set<string>;
}

function open(work: Work, call: ActorCall, depth: number): void {
  const selector = selectorOf(call.input);
  const candidates = selector === undefined ? undefined : work.ruleset.unwrappers.get(selector);
  if (candidates === undefined || call.to === null) return;
  const admitted = candidates.filter(
    (item) => (call.step !== null || !item.call.step) && work.gates.admits(item.gate, call.to, call.actor),
  );
  const opened = firstThatReads(admitted, call, call.to);
  if (opened === undefined) return;
  const { unwrapper, context, items } = opened;
  if (items === undefined) markOpaque(call, unwrapper);
  else if (depth >= limits.callDepthMax) work.truncated.add("calls nested too deep");
  else if (items.kind === "steps") addEach(work, items.list, (step) => addStep(work, call, unwrapper, step));
  else addEach(work, items.list, (item) => addInner(work, call, unwrapper, { ...context, item }));
}

interface Opened {
  unwrapper: CompiledUnwrapper;
  context: UnwrapContext;
  /** Undefined: inexact. */
  items: { kind: "calls"; list: (Value | undefined)[] } | { kind: "steps"; list: Step[] } | undefined;
}

/** Several may share a selector (ERC-7579): the first whose condition and encoding fit. */
function firstThatReads(admitted: readonly CompiledUnwrapper[], call: ActorCall, to: Address): Opened | undefined {
  let opaque: Opened | undefined;
  for (const unwrapper of admitted) {
    const args = readsExactly(unwrapper, call.input);
    const context: UnwrapContext = { caller: call.from, to, value: call.value, args: args ?? [], item: undefined };
    if (args !== undefined && unwrapper.when !== null && !unwrapper.when(context)) continue;
    const items = args === undefined ? undefined : itemsOf(unwrapper.each, context);
    if (items !== undefined) return { unwrapper, context, items };
    opaque ??= { unwrapper, context, items };
  }
  return opaque;
}

function itemsOf(each: EachSource, context: UnwrapContext): Opened["items"] {
  if (isProgram(each)) {
    const list = readSteps(each, context);
    return list === undefined ? undefined : { kind: "steps", list };
  }
  const list = readItems(each, context);
  return list === undefined ? undefined : { kind: "calls", list };
}

function addEach<T>(work: Work, list: readonly T[], add: (item: T) => void): void {
  for (const item of list) {
    if (work.calls.length >= limits.unwrappedCallsMax) {
      work.truncated.add("too many nested calls");
      return;
    }
    add(item);
  }
}

/** In the frame of its program, with its caller and value. */
function addStep(work: Work, outer: ActorCall, unwrapper: CompiledUnwrapper, step: Step): void {
  const known = { id: work.calls.length, parent: outer.id, via: unwrapper.id, actor: outer.actor, input: step.input };
  const parts = { ...known, frame: outer.frame };
  const call: ActorCall =
    step.to === null || outer.to === null
      ? {
          ...parts,
          step: step.name,
          from: outer.from,
          to: outer.to,
          value: outer.value,
          delegate: true,
          state: "asserted",
        }
      : { ...parts, step: null, from: outer.to, to: step.to, value: 0n, delegate: false, state: "asserted" };
  if (outer.state === "failed") call.state = "failed";
  else if (!step.known) call.state = "opaque";
  else if (call.step === null) call.state = stateByTrace(work, call);
  else if (!step.mayFail) call.state = outer.state;
  work.calls.push(call);
}

function addInner(work: Work, outer: ActorCall, unwrapper: CompiledUnwrapper, context: UnwrapContext): void {
  const to = asAddress(unwrapper.inner.to(context));
  const from = asAddress(unwrapper.inner.from(context)) ?? outer.from;
  const data = unwrapper.inner.data(context);
  if (to === undefined || typeof data !== "string") return;
  const named = unwrapper.actor === null ? undefined : asActor(unwrapper.actor(context));
  if (named !== undefined) {
    const actors = work.actorOf.get(outer.id) ?? [];
    work.actorOf.set(outer.id, [...actors, named]);
    if (unwrapper.gate.kind === "any") work.ungated.add(outer.id);
  }
  const delegate = unwrapper.inner.delegate?.(context);
  const call: ActorCall = {
    id: work.calls.length,
    parent: outer.id,
    via: unwrapper.id,
    step: null,
    from,
    actor: named ?? outer.actor,
    to,
    value: (unwrapper.inner.value(context) as bigint | undefined) ?? 0n,
    input: data as Hex,
    delegate: delegate === true || delegate === 1n || delegate === 255n,
    state: "asserted",
    frame: -1,
  };
  call.state =
    outer.state === "failed" || !proven(work, unwrapper, context) ? "failed" : stateInside(work, outer, call);
  work.calls.push(call);
  work.certain.add({ call, outer, unwrapper, context });
  const collector = unwrapper.feesTo === null ? undefined : asAddress(unwrapper.feesTo(context));
  if (collector !== undefined)
    for (const movement of work.tx.movements)
      if (movement.standard === "native" && movement.from === call.actor && movement.to === collector)
        work.fees.add(movement.index);
}

/** By the wrapper's event, if any; reverted transactions have none. */
function proven(work: Work, unwrapper: CompiledUnwrapper, context: UnwrapContext): boolean {
  const { proof } = unwrapper;
  // A request has not run, so it has no events.
  if (proof === null || work.tx.mode === "requested") return true;
  return work.logs.of(proof.event, proof.emitter(context)).some((args) => {
    // Versions index differently: without a join, emitter and name are enough.
    if (args === undefined) return proof.join.length === 0 && proof.ok === null;
    return (
      proof.join.every(({ argument, get }) => args[argument] === get(context)) &&
      (proof.ok === null || args[proof.ok] === true)
    );
  });
}

/** A precompile's calls have no frames. */
function stateInside(work: Work, outer: ActorCall, call: ActorCall): ActorCall["state"] {
  if (!work.gates.admitsAny(work.ruleset.precompiles, outer.to, outer.from)) return stateByTrace(work, call);
  call.frame = outer.frame;
  return outer.state;
}

function stateByTrace(work: Work, call: ActorCall): ActorCall["state"] {
  if (!work.tx.traced) return "asserted";
  const frame = work.frames.take(call, work.calls[call.parent]?.to ?? call.from);
  if (frame === undefined) return "failed";
  call.frame = frame.index;
  return frame.ok ? "executed" : "failed";
}

function markOpaque(call: ActorCall, unwrapper: CompiledUnwrapper): void {
  if (call.state === "failed") return;
  // A selector alone proves nothing.
  if (unwrapper.gate.kind === "any" && call.id === 0 && unwrapper.actor === null) return;
  call.state = "opaque";
}

interface MarkedFees {
  tx: Transaction;
  calls: readonly ActorCall[];
  /** Movements that look like gas. */
  fees: Set<number>;
}

/** An own call to a collector of gas, such as an EntryPoint deposit, is no fee. */
export function unmarkOwnEther({ tx, calls, fees }: MarkedFees): void {
  if (fees.size === 0) return;
  for (const { from, actor, to, value, delegate, frame } of calls) {
    if (from !== actor || value === 0n || delegate) continue;
    const carries = ({ call, amount }: Movement) => (tx.traced ? call === frame : amount === value);
    const own = tx.movements.find((one) => fees.has(one.index) && one.from === from && one.to === to && carries(one));
    if (own !== undefined) fees.delete(own.index);
  }
}

/** Same array where there are none. */
export function withFees(movements: Movement[], fees: ReadonlySet<number>): Movement[] {
  if (fees.size === 0) return movements;
  return movements.map((move) => (fees.has(move.index) ? { ...move, fee: true } : move));
}

/**
 * Sender, subject, EIP-7702 signers, accounts named by known contracts' events, and those seen to run known account code. A stranger's
 * claim proves nothing.
 */
export function provenPrincipals({ tx, subject, ruleset, gates, named }: Found): Set<Address> {
  const principals = new Set<Address>().add(tx.from).add(subject);
  for (const { authority } of tx.authorizations) if (authority) principals.add(authority);
  for (const account of named) principals.add(account);
  for (const signer of namedBy(ruleset.signers, { tx, gates })) principals.add(signer);
  for (const account of knownAccounts(tx, ruleset)) principals.add(account);
  return principals;
}

interface Found {
  tx: Transaction;
  subject: Address;
  ruleset: Ruleset;
  gates: GateKeeper;
  /** By events of known contracts. */
  named: readonly Address[];
}

/** A proxy passes a call on unchanged, or its logs are those of known accounts. */
function knownAccounts({ traced, calls, logs }: Transaction, { accounts }: Ruleset): Address[] {
  const found: Address[] = [];
  for (const { address, topics } of logs) if (accounts.acts.has(topics[0] ?? "")) found.push(address);
  if (!traced) return found;
  for (const { kind, ok, from, to, input, parent } of calls) {
    const known = kind === "delegatecall" && ok && to !== null && accounts.code.has(to);
    if (known && calls[parent]?.to === from && calls[parent]?.input === input) found.push(from);
  }
  return found;
}
