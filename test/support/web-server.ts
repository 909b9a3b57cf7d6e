import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { openEngine } from "../../src/engine/engine.ts";
import type { Viewer } from "../../src/gather/explain/viewer.ts";
import { readCase } from "../../src/gather/recordings/case-format.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { createServer } from "../../src/serve/http/server.ts";
import { Service } from "../../src/serve/service/service.ts";
import { explainerOver } from "./explainer.ts";
import { recordedDir } from "./recorded-pictures.ts";
import { offlineMessages, recordedPreviewer } from "./recorded-previews.ts";
import { root } from "./shared.ts";

export interface WebServerOptions {
  web?: boolean;
  viewer?: Viewer;
}

/** The real service with its pages over the recordings, with nothing metered. */
export function openWebServer({ web = true, viewer }: WebServerOptions = {}): FastifyInstance {
  const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
  const explainer = explainerOver({
    gather: (hash) =>
      readCase(join(recordedDir, `${hash}.json`)).catch(() => {
        throw new ServiceError("transaction_not_found");
      }),
    decide: engine.decide,
  });
  const log = createLogger("error", () => {});
  const previewer = recordedPreviewer(recordedCases(), engine);
  return createServer({
    service: new Service({ explainer, previewer, messages: offlineMessages(engine), access: null, log }),
    ...(viewer && { viewer }),
    readHead: async () => null,
    ...{ version: "0.0.0-test", ruleset: engine.ruleset, actionTypes: engine.actionTypes, log },
    web: web ? { explainer, decide: engine.decide, protocols: engine.protocols } : null,
  });
}

function recordedCases(): CaseFile[] {
  const names = readdirSync(recordedDir).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(readFileSync(join(recordedDir, name), "utf8")));
}
