import { readFile } from "node:fs/promises";
import type { MessageAnswer } from "../../../gather/preview/message-preview.ts";
import type { PreviewAnswer } from "../../../gather/preview/preview-answer.ts";
import type { Preview } from "../../../model/told/preview.ts";
import { UsageError } from "../../terminal/command-table.ts";
import { namingFile } from "../../terminal/file-problem.ts";
import { formatFields } from "../../terminal/table.ts";
import { type AnswerForm, formatAssets, formatEvidence, formatUntrusted, partyFields } from "../answer-text.ts";

/** Fields of `POST /preview`. Rejects with UsageError for what is no JSON object. */
export async function readRequestFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch(namingFile(path));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new UsageError(`${path} is not a JSON object`);
  return value as Record<string, unknown>;
}

/** Text or JSON; `why`: with the evidence. Ends with a newline. */
export function formatPreviewAnswer({ preview, evidence, body }: PreviewAnswer, { json, why }: AnswerForm): string {
  if (json) return `${body}\n${why ? `${JSON.stringify(evidence)}\n` : ""}`;
  return `${formatPreview(preview)}${why ? `\n${formatEvidence(evidence)}` : ""}`;
}

/** Text or JSON. Ends with a newline. */
export function formatMessageAnswer({ message, body }: MessageAnswer, { json }: { json: boolean }): string {
  if (json) return `${body}\n`;
  const { fields, primary_type: type } = message.message;
  return `${message.summary}\n\n${formatFields([
    ["type", message.action_type],
    ["message", type ?? "none"],
    ["fields", fields.map(({ path, value }) => `${path}: ${value}`).join("\n")],
    ...partyFields(message),
    ["untrusted", formatUntrusted(message.provenance.untrusted_fields)],
  ])}`;
}

function formatPreview(preview: Preview): string {
  const { simulation, fee_estimate_usd: fee } = preview;
  const runs = simulation.differs === true ? ", runs differ" : "";
  return `${preview.summary}\n\n${formatFields([
    ["type", preview.action_type],
    ["outcome", preview.partial ? `${preview.outcome}, incomplete` : preview.outcome],
    ["simulated", `${simulation.method} on block ${simulation.block_number}${runs}`],
    ["gas", simulation.gas_used === null ? "unknown" : String(simulation.gas_used)],
    ["fee", fee === null ? "unknown in USD" : `${fee.toFixed(6)} USD`],
    ["asks", preview.asks.join("\n")],
    ["moved", formatAssets(preview)],
    ...partyFields(preview),
    ["notes", preview.notes.map(({ code, detail }) => `${code}: ${detail}`).join("\n")],
    ["untrusted", formatUntrusted(preview.provenance.untrusted_fields)],
  ])}`;
}
