import { type Address, checksum } from "../../kernel/address.ts";
import { orLeaveOut } from "../descriptor/part.ts";
import { slugOf } from "../descriptor/plain-text.ts";
import { printable } from "../report.ts";
import { type FunctionRules, role, writeFunction } from "./function-rules.ts";
import type { Intent } from "./intent.ts";

/** How an address is called by the project itself; undefined when it is not known. */
export type NameLookup = (address: Address) => string | undefined;

/** What one rule file of intents is made of. */
export interface RuleFileInput {
  /** Id and file name of the file. */
  slug: string;
  /** File name of the descriptor. */
  source: string;
  addresses: readonly Address[];
  /** The contract's name by its descriptor; addresses that are known keep the names that they have. */
  name: string;
  nameOf: NameLookup;
  intents: readonly Intent[];
}

/** The text of a rule file, and how many rules it holds. Functions without an example are reported; undefined when none is left. */
export function writeRuleFile(input: RuleFileInput): { text: string; rules: number } | undefined {
  const abi: string[] = [];
  const parts: FunctionRules[] = [];
  const [keys, ids] = [new Set<string>(["any", "plain"]), new Set<string>()];
  for (const intent of input.intents)
    orLeaveOut(intent.part, () => {
      const key = firstFree(intent.item.name, "", (text) => !keys.has(text));
      const write = (stem: string) => writeFunction({ intent, key, stem });
      const stem = firstFree(slugOf(key), "-", (text) => write(text).ids.every((id) => !ids.has(id)));
      const part = write(stem);
      keys.add(key);
      for (const id of part.ids) ids.add(id);
      abi.push(`  ${key}: ${JSON.stringify(intent.text)}`);
      parts.push(part);
    });
  if (parts.length === 0) return undefined;
  return { text: fileText(input, abi, parts), rules: ids.size };
}

function fileText(
  { slug, source, addresses, name, nameOf }: RuleFileInput,
  abi: string[],
  parts: FunctionRules[],
): string {
  const lines = [
    "# yaml-language-server: $schema=../../schemas/rule.schema.json",
    `# Compiled by txgloss import-erc7730 from ${printable(source)}: what its author says that calls are meant to do.`,
    `protocol: ${slug}`,
    "kind: standard",
    `source: ${JSON.stringify(`ERC-7730 descriptor ${printable(source)}`)}`,
    "contracts:",
    `  ${role}:`,
    ...addresses.map((address) => `    "${checksum(address)}": ${JSON.stringify(nameOf(address) ?? name)}`),
    "abi:",
    ...abi,
    "rules:",
    ...parts.flatMap((part) => part.rules),
    "examples:",
    ...parts.flatMap((part) => part.examples),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** `text`, else with the first number from 2 on that is free. */
export function firstFree(text: string, mark: string, isFree: (text: string) => boolean): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? text : `${text}${mark}${n}`;
    if (isFree(candidate)) return candidate;
  }
}
