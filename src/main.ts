import { readdirSync } from "node:fs";
import type { Access } from "./access/open.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { type Engine, EngineError, openEngine, version } from "./engine/engine.ts";
import { stopOnSignal } from "./http/lifecycle.ts";
import { Outcomes } from "./http/outcomes.ts";
import { createServer } from "./http/server.ts";
import { checksum } from "./kernel/address.ts";
import { type Hash, readHash } from "./kernel/hex.ts";
import { createLog } from "./log.ts";
import { addMcpDoor } from "./mcp/door.ts";
import { chain } from "./model/chain-profile.ts";
import { openExplainer } from "./start/open-explainer.ts";

const { config, engine } = prepare();
const explainer = openExplainer(config, engine);
explainer.start();
const log = createLog(config.logLevel, (line) => process.stderr.write(line));
const access = await openAccessOrExit();
const outcomes = new Outcomes();
const app = createServer({
  explainer,
  readHead: explainer.readHead,
  version,
  ruleset: engine.ruleset,
  actionTypes: engine.actionTypes,
  outcomes,
  log,
  access,
});
addMcpDoor(app, {
  explainer,
  version,
  actionTypes: engine.actionTypes,
  catalog: engine.catalog,
  outcomes,
  log,
  access,
  host: config.host,
  hosts: config.mcpHosts,
  origins: config.mcpOrigins,
});

stopOnSignal(app, {
  // A gathering ends by its deadline; what is then left of a request is the sending, or waiting for a block.
  graceMs: config.deadlineMs + (access === null ? 1_000 : 30_000),
  stopped: (clean) => {
    explainer.close();
    void Promise.resolve(access?.close()).finally(() => process.exit(clean ? 0 : 1));
  },
});
try {
  await app.listen({ host: config.host, port: config.port });
} catch (error) {
  quit(1, `Cannot listen on ${config.host}:${config.port}: ${(error as Error).message}`);
}
access?.start();
await greet();

/** Reads settings, rules and labels; a mistake in them is the operator's and ends the process with 2. */
function prepare(): { config: Config; engine: Engine } {
  try {
    const read = readConfig();
    return { config: read, engine: openEngine(read) };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof EngineError) quit(2, error.message);
    throw error;
  }
}

/** What charging needs is loaded only where it is charged: it takes longer than everything else of the start together. */
async function openAccessOrExit(): Promise<Access | null> {
  const { payments, ledger, rpcUrls, rpcTimeoutMs } = config;
  if (payments === null) return null;
  const { openAccess } = await import("./access/open.ts");
  try {
    return await openAccess({ payments, ledger, rpcUrls, rpcTimeoutMs, log });
  } catch (error) {
    if (error instanceof Error && error.name === "AccessError") quit(2, error.message);
    throw error;
  }
}

/** Says where it listens, and what to try first: a transaction that ships with the project needs no network. */
async function greet(): Promise<void> {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const url = `http://${host}:${port}`;
  const lines = [`txgloss ${version} explains ${chain.name} (${chain.id}) transactions on ${url}`];
  lines.push(
    config.payments === null
      ? "Open: nothing is metered or charged (X402_PAY_TO is not set)."
      : `Metered: ${config.payments.freeCallsPerDay} free explanations a day, then x402 payments to ${checksum(config.payments.payTo)}.`,
  );
  lines.push(`MCP clients connect to ${url}/mcp`);
  const hash = await pickExample();
  if (hash !== undefined) {
    lines.push("Try:", `  curl -s ${url}/explain -H 'content-type: application/json' -d '{"tx_hash":"${hash}"}'`);
  }
  console.log(lines.join("\n"));
}

/** A recorded transaction that shows something: the first few are looked through for one that moved assets and is told in full. */
async function pickExample(): Promise<Hash | undefined> {
  const names = config.recordingsDir === null ? [] : readdirSync(config.recordingsDir).sort();
  const hashes = names.map((name) => readHash(name.replace(/\.json$/, ""))).filter((hash) => hash !== undefined);
  for (const hash of hashes.slice(0, 32)) {
    const answer = await explainer.explain(hash).catch(() => undefined);
    if (answer?.explanation.partial === false && answer.explanation.assets_moved.length > 1) return hash;
  }
  return hashes[0];
}

function quit(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}
