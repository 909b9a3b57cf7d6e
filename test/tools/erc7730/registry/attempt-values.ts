import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { decide } from "../../../../src/engine/spine.ts";
import type { Address } from "../../../../src/kernel/address.ts";
import type { Hex } from "../../../../src/kernel/hex.ts";
import type { AbiType, Value } from "../../../../src/rules/abi/abi-type.ts";
import { encodeTuple } from "../../../../src/rules/abi/encoder.ts";
import type { Ruleset } from "../../../../src/rules/ruleset/ruleset.ts";
import { readDeployments } from "../../../../src/tools/erc7730/descriptor/contract.ts";
import { DescriptorPart, orLeaveOut } from "../../../../src/tools/erc7730/descriptor/part.ts";
import { readDescriptor } from "../../../../src/tools/erc7730/descriptor.ts";
import { tellsCall } from "../../../../src/tools/erc7730/known-call.ts";
import { findCall } from "../../../../src/tools/erc7730/rules/example-call.ts";
import { type Intent, type IntentDetail, readIntents } from "../../../../src/tools/erc7730/rules/intent.ts";
import { alice, caseOf, frame, traced } from "../../../support/case-of.ts";
import { shippedLabels } from "../../../support/labels.ts";

/** How a reverted call is told that a descriptor knows. */
export interface ToldAttempt {
  descriptor: string;
  name: string;
  /** The rule that tells it; "" where none does. */
  rule: string;
  sentence: string;
  /** Labels of the fields that a wallet shows, by whether the sentence tells their values. */
  told: readonly string[];
  lost: readonly string[];
}

/**
 * Every function on Base whose values a descriptor of the registry shows, and which rules claim to tell. A value counts as told if the
 * sentence changes when the value does.
 */
export function tellAttempts(registry: string, ruleset: Ruleset): ToldAttempt[] {
  return listDescriptors(registry).flatMap((descriptor) => {
    const json = readDescriptor(join(registry, descriptor), registry, () => {});
    const root = json && DescriptorPart.root(json, () => {});
    if (root?.get("context", "contract") === undefined) return [];
    const addresses = orLeaveOut(root, () => readDeployments(root)) ?? [];
    const intents = orLeaveOut(root, () => readIntents({ root, addresses }, () => undefined)) ?? [];
    return intents.flatMap((intent) => {
      const at = addresses.find((address) => tellsCall(ruleset, address, intent.item.hash.slice(0, 10)));
      if (at === undefined || intent.details.length === 0) return [];
      return [{ descriptor, name: intent.item.name, ...tellAttempt(intent, at, ruleset) }];
    });
  });
}

function listDescriptors(registry: string): string[] {
  return ["registry", "ercs"]
    .flatMap((dir) => readdirSync(join(registry, dir), { recursive: true, withFileTypes: true }))
    .filter(({ name, parentPath }) => /^calldata-.*\.json$/.test(name) && !/\/(?:tests|testsv2|sigs)$/.test(parentPath))
    .map(({ name, parentPath }) => relative(registry, join(parentPath, name)))
    .sort();
}

/** A call that is varied: its arguments, and its ether. */
interface Call {
  args: Value[];
  value: bigint;
}

function tellAttempt(intent: Intent, to: Address, ruleset: Ruleset): Omit<ToldAttempt, "descriptor" | "name"> {
  const { item, musts, details } = intent;
  const sample = findCall(item, { must: musts, full: true });
  if (sample === undefined) return { rule: "", sentence: "", told: [], lost: details.map(({ label }) => label) };
  const fixed = new Set(musts.map(({ at }) => at.path));
  const usual: Call = {
    args: vary(item.inputs, [...sample.args], { path: "args", fixed, seed: 1 }) as Value[],
    value: sample.value > 0n || takesEther(details) ? usualEther : 0n,
  };
  const say = (call: Call) => sentenceOf(intent, call, to, ruleset);
  const { rule, sentence } = say(usual);
  const isTold = (detail: IntentDetail): boolean =>
    Object.hasOwn(detail.capture, "const") ||
    [1, 2, 3].some((seed) => say(changed(intent, usual, detail, seed)).sentence !== sentence);
  const told = details.filter(isTold);
  const lost = details.filter((detail) => !told.includes(detail));
  return { rule, sentence, told: told.map(({ label }) => label), lost: lost.map(({ label }) => label) };
}

const usualEther = 3_000_000_000_000_000n;

