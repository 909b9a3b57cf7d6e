import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { SignedDomain } from "../../../model/message.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import { type MatchedMessage, type MessageWorld, messageContext } from "./match-message.ts";

/** EIP-7702, to be signed. */
export interface AskedAuthorization {
  /** The zero address clears the delegation. */
  delegate: Address;
  domain: SignedDomain;
}

/** The same rule as when the authorization takes effect. */
export function matchAuthorization(
  { delegate, domain }: AskedAuthorization,
  { ruleset, gates, tx }: MessageWorld,
): MatchedMessage | undefined {
  const authorization = { authority: tx.from, delegate };
  const context = { ...messageContext({ domain, values: [] }, tx, gates), authorization };
  const clears = delegate === zeroAddress;
  const isAbout = ({ anchor }: CompiledRule) =>
    anchor.kind === "authorization" && anchor.signed && anchor.clears === clears;
  const rule = ruleset.authorized.find((one) => isAbout(one) && one.premise(context) && one.where(context));
  if (rule === undefined) return undefined;
  const diverted = { assets: [], to: [] };
  const nothing = {
    rights: [],
    recipients: [],
    diverted,
    forNothing: null,
    parts: null,
    listed: false,
    call: null,
    open: false,
  };
  return { rule, context, ...nothing, powers: clears ? [] : [delegate] };
}
