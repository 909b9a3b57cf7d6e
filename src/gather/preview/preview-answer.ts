import { assert } from "../../kernel/error.ts";
import { readQuantity } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { RiskFlag } from "../../model/explanation.ts";
import type { Preview, PreviewFlag } from "../../model/told/preview.ts";
import { tagged } from "../explain/explain.ts";

/** `body`: UTF-8 JSON; `etag`: its quoted hash. */
export interface PreviewAnswer {
  source: "network";
  preview: Preview;
  evidence: Evidence;
  caseFile: CaseFile;
  body: Buffer;
  etag: string;
}

/** Without fields of mined transactions. */
export function toAnswer(caseFile: CaseFile, decision: Decision): PreviewAnswer {
  const preview = toPreview(caseFile, decision);
  return { source: "network", preview, evidence: decision.evidence(), caseFile, ...tagged(JSON.stringify(preview)) };
}

function toPreview({ simulation, block, receipt }: CaseFile, { explanation, preview }: Decision): Preview {
  assert(simulation !== undefined && preview !== undefined, "a preview is decided from the case file of one");
  const { summary, action_type, assets_moved, counterparties, checks, gas_paid_usd, partial, provenance } = explanation;
  const { method, priced, differs, refusal } = simulation;
  const ran = method !== "none";
  const asked = preview.untrustedAsks.map((i) => `asks[${i}]`);
  return {
    summary,
    action_type,
    outcome: refusal !== null ? "rejected" : ran ? explanation.status : "not_simulated",
    asks: preview.asks,
    assets_moved,
    counterparties,
    risk_flags: explanation.risk_flags.map(toFlag),
    checks,
    notes: preview.notes,
    simulation: {
      method,
      block_number: Number(block.number),
      block_hash: block.hash ?? "",
      gas_used: ran ? Number(readQuantity(receipt.gasUsed) ?? 0n) || null : null,
      priced,
      differs,
    },
    fee_estimate_usd: ran ? gas_paid_usd : null,
    partial,
    provenance: { ...provenance, untrusted_fields: [...provenance.untrusted_fields, ...asked] },
  };
}

function toFlag({ flag, detail }: RiskFlag): PreviewFlag {
  return { flag: flag === "transaction_reverted" ? "simulation_reverted" : flag, detail };
}
