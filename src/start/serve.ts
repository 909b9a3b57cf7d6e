import type { Access, AccessOptions } from "../access/open.ts";
import { type Engine, EngineError, openEngine, version } from "../engine/engine.ts";
import { openThreadedEngine } from "../engine/engine-thread.ts";
import { stopOnSignal } from "../http/lifecycle.ts";
import { createServer } from "../http/server.ts";
import { createLogger, type Logger } from "../kernel/logger.ts";
import { addMcpEndpoint } from "../mcp/endpoint.ts";
import { Service } from "../service/service.ts";
import { type Config, ConfigError, readConfig } from "../settings/config.ts";
import { writeGreeting } from "./greeting.ts";
import { openExplainer } from "./open-explainer.ts";

/** Runs the service until a signal stops it. Exits with 2 when settings or rules are wrong, with 1 when it cannot listen. */
export async function serve(): Promise<void> {
  const { config, engine } = readInputs();
  const explainer = openExplainer(config, engine, openThreadedEngine(engine, config));
  explainer.start();
  const log = createLogger(config.logLevel, (line) => process.stderr.write(line));
  const access = await openAccess(config, explainer.transport, log);
  const service = new Service({ explainer, access, log });
  const { actionTypes, catalog, ruleset } = engine;
  const shared = { service, version, actionTypes, log };
  const app = createServer({ ...shared, readHead: explainer.readHead, health: explainer.health, ruleset });
  addMcpEndpoint(app, { ...shared, catalog, host: config.host, hosts: config.mcpHosts, origins: config.mcpOrigins });

  stopOnSignal(app, {
    // An explanation ends by its deadline. Then only the sending is left, or waiting for the block of a payment.
    graceMs: config.deadlineMs + (access === null ? 1_000 : 30_000),
    stopped: (clean) => {
      explainer.close();
      void Promise.resolve(access?.close()).finally(() => process.exit(clean ? 0 : 1));
    },
  });
  await app.listen({ host: config.host, port: config.port }).catch((error: Error) => {
    quit(1, `Cannot listen on ${config.host}:${config.port}: ${error.message}`);
  });
  access?.start();
  const { port } = app.server.address() as { port: number };
  console.log(await writeGreeting(config, port, explainer));
}

/** Reads settings, rules and labels. */
function readInputs(): { config: Config; engine: Engine } {
  try {
    const config = readConfig();
    return { config, engine: openEngine(config) };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof EngineError) quit(2, error.message);
    throw error;
  }
}

/** The code for charging is loaded only where it is needed: loading it takes longer than the rest of the start. */
async function openAccess(
  { payments, ledger }: Config,
  transport: AccessOptions["transport"],
  log: Logger,
): Promise<Access | null> {
  if (payments === null) return null;
  const access = await import("../access/open.ts");
  try {
    return await access.openAccess({ payments, ledger, transport, log });
  } catch (error) {
    if (error instanceof Error && error.name === "AccessError") quit(2, error.message);
    throw error;
  }
}

function quit(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}
