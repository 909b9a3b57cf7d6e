import { readdirSync } from "node:fs";
import { version } from "../../engine/build-engine.ts";
import type { Explainer } from "../../gather/explain/explain.ts";
import { openRecordings } from "../../gather/recordings/recordings.ts";
import { checksum } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Hash, readHash } from "../../kernel/hex.ts";
import { type Config, reachableUrl } from "../settings/config.ts";

/** Address, whether it charges, a request to try. */
export async function writeGreeting(config: Config, port: number, explainer: Explainer): Promise<string> {
  const url = reachableUrl(config.host, port);
  const everywhere = !["0.0.0.0", "::"].includes(config.host)
    ? ""
    : ` (and on every other address of this machine: HOST=${config.host})`;
  const lines = [
    `txgloss ${version} explains ${chain.name} (${chain.id}) transactions on ${url}${everywhere}`,
    config.payments === null
      ? "Open: nothing is metered or charged (X402_PAY_TO is not set)."
      : `Metered: ${config.payments.freeCallsPerDay} free explanations a day, then x402 payments to ${checksum(config.payments.payTo)}.`,
    `MCP clients connect to ${url}/mcp`,
  ];
  const hash = await pickExample(config, explainer);
  if (hash !== undefined) {
    lines.push("Try:", `  curl -s ${url}/explain -H 'content-type: application/json' -d '{"tx_hash":"${hash}"}'`);
  }
  return lines.join("\n");
}

/** A recording, so no network; best one that moved assets and is fully explained. */
async function pickExample({ recordingsDir }: Config, explainer: Explainer): Promise<Hash | undefined> {
  if (recordingsDir === null) return undefined;
  const names = readdirSync(recordingsDir).sort();
  const hashes = names.map((name) => readHash(name.replace(/\.json$/, ""))).filter((hash) => hash !== undefined);
  const recordings = openRecordings(recordingsDir, chain.id);
  for (const hash of hashes.slice(0, triedMax)) {
    const recorded = await recordings.find(hash)?.catch(() => undefined);
    const explanation = recorded && (await explainer.replay(recorded)).explanation;
    if (explanation?.partial === false && explanation.assets_moved.length > 1) return hash;
  }
  return hashes[0];
}

const triedMax = 32;