function takesEther(details: readonly IntentDetail[]): boolean {
  return details.some(({ capture }) => Object.values(capture).includes("call.value"));
}

/** The call with another value at the place of one field. */
function changed({ item }: Intent, { args, value }: Call, { capture, each }: IntentDetail, seed: number): Call {
  const own = ["amount", "at_least", "nft", "id", ...Object.keys(capture)].find((key) => {
    const path = capture[key];
    return typeof path === "string" && /^(?:args|item|call\.value)/.test(path) && key !== "of";
  });
  const stated = String(capture[capture.nft === undefined ? (own ?? "") : "id"]);
  if (stated === "call.value") return { args, value: value + BigInt(seed) * 1_000_000_000_000_000n };
  const path = each === null ? stated : stated.replace(/^item/, `${each}.*`);
  return { args: vary(item.inputs, args, { path: "args", seed: seed + 1, only: path.split(".") }) as Value[], value };
}

interface Variation {
  path: string;
  seed: number;
  /** Paths that keep their value. */
  fixed?: ReadonlySet<string>;
  /** The one path that is changed; null: nothing below is. */
  only?: readonly string[];
}

/** Values that differ by their place and by the seed. */
function vary(type: AbiType, value: Value, { path, seed, fixed, only }: Variation): Value {
  const depth = path.split(".").length;
  const next = only?.[depth];
  const inner = (one: AbiType, child: Value, key: string, aliases: readonly string[]): Value =>
    only === undefined || next === undefined || aliases.includes(next)
      ? vary(one, child, { path: `${path}.${key}`, seed, ...(fixed && { fixed }), ...(only && { only }) })
      : child;
  if (type.kind === "tuple")
    return type.items.map((one, i) => {
      const name = type.names[i] ?? String(i);
      return inner(one, (value as Value[])[i] as Value, name, [name]);
    });
  if (type.kind === "array") {
    const list = value as Value[];
    return list.map((one, i) => inner(type.item, one, String(i), ["*", String(i), String(i - list.length)]));
  }
  return fixed?.has(path) ? value : leafValue(type, path, seed);
}

function leafValue(type: AbiType, path: string, seed: number): Value {
  const place = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7) + seed * 101;
  switch (type.kind) {
    case "uint":
    case "int":
      return numberAt(path, type.bits, place, seed);
    case "address":
      return `0x${(0x1000_0000 + place * 7_919).toString(16).repeat(5)}`;
    case "bool":
      return seed % 2 === 1;
    case "fixed":
      return /chain/i.test(path)
        ? word(chainIds[seed] ?? 1n, type.size)
        : `0x${"00".repeat(Math.min(12, type.size))}${(0x1000_0000 + place * 7_919).toString(16).repeat(5)}`
            .slice(0, 2 + 2 * type.size)
            .padEnd(2 + 2 * type.size, "0");
    case "bytes":
      return `0x${(0x1000_0000 + place * 7_919).toString(16).repeat(8)}`;
    default:
      return `text ${place}`;
  }
}

const chainIds = [1n, 10n, 42_161n, 137n, 1n];

function word(value: bigint, size: number): Hex {
  return `0x${value.toString(16).padStart(2 * size, "0")}`;
}

function numberAt(path: string, bits: number, place: number, seed: number): bigint {
  if (/chain/i.test(path)) return chainIds[seed] ?? 1n;
  if (bits <= 16) return BigInt(seed);
  if (/deadline|expir|until|time/i.test(path)) return 1_900_000_000n + BigInt(seed) * 864_000n;
  if (bits < 64) return BigInt(1_000 + place);
  return BigInt(1_000 + place) * 10n ** 15n;
}

function sentenceOf({ item }: Intent, { args, value }: Call, to: Address, ruleset: Ruleset) {
  const input = (item.hash.slice(0, 10) + encodeTuple(item.inputs.items, args)) as Hex;
  const transaction = { from: alice, to, value: `0x${value.toString(16)}` as const, input };
  const trace = traced(frame(alice, to, { error: "out of gas", value: transaction.value, input }));
  const file = caseOf({ transaction, receipt: { status: "0x0", logs: [] }, trace });
  const { explanation, evidence } = decide(file, ruleset, shippedLabels());
  const sentence = explanation.summary.replace(/, but the transaction reverted\..*$/s, "");
  return { rule: evidence().actions[0]?.rule ?? "", sentence };
}
