import { shortHex } from "../../kernel/hex.ts";
import type { Evidence, EvidenceAction, RiskFinding } from "../../model/evidence.ts";
import type { AssetMoved, Explanation } from "../../model/explanation.ts";
import { formatFields, formatTable } from "../terminal/table.ts";

export interface AnswerForm {
  json: boolean;
  /** Print the evidence too. */
  why: boolean;
}

/** For a terminal. Ends with a newline. */
export function formatExplanation(explanation: Explanation): string {
  const fields: [string, string][] = [
    ["type", explanation.action_type],
    ["status", explanation.partial ? `${explanation.status}, incomplete` : explanation.status],
    ["time", `${explanation.timestamp ?? "unknown"}, block ${explanation.block_number}`],
    ["fee", explanation.gas_paid_usd === null ? "unknown in USD" : `${explanation.gas_paid_usd.toFixed(6)} USD`],
    ["moved", formatAssets(explanation)],
    ...partyFields(explanation),
    ["untrusted", formatUntrusted(explanation.provenance.untrusted_fields)],
    ["explorer", explanation.explorer_url],
  ];
  return `${explanation.summary}\n\n${formatFields(fields)}`;
}

interface ToldParties extends Pick<Explanation, "counterparties" | "checks"> {
  risk_flags: readonly { flag: string; detail: string }[];
}

/** The same for transactions, previews and messages. */
export function partyFields({ counterparties, risk_flags, checks }: ToldParties): [string, string][] {
  return [
    ["with", counterparties.map(({ address, label }) => `${address}  ${label ?? ""}`.trim()).join("\n")],
    ["flags", risk_flags.map(({ flag, detail }) => `${flag}: ${detail}`).join("\n")],
    ["checks", formatChecks(checks)],
  ];
}

function formatChecks({ note, unchecked_addresses, ...checks }: Explanation["checks"]): string {
  const lines = Object.entries(checks).map(([check, status]) => `${check.replaceAll("_", " ")}: ${status}`);
  if (unchecked_addresses.length > 0) lines.push(`unchecked: ${unchecked_addresses.join(", ")}`);
  return [...lines, ...(note === null ? [] : [note])].join("\n");
}

export function formatAssets({
  assets_moved,
  counterparties,
}: Pick<Explanation, "assets_moved" | "counterparties">): string {
  const labels = new Map(counterparties.map(({ address, label }) => [address, label]));
  const nameOf = (address: string) => labels.get(address) ?? shortHex(address);
  return formatTable(
    assets_moved.map((asset) => [asset.amount, nameAsset(asset), `${nameOf(asset.from)} → ${nameOf(asset.to)}`]),
    { rightAligned: [0] },
  );
}

function nameAsset({ token, token_id }: AssetMoved): string {
  return token_id === undefined ? token : `${token} #${token_id}`;
}

/** Text that strangers chose is not quoted in this output, so the reader is told where it is. */
export function formatUntrusted(fields: readonly string[]): string {
  const shown = fields.slice(0, 4).join(", ");
  return fields.length > 4 ? `${shown} and ${fields.length - 4} more` : shown;
}

/** For a terminal. Ends with a newline. */
export function formatEvidence(evidence: Evidence): string {
  return formatFields([
    ["ruleset", evidence.ruleset],
    ["subject", evidence.subject],
    ["calls", formatCalls(evidence)],
    ["sent with", formatAttribution(evidence)],
    ["stands", evidence.actions.map(formatAction).join("\n") || "no rule"],
    ["lost", evidence.superseded.map(({ rule, by, reason }) => `${rule} to ${by}: ${reason}`).join("\n")],
    ["left over", formatUnexplained(evidence)],
    ["covered", formatCompleteness(evidence)],
    ["incomplete", evidence.partial.join("\n")],
    ["examined", formatTable(evidence.risk.examined.map(({ address, roles }) => [address, roles.join(", ")]))],
    ["found", evidence.risk.findings.map(formatFinding).join("\n")],
    [
      "looked up",
      formatTable(evidence.risk.lookups.map(({ about, ...rest }) => [about, rest.status, rest.source, rest.time])),
    ],
  ]);
}

function formatCalls({ calls }: Evidence): string {
  return formatTable(
    calls.map(({ id, via, from, to, selector, state }) => {
      const call = selector === "0x" ? "plain" : selector;
      return [`#${id}`, `${from} → ${to ?? "creation"}`, call, state, via === null ? "" : `by ${via}`];
    }),
  );
}

/** ERC-8021. Codes hold only a to z, 0 to 9 and _. */
function formatAttribution({ attribution = [] }: Evidence): string {
  return attribution
    .map(({ call, codes, left_out }) => {
      const said = codes.map(({ code, role }) => (role === null ? code : `${role} ${code}`));
      return `#${call} says ${[...said, ...(left_out > 0 ? [`${left_out} that are not shown`] : [])].join(", ") || "no code"}`;
    })
    .join("\n");
}

function formatAction({ rule, version, action, logs, calls, movements }: EvidenceAction): string {
  const claims = Object.entries({ logs, calls, movements })
    .filter(([, numbers]) => numbers.length > 0)
    .map(([kind, numbers]) => `${kind} ${numbers.join(" ")}`);
  return `${rule}@${version}: ${action}; ${claims.length === 0 ? "claims nothing" : `claims ${claims.join(", ")}`}`;
}

/** A finding without a flag is evidence that is not enough for one. */
function formatFinding({ flag, detail, basis, evidence }: RiskFinding): string {
  return `${flag ?? "no flag"} (${basis}; ${evidence.join(", ")}): ${detail}`;
}

function formatCompleteness({ completeness: { movements, calls } }: Evidence): string {
  return `${movements.explained} of ${movements.total} movements of the subject, ${calls.explained} of ${calls.total} calls`;
}

function formatUnexplained({ unexplained }: Evidence): string {
  return formatTable(
    unexplained.map(({ movement, token, amount, from, to }) => [
      `movement ${movement}`,
      `${amount} of ${token ?? "native ether"}`,
      `${from} → ${to}`,
    ]),
  );
}
