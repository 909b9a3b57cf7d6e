import type { MessageInput } from "../../../engine/messages/message-case.ts";
import type { Address } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { namedMembers } from "../../../rules/abi/abi-type.ts";
import type { MessageItem } from "../../../rules/abi/message.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import type { MessageEntry } from "../../../rules/ruleset/document/message-entry.ts";
import type { RuleEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { readTokens } from "../examples/given.ts";
import type { GivenNames } from "../examples/given-names.ts";
import { GivenError, readArguments, readParty, refuseOthers } from "../examples/given-values.ts";

/** Typed data as an application hands it over. */
export interface GivenTypedData {
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: string };
  message: Record<string, unknown>;
}

/** Typed data is an object, so that forgeries can change it. */
export type MessageCase = MessageInput & { typed_data: GivenTypedData };

const fields = ["message", "sign", "at", "from", "tokens", "domain"];

export function isMessageGiven(given: Record<string, unknown> | undefined): given is Record<string, unknown> {
  return given !== undefined && Object.hasOwn(given, "message");
}

/**
 * `message`: members by name, zero where missing. Defaults: `sign` the rule's message, `at` (verifyingContract) its first place, `from`
 * alice; also `tokens`, `domain`. Throws {@link GivenError}.
 */
export function buildMessage(
  given: Record<string, unknown>,
  entry: (RuleEntry & MessageEntry) | undefined,
  { names, items }: { names: GivenNames; items: ReadonlyMap<string, MessageItem> },
): MessageCase {
  refuseOthers(given, fields, [], "field of a message");
  const name = String(given.sign ?? entry?.sign ?? "");
  const item = items.get(name);
  if (item === undefined)
    throw new GivenError(["message"], `\`${name}\` is no message of this file; \`sign\` says which it is`);
  const from = readParty(given.from ?? "alice", names, ["from"]);
  const values = readArguments(item.inputs, given.message, names, ["message"]);
  const domain = given.domain ?? entry?.domain;
  return {
    from,
    typed_data: {
      types: typesOf(item),
      primaryType: item.name,
      domain: {
        ...(domain as GivenTypedData["domain"] | undefined),
        ...(!(entry?.domain && entry.every_chain) && { chainId: chain.id }),
        ...(domain === undefined && { verifyingContract: placeOf(given, entry, names) }),
      },
      message: {
        ...namedMembers(item.inputs, values),
        ...(item.open && { witness: { user: from } }),
      },
    },
    tokens: readTokens(given.tokens, names),
    reads: names.reads,
  };
}

function placeOf(given: Record<string, unknown>, entry: RuleEntry | undefined, names: GivenNames): Address {
  const first = listOf(entry?.at).find((role) => role !== "any");
  if (given.at === undefined && first === undefined)
    throw new GivenError(["message"], "`at` is missing: the verifyingContract");
  return readParty(given.at ?? first, names, ["at"]);
}

/** An open message gets one sample struct. */
function typesOf({ types, name, open }: MessageItem): GivenTypedData["types"] {
  const stated = Object.fromEntries([...types].map(([struct, members]) => [struct, [...members]]));
  if (!open) return stated;
  stated[name]?.push({ name: "witness", type: "ExampleWitness" });
  return { ...stated, ExampleWitness: [{ name: "user", type: "address" }] };
}
