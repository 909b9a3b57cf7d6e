import { checkGating } from "../../../src/tools/lint/checks/gating.ts";

/** Rules in the form that the check of gates gets, and its findings. */
export const any = { kind: "any" };
export const set = { kind: "set", addresses: new Set(["0x1"]) };
export const moved = { kind: "moved" };
export const event = (gate: object, companion: object | null = null) => ({ kind: "event", gate, companion });
export const call = (gate: object) => ({ kind: "call", call: { hash: "0x1" }, gate });
export const actions = new Map([
  ["stake", { tier: "protocol" }],
  ["swap", { tier: "protocol" }],
  ["wrap", { tier: "standard" }],
  ["govern", { tier: "protocol", open: true }],
]);

export interface Given {
  kind?: "protocol" | "standard";
  anchor?: object;
  action?: string;
  entry?: object;
  rule?: object;
  attempt?: object;
}

/** A rule that is tied to the subject, unless its `who` is given as empty. */
export function view({
  kind = "protocol",
  anchor = event(any),
  action = "wrap",
  entry = {},
  rule = {},
  attempt,
}: Given) {
  const compiled = {
    action,
    anchor,
    actsFor: null,
    who: ["args.from"],
    flow: null,
    tier: 2,
    control: undefined,
    ...rule,
  };
  return {
    ...{ rule: compiled, file: { document: { kind } }, entry: { action, does: "do it", ...entry }, at: ["rules", 0] },
    attempt: attempt === undefined ? null : { path: ["attempts", 1], attempt },
  };
}

/** What is told of the views of a file. */
export function told(...views: object[]): unknown[][] {
  return [...checkGating(views as never, actions as never)];
}

export const of = (given: Given) => told(view(given));
export const at = (...path: unknown[]) => ["rules", 0, ...path];
