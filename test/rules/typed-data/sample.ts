import { decideMessage } from "../../../src/engine/messages/decide-message.ts";
import type { MessageInput } from "../../../src/engine/messages/message-case.ts";
import type { MessageDecision } from "../../../src/model/told/message-explanation.ts";
import type { StructTypes } from "../../../src/rules/abi/struct-type.ts";
import { alice, permit2, spender, usdc } from "../../engine/assess/scene.ts";
import { labels, ruleset } from "../../property/world.ts";

export interface Typed {
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  domain: Record<string, unknown>;
  message: Record<string, unknown>;
}

/** Members of a struct: `address token, uint256 amount`. */
export function members(text: string): { name: string; type: string }[] {
  return text.split(",").map((member) => {
    const [type = "", name = ""] = member.trim().split(" ");
    return { type, name };
  });
}

/** Structs by their names, each with its members as text. */
export function structsOf(given: Record<string, string>): StructTypes {
  return new Map(Object.entries(given).map(([name, text]) => [name, text === "" ? [] : members(text)]));
}

export const largest160 = ((1n << 160n) - 1n).toString();

/** An allowance through Permit2 that alice is asked to sign, as an application sends it. */
export function permitSingle(change: (typed: Typed) => void = () => undefined): Typed {
  const typed: Typed = {
    types: {
      PermitSingle: members("PermitDetails details, address spender, uint256 sigDeadline"),
      PermitDetails: members("address token, uint160 amount, uint48 expiration, uint48 nonce"),
    },
    primaryType: "PermitSingle",
    domain: { name: "Permit2", chainId: 8453, verifyingContract: permit2 },
    message: {
      details: { token: usdc, amount: largest160, expiration: 1_798_934_400, nonce: 0 },
      spender,
      sigDeadline: "1797000000",
    },
  };
  change(typed);
  return typed;
}

/** What alice is told about a message. */
export function decideFor(typed_data: unknown, more: Partial<MessageInput> = {}): MessageDecision {
  return decideAsked({ typed_data, ...more });
}

/** The same for any form. */
export function decideAsked(input: Partial<MessageInput>): MessageDecision {
  return decideMessage({ from: alice, ...input }, ruleset, labels);
}

/** The flags of what is told. */
export function flagsOf({ explanation }: { explanation: { risk_flags: readonly { flag: string }[] } }): string[] {
  return explanation.risk_flags.map(({ flag }) => flag);
}
