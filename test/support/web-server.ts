import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { openEngine } from "../../src/engine/engine.ts";
import { createServer } from "../../src/http/server.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { readCase } from "../../src/recordings/case-format.ts";
import { Service } from "../../src/service/service.ts";
import { explainerOver } from "./explainer.ts";
import { recordedDir } from "./recorded-pictures.ts";
import { root } from "./shared.ts";

/** The real service with its pages over the recordings, with nothing metered. */
export function openWebServer({ web = true }: { web?: boolean } = {}): FastifyInstance {
  const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
  const explainer = explainerOver({
    gather: (hash) =>
      readCase(join(recordedDir, `${hash}.json`)).catch(() => {
        throw new ServiceError("transaction_not_found");
      }),
    decide: engine.decide,
  });
  const log = createLogger("error", () => {});
  return createServer({
    service: new Service({ explainer, access: null, log }),
    readHead: async () => null,
    ...{ version: "0.0.0-test", ruleset: engine.ruleset, actionTypes: engine.actionTypes, log },
    web: web ? { explainer, decide: engine.decide, protocols: engine.protocols } : null,
  });
}
