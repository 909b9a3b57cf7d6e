import type { Address } from "../../kernel/address.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { ActorCall } from "../../model/match.ts";
import type { DecodedCarried } from "../carried-call.ts";
import type { SignedCall } from "../present/message/message-findings.ts";

/** The account's own wrappers and known contracts do what their calldata says. Others (`through`) need not, and may keep the ether. */
export function signedCall({ acts, decoded }: DecodedCarried, account: Address, labels: Labels): SignedCall {
  const { calls } = decoded.unwrapped;
  const opened = new Set(calls.map(({ parent }) => parent));
  const isStranger = ({ id, to, from, delegate, step }: ActorCall) =>
    opened.has(id) && step === null && !delegate && to !== null && to !== from && !isLabelled(labels, to);
  const through = new Map<number, { call: ActorCall; ids: Set<number> }>();
  const inside = new Map<number, number>();
  // Outer calls come first.
  for (const call of calls) {
    const outer = inside.get(call.parent) ?? (through.has(call.parent) ? call.parent : undefined);
    if (outer !== undefined) {
      inside.set(call.id, outer);
      through.get(outer)?.ids.add(call.id);
    } else if (isStranger(call)) through.set(call.id, { call, ids: new Set() });
  }
  const own = calls.filter(
    ({ from, to, step, delegate }) => from === account && to !== account && step === null && !delegate,
  );
  const asked = new Map(
    decoded.settled.actions.map(({ context, calls: told }) => {
      const ids = new Set(context.call === null ? told : [...told, context.call.id]);
      return [context, calls.filter(({ id }) => ids.has(id))];
    }),
  );
  return { ...acts, through: [...through.values()], asked, sent: own.reduce((sum, { value }) => sum + value, 0n) };
}
