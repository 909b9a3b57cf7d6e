import { type Address, checksum } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { byteLength } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { type Argument, placeholderOf } from "./argument.ts";
import type { Draft } from "./draft.ts";
import { actionsLike } from "./guess.ts";
import type { SeenContract, Survey } from "./survey.ts";

/** Where no schemas/ folder is beside the file. */
export const publishedSchema = "https://unpkg.com/txgloss/schemas/rule.schema.json";

/** Further ones are mostly pools on a route. */
const shownContracts = 6;
/** Characters of a value in a comment. */
const shownValue = 48;

/** One rule with its recorded example. `# draft:` marks what a person must look at; lint counts these (RL210). */
export function fileText(
  protocol: string,
  draft: Draft,
  survey: Survey,
  { caseFile, schema }: { caseFile: Pick<CaseFile, "tx_hash">; schema?: string | undefined },
): string {
  const hash = caseFile.tx_hash;
  const others = survey.contracts.filter((one) => one !== draft.contract).slice(0, shownContracts);
  return [
    ...headLines(protocol, draft.contract.address, schema),
    "contracts:",
    ...contractLines(titleOf(protocol), draft.contract, hash),
    ...others.map(otherLine),
    ...abiLines(draft, survey),
    "rules:",
    ...ruleLines(draft, survey, hash),
    "",
  ].join("\n");
}

/** Before `contracts`. `schema`: where the file is not in a family's folder of a checkout. */
export function headLines(
  protocol: string,
  contract: Address | null,
  schema = "../../schemas/rule.schema.json",
): string[] {
  return [
    `# yaml-language-server: $schema=${schema}`,
    `protocol: ${protocol}`,
    "# draft: the name as sentences shall say it, and the protocol's own page.",
    `name: ${titleOf(protocol)}`,
    "kind: protocol",
    `site: ${contract === null ? "https://example.org" : chain.explorerUrl("address", checksum(contract))}`,
  ];
}

function contractLines(title: string, { role, address, label, source }: SeenContract, hash: string): string[] {
  return [
    "  # draft: cite where the protocol publishes this address, and find a role that says what the contract does.",
    ...(source === undefined ? [] : [`  # draft: its source code is published at ${source}.`]),
    `  ${role}:`,
    `    source: tx:${hash}`,
    `    ${yamlText(label ?? `${title} ${role.replaceAll("_", " ")}`)}: "${checksum(address)}"`,
  ];
}

function otherLine({ role, address, calls, logs }: SeenContract): string {
  const did = [...(calls.length > 0 ? ["was called"] : []), ...(logs.length > 0 ? [`emitted ${logs.length}`] : [])];
  return `  # draft: ${checksum(address)} (${role}) ${did.join(" and ")}; list it if it is the protocol's own.`;
}

/** Used signatures; known ones as comments to choose from; comments for unknown calls and events. */
function abiLines({ uses, contract }: Draft, { contracts }: Survey): string[] {
  const { calls, logs } = contract;
  const further = contracts
    .flatMap((one) => [...one.calls, ...one.logs].flatMap(({ known }) => known ?? []))
    .filter((known) => !uses.includes(known))
    .map(({ name, signature, origin }) => `  # draft: perhaps ${name}: ${yamlText(signature)} (${origin})`);
  const unknown = [
    ...calls.filter(({ known }) => known === undefined).map(({ selector }) => `call ${selector}`),
    ...logs
      .filter(({ known }) => known === undefined)
      .map(({ log }) => {
        const indexed = Math.max(log.topics.length - 1, 0);
        return `event ${log.topics[0] ?? "without a topic"} (${indexed} indexed, ${byteLength(log.data)} bytes of data)`;
      }),
  ].map((what) => `  # draft: nobody told the signature of ${what}; with the contract's ABI, --abi FILE names it.`);
  const lines = [
    ...uses.map((known) => `  ${known.name}: ${yamlText(known.signature)}`),
    ...new Set(further),
    ...new Set(unknown),
  ];
  return lines.length === 0 ? [] : uses.length > 0 ? ["abi:", ...lines] : lines;
}

const unseenComment =
  "    # draft: no call tree was recorded, so ether may have moved unseen; the side that shows nothing is left open.";
const etherComment =
  "    # draft: here it was ether; where tokens may take its place, a rule of their own, or `gives` instead of the leg.";

function ruleLines(draft: Draft, { flow, subject }: Survey, hash: string): string[] {
  const { id, action, match, money, say, tried } = draft;
  return [
    "  # draft: the id, for ever; what this rule means, not how the contract calls it.",
    `  - id: ${id}`,
    `    # draft: the action of rules/actions.yaml that fits; with this money flow: ${actionsLike(flow).join(", ")}. Or draft anew with --action.`,
    `    action: ${action}`,
    ...(flow.complete || (flow.gives.length > 0 && flow.gets.length > 0) ? [] : [unseenComment]),
    ...match.map((line) => `    ${line}`),
    ...(money.some((entry) => entry.includes("token: native")) ? [etherComment] : []),
    ...moneyLines(money),
    ...argumentLines(draft, subject),
    "    # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.",
    `    say: ${yamlText(say)}`,
    ...(tried === null ? [] : [`    tried: ${tried}`]),
    `    example: { tx: "${hash}" }`,
  ];
}

/** On one line, or each leg on its own. */
export function moneyLines(money: readonly string[]): string[] {
  if (money.length === 0) return [];
  if (!money.some((entry) => entry.includes("{"))) return [`    money: { ${money.join(", ")} }`];
  return ["    money:", ...money.map((entry) => `      ${entry}`)];
}

/** Arguments that no leg uses. */
function argumentLines({ args, money }: Draft, subject: string): string[] {
  const bound = new Set(money.flatMap((entry) => entry.split(/[\s,]+/)));
  return args.filter(({ path }) => !bound.has(path)).map((argument) => argumentLine(argument, subject));
}

/** Adds what would print the value. */
export function argumentLine(argument: Argument, subject?: string): string {
  const { path, value } = argument;
  if (value === subject) return `    # draft: ${path} was the subject`;
  const placeholder = placeholderOf(argument);
  const note = placeholder === undefined ? "" : `; ${placeholder} prints it`;
  // Keeps it on one line, also where a stranger chose the text.
  const text = String(value)
    .slice(0, shownValue)
    .replaceAll(/[^\x20-\x7e]/g, "?");
  return `    # draft: ${path} was ${text}${note}`;
}

/** `key-market` is Key Market. */
export function titleOf(protocol: string): string {
  return protocol
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

export function yamlText(text: string): string {
  return JSON.stringify(text);
}
