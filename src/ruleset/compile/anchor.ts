import type { FunctionItem } from "../../abi/signature.ts";
import type { Anchor, Gate } from "../compiled.ts";
import type { RuleEntry } from "../document/rule-document.ts";
import { compileGate, gateStrength } from "./gate.ts";
import { eventNamed, type FileScope, functionNamed, listOf } from "./scope.ts";

/** What a rule is anchored on: one event, or one anchor for each of its calls, a movement, an authorization, or nothing. */
export function anchorsOf(file: FileScope, entry: RuleEntry, at: (string | number)[]): Anchor[] {
  const gate = compileGate(file, entry.at, [...at, "at"]);
  const calls = listOf(entry.call);
  if (entry.event !== undefined) {
    const event = eventNamed(file, entry.event, [...at, "event"]);
    if (event === undefined) return [];
    const functions = calls.flatMap((name) => functionNamed(file, name, [...at, "call"]) ?? []);
    const companion =
      calls.length === 0
        ? null
        : { call: functions, gate: compileGate(file, entry.call_at ?? entry.at, [...at, "call_at"]) };
    return [{ kind: "event", event, gate, companion }];
  }
  if (entry.transfer !== undefined) {
    const side = (name: "from" | "to"): Gate => compileGate(file, entry.transfer?.[name], [...at, "transfer", name]);
    return [{ kind: "transfer", from: side("from"), to: side("to"), standards: entry.transfer.standards ?? [] }];
  }
  if (entry.authorization !== undefined)
    return [
      { kind: "authorization", clears: entry.authorization === "cleared", signed: entry.acts_for === "authority" },
    ];
  if (calls.length === 0) return [{ kind: "none" }];
  return calls.flatMap((name): Anchor[] => {
    if (name === "any") return [{ kind: "call", call: null, gate }];
    if (name === "plain") return [{ kind: "call", call: plainCall, gate }];
    const call = functionNamed(file, name, [...at, "call"]);
    return call === undefined ? [] : [{ kind: "call", call, gate }];
  });
}

/** How strongly the anchor's place is proven; see gateStrength. */
export function anchorStrength(anchor: Anchor): number {
  if (anchor.kind === "none" || anchor.kind === "authorization") return 0;
  if (anchor.kind === "transfer") return Math.max(gateStrength(anchor.from), gateStrength(anchor.to));
  if (anchor.kind === "event" && anchor.companion !== null)
    return Math.max(gateStrength(anchor.gate), gateStrength(anchor.companion.gate));
  return gateStrength(anchor.gate);
}

/** Event and call 3, event 2, call, transfer or authorization 1, flow alone 0. */
export function anchorProof(anchor: Anchor): number {
  if (anchor.kind === "event") return anchor.companion === null ? 2 : 3;
  if (anchor.kind === "call") return anchor.call === null ? 0 : 1;
  return anchor.kind === "none" ? 0 : 1;
}

/** Stands for a call with less than a selector: a plain send. */
const nothing = { kind: "tuple" as const, names: [], items: [], dynamic: false, words: 0 };
export const plainCall: FunctionItem = {
  kind: "function",
  step: false,
  name: "plain",
  signature: "",
  hash: "0x",
  inputs: nothing,
  outputs: nothing,
  read: () => [],
};
