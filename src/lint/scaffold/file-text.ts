import { checksum } from "../../kernel/address.ts";
import { byteLength } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Draft } from "./draft.ts";
import type { KnownItem, SeenContract, Survey } from "./survey.ts";

/** Further ones are mostly pools on a route. */
const shownContracts = 8;

/** A rule file with one rule, its recorded example and a generated negative one; what a person must look at stands in comments. */
export function fileText(protocol: string, draft: Draft, { contracts }: Survey, caseFile: CaseFile): string {
  const hash = caseFile.tx_hash;
  const shown = [draft.contract, ...contracts.filter((one) => one !== draft.contract)].slice(0, shownContracts);
  const unknown = shown.flatMap(unknownLines);
  const further = furtherItems(shown, draft.uses);
  return [
    "# yaml-language-server: $schema=../../schemas/rule.schema.json",
    "# Drafted from one transaction: check the names, the site, every contract's source, the action, the flow and the sentence.",
    `protocol: ${protocol}`,
    `name: ${titleOf(protocol)}`,
    "kind: protocol",
    `site: https://basescan.org/address/${checksum(draft.contract.address)}`,
    "contracts:",
    ...contractLines(draft.contract, hash, ""),
    ...shown.slice(1).flatMap((contract) => contractLines(contract, hash, "# ")),
    ...(draft.uses.length > 0
      ? ["abi:", ...draft.uses.map((known) => `  ${known.name}: ${quoted(known.signature)}`)]
      : []),
    ...(further.length > 0 ? ["# Signatures of other rule files that fit:", ...further] : []),
    ...(unknown.length > 0 ? ["# Not known; look the signatures up and add them to abi:", ...unknown] : []),
    "rules:",
    `  - id: ${draft.id}`,
    `    action: ${draft.action} # the one that fits, of rules/actions.yaml`,
    ...draft.match.map((line) => `    ${line}`),
    `    summary: ${quoted(draft.summary)}`,
    "examples:",
    `  - tx: "${hash}"`,
    `    rule: ${draft.id}`,
    "  - name: the same with a stranger",
    `    like: "${hash}"`,
    `    stranger: [${draft.contract.role}]`,
    `    not: ${draft.id}`,
    "",
  ].join("\n");
}

function contractLines({ role, address }: SeenContract, hash: string, mark: string): string[] {
  return [
    `${mark}  ${role}:`,
    `${mark}    - address: "${checksum(address)}"`,
    `${mark}      source: "seen in transaction ${hash}"`,
  ];
}

function furtherItems(contracts: readonly SeenContract[], used: readonly KnownItem[]): string[] {
  const lines = contracts.flatMap(({ calls, logs }) =>
    [...calls, ...logs].flatMap(({ known }) =>
      known === undefined || used.includes(known)
        ? []
        : `#   ${known.name}: ${quoted(known.signature)} (${known.file})`,
    ),
  );
  return [...new Set(lines)];
}

function unknownLines({ role, calls, logs }: SeenContract): string[] {
  const lines = [
    ...calls.filter(({ known }) => known === undefined).map(({ selector }) => `#   call ${selector} of ${role}`),
    ...logs
      .filter(({ known }) => known === undefined)
      .map(({ log }) => {
        const indexed = Math.max(log.topics.length - 1, 0);
        return `#   event ${log.topics[0] ?? "without a topic"} of ${role}: ${indexed} indexed, ${byteLength(log.data)} bytes of data`;
      }),
  ];
  return [...new Set(lines)];
}

function titleOf(protocol: string): string {
  return protocol
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
