import { join } from "node:path";
import { decideMessage, planMessage } from "../../src/engine/messages/decide-message.ts";
import type { MessageInput } from "../../src/engine/messages/message-case.ts";
import { TypedDataError } from "../../src/rules/typed-data/typed-data-error.ts";
import type { GivenTypedData, MessageCase } from "../../src/tools/lint/messages/given-message.ts";
import { messageExamples } from "../../src/tools/lint/messages/message-examples.ts";
import { findSources } from "../../src/tools/lint/sources.ts";
import { type ExampleWorld, openSources } from "../../src/tools/lint/world.ts";
import { root } from "../support/shared.ts";
import { DigestRecord, type Digests, digestOf, type Told } from "./digest-record.ts";

/** Every message among the examples of the shipped rules with one thing otherwise: a digest of what is told of it, or of the refusal. */
export const disturbedMessagesRecord = new DigestRecord(join(root, "test/golden/disturbed-messages.tsv"));

const stranger = `0x${"5e".repeat(20)}`;
const most = (2n ** 256n - 1n).toString();

/** What an application may hand over in place of a value. */
const values: Readonly<Record<string, (value: unknown) => unknown>> = {
  nothing: () => undefined,
  zero: () => "0",
  "the most": () => most,
  "more than there is": () => `${most}0`,
  "a negative number": () => "-1",
  "a number": () => 7,
  "a stranger": () => stranger,
  nobody: () => `0x${"0".repeat(40)}`,
  "half an address": () => stranger.slice(0, 22),
  "a text": () => "Visit https://claim.example\u202e",
  "a list": (value) => [value],
  "two of a list": (value) => (Array.isArray(value) ? [...value, ...value] : value),
  "no list": (value) => (Array.isArray(value) ? [] : value),
  "an object": (value) => ({ value }),
  truth: () => true,
};

type Change = (data: GivenTypedData & { domain: Record<string, unknown> }) => void;

/** What else of the typed data may be otherwise. */
const frames: Readonly<Record<string, Change>> = {
  "another chain": ({ domain }) => Object.assign(domain, { chainId: 1 }),
  "a chain in hex": ({ domain }) => Object.assign(domain, { chainId: "0x2105" }),
  "no chain": ({ domain }) => delete domain.chainId,
  "a stranger's contract": ({ domain }) => Object.assign(domain, { verifyingContract: stranger }),
  "no contract": ({ domain }) => delete domain.verifyingContract,
  "another name": ({ domain }) => Object.assign(domain, { name: "Official Airdrop" }),
  "another version": ({ domain }) => Object.assign(domain, { version: "99" }),
  "a salt": ({ domain }) => Object.assign(domain, { salt: `0x${"1".repeat(64)}` }),
  "an unknown field of the domain": ({ domain }) => Object.assign(domain, { other: "1" }),
  "another type": (data) => Object.assign(data, { primaryType: `${data.primaryType}2` }),
  "an unknown member": ({ message }) => Object.assign(message, { other: "1" }),
  "a member more": ({ types, primaryType, message }) => {
    types[primaryType] = [...(types[primaryType] ?? []), { name: "other", type: "uint256" }];
    message.other = "1";
  },
  "members in another order": ({ types, primaryType }) => types[primaryType]?.reverse(),
  "a member of a smaller type": ({ types, primaryType }) => {
    types[primaryType] = (types[primaryType] ?? []).map((one) => ({
      ...one,
      type: one.type.replace("uint256", "uint8"),
    }));
  },
};

/** Decides every disturbed message; by file and number of the example. */
export function collectDisturbedMessages(): Digests {
  const { wanted, world } = openSources(findSources([join(root, "rules"), join(root, "labels")]), "");
  const examples = wanted.flatMap((file) =>
    messageExamples(file, world).map(({ message }, i) => {
      return [`${file.source.file} ${i + 1}`, disturbedOf(message, world)] as const;
    }),
  );
  return new Map(examples);
}

function disturbedOf(given: MessageCase, world: ExampleWorld): Told[] {
  const names = Object.keys(given.typed_data.message);
  const kinds = Object.entries(values);
  const changes: [string, Change][] = kinds.map(([what, change], i) => {
    const name = names[i % names.length] as string;
    return [`${name}: ${what}`, ({ message }) => Object.assign(message, { [name]: change(message[name]) })];
  });
  return [["as it is", () => {}] as [string, Change], ...changes, ...Object.entries(frames)].map(([name, change]) => {
    const typed_data = structuredClone(given.typed_data);
    change(typed_data as Parameters<Change>[0]);
    return { name, digest: digestOf(toldOf({ ...given, typed_data }, world)) };
  });
}

function toldOf(input: MessageInput, { ruleset, labels }: ExampleWorld): unknown {
  try {
    const { explanation, rule } = decideMessage(input, ruleset, labels);
    return [explanation, rule?.id, planMessage(input, { ruleset, labels, lookupsMax: 12 })];
  } catch (error) {
    if (!(error instanceof TypedDataError)) throw error;
    return [error.name, error.message];
  }
}
