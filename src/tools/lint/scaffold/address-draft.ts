import { type Address, checksum } from "../../../kernel/address.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { lint } from "../lint.ts";
import type { LintSources } from "../sources.ts";
import { type Argument, listArguments, snakeCase } from "./argument.ts";
import { headLines, moneyLines, titleOf, yamlText } from "./file-text.ts";
import { guessRole, meaningOfName, roleFromName, sentenceFor } from "./guess.ts";
import type { WrittenItem } from "./published-abi.ts";
import type { Scaffold } from "./scaffold.ts";

interface AddressOrder {
  protocol: string;
  /** As in diagnostics. */
  file: string;
  address: Address;
  items: readonly WrittenItem[];
  /** Of the contract, as published. */
  name: string | null;
  role: string | null;
  action: string | null;
  schema?: string | undefined;
}

/** A rule about one function. */
interface FunctionDraft {
  item: WrittenItem;
  action: string;
  lines: string[];
}

/** Rules that are drafted, and further signatures that are shown. */
const [rulesMax, shownMax] = [4, 12];

/** Of tokens, owners and makers of the contract: no act of a protocol. */
const housekeeping =
  /^(?:approve|transfer|transferFrom|safeTransferFrom|setApprovalForAll|permit|multicall|initialize|pause|unpause)$|^(?:set|update|add|remove|grant|revoke|renounce|accept|upgrade|sweep|rescue)[A-Z]|[oO]wnership$/;

/** Names of arguments that say how much, of which token, and who gets it. */
const amounts = /amount|assets|^value$|^wad$|shares/i;
const tokens = /token|asset|currency|reserve/i;
const receivers = /^_?(?:to|recipient|receiver|beneficiary|onBehalfOf|onBehalf)$/i;

/** One rule for each of a few functions, without a transaction; the examples are made up. Each passes lint by itself. */
export function draftAddress(order: AddressOrder, sources: LintSources): Scaffold | { problem: string } {
  const drafts = functionDrafts(order);
  if (drafts.length === 0) return { problem: "the ABI has no function by which an account does something" };
  const findingsOf = (some: readonly FunctionDraft[]): Diagnostic[] => {
    const rules = [...sources.rules, { file: order.file, text: addressFileText(order, some) }];
    const { diagnostics } = lint({ ...sources, rules, wanted: new Set([order.file]) }, "");
    return diagnostics.filter(({ level }) => level !== "note");
  };
  const kept: FunctionDraft[] = [];
  let first: Diagnostic | undefined;
  for (const draft of drafts.slice(0, rulesMax)) {
    const [finding] = findingsOf([...kept, draft]);
    if (finding === undefined) kept.push(draft);
    else first ??= finding;
  }
  const [main] = kept;
  if (main === undefined) return { problem: `no rule could be drafted that passes: ${first?.code} ${first?.message}` };
  const anchor = kept.map(({ item }) => item.name).join(", ");
  return { text: addressFileText(order, kept), action: main.action, anchor: `call ${anchor} at ${roleOf(order)}` };
}

/** Those whose names have a meaning first, then those with an amount, then those that take ether. */
export function functionDrafts(order: AddressOrder): FunctionDraft[] {
  const acts = order.items.filter(
    ({ item, name, view }) => item.kind === "function" && !view && !housekeeping.test(name),
  );
  const worth = ({ name, item, payable }: WrittenItem) =>
    (meaningOfName(name) === undefined ? 0 : 4) +
    (item.kind === "function" && item.inputs.names.some((one) => amounts.test(one)) ? 2 : 0) +
    (payable ? 1 : 0);
  return acts.sort((a, b) => worth(b) - worth(a)).map((item) => functionDraft(item, order));
}

function roleOf({ role, name, items }: AddressOrder): string {
  const words = items.filter(({ view }) => !view).map((item) => item.name);
  return role ?? roleFromName(name) ?? guessRole(words, { action: "contract_interaction", called: true });
}

