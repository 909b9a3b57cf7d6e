import { version } from "../../engine/build-engine.ts";
import { EngineError, openEngine, type WholeEngine } from "../../engine/engine.ts";
import { openThreadedEngine } from "../../engine/engine-thread.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { createLogger, describeCause, type Logger } from "../../kernel/logger.ts";
import type { Labels } from "../../model/label.ts";
import type { Access, AccessOptions } from "../access/open.ts";
import { createProxyCheck } from "../access/quota/client-address.ts";
import { openVisitors } from "../access/quota/visitors.ts";
import { Connections } from "../http/connections.ts";
import { stopOnSignal } from "../http/lifecycle.ts";
import { createServer } from "../http/server.ts";
import { addMcpEndpoint } from "../mcp/endpoint.ts";
import { Service } from "../service/service.ts";
import { type Config, ConfigError, readConfig } from "../settings/config.ts";
import { blockTimesOf } from "./block-times.ts";
import { writeGreeting } from "./greeting.ts";
import { catchTheRest } from "./last-resort.ts";
import { createLogOutput } from "./log-output.ts";
import { openExplainer } from "./open-explainer.ts";

/** Until a signal. Exits with 2 for wrong settings or rules, 1 where it cannot listen. Waits for a silent ledger server. */
export async function serve(): Promise<void> {
  const { config, engine } = readInputs();
  const output = createLogOutput(process.stderr);
  // The reader of stdout may leave before the greeting is written.
  process.stdout.on("error", () => {});
  const log = createLogger(config.logLevel, output.write);
  let exitCode = 0;
  let stop = (): void => quit(1, "The service ended before it listened; the log says why.");
  const caught = catchTheRest({
    log,
    stop() {
      exitCode = 1;
      stop();
    },
  });
  const threaded = openThreadedEngine(engine, config);
  const explainer = openExplainer(config, engine, { threaded, log });
  explainer.start();
  const access = await openAccess(config, { ...explainer, labels: engine.labels }, log);
  const service = new Service({
    explainer,
    previewer: explainer.previewer,
    messages: explainer.messages,
    access,
    visitors: openVisitors(config.visitors),
    log,
  });
  const { actionTypes, catalog, ruleset } = engine;
  const { publicUrl, host, port: wanted } = config;
  const connections = openConnections(config);
  const shared = { service, viewer: explainer.viewer, version, actionTypes, publicUrl, log };
  const pictures = { explainer, decide: threaded.decide };
  const app = createServer({
    ...shared,
    ...{ connections, ruleset, readHead: explainer.readHead, health: explainer.health },
    ...{ adminToken: config.http.adminToken, corsOrigins: config.http.corsOrigins, host, hosts: config.mcpHosts },
    web: config.http.web ? { ...pictures, protocols: engine.protocols, reference: hasReference(config) } : null,
    process: () => ({ log_lines_dropped: output.dropped(), ...caught }),
  });
  addMcpEndpoint(app, { ...shared, catalog, pictures, host, hosts: config.mcpHosts, origins: config.mcpOrigins });

  stop = stopOnSignal(app, {
    connections,
    delayMs: config.http.drainDelayMs,
    drainMs: config.http.drainMs,
    hurry: explainer.close,
    stopped(clean) {
      explainer.close();
      const exit = () => process.exit(clean ? exitCode : 1);
      setTimeout(exit, closingMs);
      void Promise.resolve(access?.close()).finally(exit);
    },
  });
  await app.listen({ host, port: wanted, backlog: serviceLimits.backlogMax }).catch((error: Error) => {
    quit(1, `Cannot listen on ${host}:${wanted}: ${error.message}`);
  });
  access?.start();
  const { port } = app.server.address() as { port: number };
  console.log(await writeGreeting(config, port, explainer));
}

/** For closing the ledger. */
const closingMs = 500;

/** Large, for people: where calls are charged only on request. */
function hasReference({ http, payments }: Config): boolean {
  return http.docs ?? payments === null;
}

function openConnections({ http, visitors }: Config): Connections {
  return new Connections({ max: http.connectionsMax, isProxy: createProxyCheck(visitors.trustProxy) });
}

function readInputs(): { config: Config; engine: WholeEngine } {
  try {
    const config = readConfig();
    return { config, engine: openEngine(config) };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof EngineError) quit(2, error.message);
    throw error;
  }
}

/** Loaded only where calls are charged: slower than the rest of the start. */
async function openAccess(
  { payments, ledger }: Config,
  { transport, witnesses, labels }: Pick<AccessOptions, "transport" | "witnesses"> & { labels: Labels },
  log: Logger,
): Promise<Access | null> {
  if (payments === null) return null;
  const { openAccess: openNow } = await import("../access/open.ts");
  const { isServerAway } = await import("../access/ledger/server-away.ts");
  const open = async () => openNow({ payments, ledger, transport, witnesses, calendar: blockTimesOf(labels), log });
  const failed = (error: unknown): never => {
    if (error instanceof ConfigError || (error instanceof Error && error.name === "AccessError"))
      quit(2, error.message);
    throw error;
  };
  try {
    return await open();
  } catch (error) {
    if (!isServerAway(error)) return failed(error);
    log.warn({ event: "ledger", outcome: "ledger_unavailable", cause: describeCause(error) });
    const { waitForAccess } = await import("./waiting-access.ts");
    return waitForAccess({ payments, open, isServerAway, failed });
  }
}

function quit(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}
