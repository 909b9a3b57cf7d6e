import type { Evidence, EvidenceAction, RiskFinding } from "../model/evidence.ts";
import { formatFields, formatTable } from "./table.ts";

/** The evidence for people at a terminal. Ends with a newline. */
export function formatEvidence(evidence: Evidence): string {
  return formatFields([
    ["ruleset", evidence.ruleset],
    ["subject", evidence.subject],
    ["calls", formatCalls(evidence)],
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

function formatAction({ rule, version, action, logs, calls, movements }: EvidenceAction): string {
  const claims = Object.entries({ logs, calls, movements })
    .filter(([, numbers]) => numbers.length > 0)
    .map(([kind, numbers]) => `${kind} ${numbers.join(" ")}`);
  return `${rule}@${version}: ${action}; ${claims.length === 0 ? "claims nothing" : `claims ${claims.join(", ")}`}`;
}

/** A finding without a flag is evidence that does not suffice for one. */
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