function functionDraft(item: WrittenItem, order: AddressOrder): FunctionDraft {
  const role = roleOf(order);
  const meaning = meaningOfName(item.name);
  const action = order.action ?? meaning?.action ?? "contract_interaction";
  const { items } = item.item.inputs;
  const args = listArguments(
    item.item.inputs,
    items.map(() => ""),
    [role],
  );
  const receiver = args.find(({ type, name }) => type.kind === "address" && receivers.test(name));
  const {
    money,
    gives = "",
    gets = "",
    value,
    given,
    logs,
  } = movementOf(item, { args, receiver, role, side: meaning?.side });
  const told = sentenceFor(action, { gives, gets });
  const all = [...given, ...(receiver === undefined ? [] : [`${receiver.name}: alice`])];
  const example = [
    `to: ${role}`,
    ...(value === undefined ? [] : [`value: "${value}"`]),
    `call: { ${item.name}: ${all.length === 0 ? "{}" : `{ ${all.join(", ")} }`} }`,
    ...(logs === undefined ? [] : [`logs: [${logs}]`]),
  ];
  const lines = [
    `  - id: ${snakeCase(item.name).replaceAll("_", "-")}`,
    "    # draft: the action of rules/actions.yaml that fits.",
    `    action: ${action}`,
    `    anchor: { call: ${item.name} }`,
    `    at: ${role}`,
    "    # draft: what moves, as a transaction shows it; txgloss record HASH keeps one, which is a better example.",
    ...moneyLines(money),
    "    # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.",
    `    say: ${yamlText(receiver === undefined ? told : `${told}[ for {${receiver.path}}]`)}`,
    "    tried: same",
    `    example: { ${example.join(", ")} }`,
  ];
  return { item, action, lines };
}

/** What the arguments say that moves: a token, else ether, else nothing. `given`: arguments of the example. */
function movementOf(
  { payable }: WrittenItem,
  {
    args,
    receiver,
    role,
    side,
  }: {
    args: readonly Argument[];
    receiver: Argument | undefined;
    role: string;
    side: "gives" | "gets" | null | undefined;
  },
): { money: string[]; gives?: string; gets?: string; value?: string; given: string[]; logs?: string } {
  const amount = args.find(({ type, name }) => type.kind === "uint" && amounts.test(name));
  const token = args.find(({ type, name }) => type.kind === "address" && tokens.test(name));
  if (amount === undefined || !side) {
    if (!payable) return { money: ["gives: nothing", "gets: nothing"], given: [] };
    return { money: ["gives: some native", "gets: any"], gives: "{gives}", value: "5000000000000000", given: [] };
  }
  const paid = side === "gives";
  const of = token === undefined ? "standards: [erc20]" : `token: ${token.path}`;
  const ends = paid ? `from: subject, to: ${role}` : `from: ${role}, to: ${receiver?.path ?? "subject"}`;
  const shown = paid ? `from: alice, to: ${role}` : `from: ${role}, to: alice`;
  return {
    money: [`${paid ? "paid" : "got"}: { ${of}, ${ends}, amount: ${amount.path} }`, "rest: any"],
    ...(paid ? { gives: "{paid}" } : { gets: "{got}" }),
    given: [...(token === undefined ? [] : [`${token.name}: USDC`]), `${amount.name}: "100000000"`],
    logs: `{ transfer: { token: USDC, ${shown}, amount: "100000000" } }`,
  };
}

/** The whole file with these rules. */
export function addressFileText(order: AddressOrder, drafts: readonly FunctionDraft[]): string {
  const { protocol, address, items, schema } = order;
  const used = drafts.map(({ item }) => item);
  const further = items.filter((item) => !used.includes(item) && !item.view && item.item.kind !== "error");
  const left = further.length - shownMax;
  return [
    ...headLines(protocol, address, schema),
    "contracts:",
    "  # draft: cite where the protocol publishes this address, and find a role that says what the contract does.",
    `  ${roleOf(order)}:`,
    '    source: "unverified: an address that somebody named"',
    `    ${yamlText(`${titleOf(protocol)} ${roleOf(order).replaceAll("_", " ")}`)}: "${checksum(address)}"`,
    "abi:",
    ...used.map(({ name, signature }) => `  ${name}: ${yamlText(signature)}`),
    ...further.slice(0, shownMax).map(({ name, signature }) => `  # draft: perhaps ${name}: ${yamlText(signature)}`),
    ...(left > 0 ? [`  # draft: and ${left} more.`] : []),
    "rules:",
    ...drafts.flatMap(({ lines }) => lines),
    "",
  ].join("\n");
}
