import type { FunctionItem } from "../../abi/signature.ts";
import type { Anchor, Gate } from "../compiled.ts";
import type { RuleEntry } from "../document/rule-document.ts";
import { compileGate, gateStrength } from "./gate.ts";
import { listOf } from "./scope.ts";
import type { Spot } from "./spot.ts";

/** Replaces a selector for `call: delegated`. */
export const delegatedKey = "0xdelegated";

/** One for each event or call; or one transfer, authorization or `none`. Mistakes are reported and left out. */
export function anchorsOf(
  spot: Spot,
  { event: name, call, transfer, authorization, at, call_at, acts_for }: RuleEntry,
): Anchor[] {
  const gate = compileGate(spot.in("at"), at);
  const calls = listOf(call);
  if (name !== undefined) {
    const events = listOf(name).flatMap((one) => spot.in("event").event(one) ?? []);
    if (calls.length === 0) return events.map((event) => ({ kind: "event", event, gate, companion: null }));
    const functions = calls.flatMap((one) => spot.in("call").call(one) ?? []);
    const companion = { call: functions, gate: compileGate(spot.in("call_at"), call_at ?? at) };
    return events.map((event) => ({ kind: "event", event, gate, companion }));
  }
  if (transfer !== undefined) {
    const side = (party: "from" | "to") => compileGate(spot.in("transfer", party), transfer[party]);
    return [{ kind: "transfer", from: side("from"), to: side("to"), standards: transfer.standards ?? [] }];
  }
  if (authorization !== undefined)
    return [{ kind: "authorization", clears: authorization === "cleared", signed: acts_for === "authority" }];
  if (calls.length === 0) return [{ kind: "none" }];
  return calls.flatMap((one) => callAnchor(spot.in("call"), one, gate) ?? []);
}

/** A function's name, `any`, `plain` (no selector), or `delegated` (another contract's code runs as the account's own). */
export function callAnchor(spot: Spot, name: string, gate: Gate): Anchor | undefined {
  const call = name === "any" ? null : (wordless.get(name) ?? spot.call(name));
  return call === undefined ? undefined : { kind: "call", call, gate };
}

/** 0 to 3, see gateStrength; of a companion call the stronger place. */
export function anchorStrength(anchor: Anchor): number {
  if (anchor.kind === "none" || anchor.kind === "authorization") return 0;
  if (anchor.kind === "transfer") return Math.max(gateStrength(anchor.from), gateStrength(anchor.to));
  const companion = anchor.kind === "event" ? anchor.companion : null;
  return Math.max(gateStrength(anchor.gate), companion === null ? 0 : gateStrength(companion.gate));
}

/** Event with call 3, event 2, call, transfer or authorization 1, any call or money flow alone 0. */
export function anchorProof(anchor: Anchor): number {
  if (anchor.kind === "event") return anchor.companion === null ? 2 : 3;
  if (anchor.kind === "call") return anchor.call === null ? 0 : 1;
  return anchor.kind === "none" ? 0 : 1;
}

const nothing = { kind: "tuple" as const, names: [], items: [], dynamic: false, words: 0 };
const noFunction = {
  kind: "function" as const,
  step: false,
  signature: "",
  inputs: nothing,
  outputs: nothing,
  read: () => [],
};

/** Any function: `plain` (calldata shorter than a selector) and `delegated`. */
const wordless: ReadonlyMap<string, FunctionItem> = new Map([
  ["plain", { ...noFunction, name: "plain", hash: "0x" }],
  ["delegated", { ...noFunction, name: "delegated", hash: delegatedKey }],
]);
