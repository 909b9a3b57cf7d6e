import type { FunctionItem } from "../../abi/signature.ts";
import type { Anchor, Gate } from "../compiled.ts";
import type { RuleEntry } from "../document/rule-document.ts";
import { compileGate, gateStrength } from "./gate.ts";
import { listOf } from "./scope.ts";
import type { Spot } from "./spot.ts";

/** Stands for the selector of a call by which an account runs another contract's code as its own. */
export const delegatedKey = "0xdelegated";

/** What a rule is anchored on: one anchor for each of its events, or of its calls, a movement, an authorization, or nothing. */
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

/** The anchor on a call: of a function, `any` one, a `plain` send, or one that runs another contract's code as the account's own. */
export function callAnchor(spot: Spot, name: string, gate: Gate): Anchor | undefined {
  const call = name === "any" ? null : (wordless.get(name) ?? spot.call(name));
  return call === undefined ? undefined : { kind: "call", call, gate };
}

/** How strongly the anchor's place is proven; see gateStrength. */
export function anchorStrength(anchor: Anchor): number {
  if (anchor.kind === "none" || anchor.kind === "authorization") return 0;
  if (anchor.kind === "transfer") return Math.max(gateStrength(anchor.from), gateStrength(anchor.to));
  const companion = anchor.kind === "event" ? anchor.companion : null;
  return Math.max(gateStrength(anchor.gate), companion === null ? 0 : gateStrength(companion.gate));
}

/** Event and call 3, event 2, call, transfer or authorization 1, flow alone 0. */
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

/** Stand for calls whatever their function: with less than a selector, and of code that the account runs as its own. */
const wordless: ReadonlyMap<string, FunctionItem> = new Map([
  ["plain", { ...noFunction, name: "plain", hash: "0x" }],
  ["delegated", { ...noFunction, name: "delegated", hash: delegatedKey }],
]);
