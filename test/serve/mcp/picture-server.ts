import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../src/engine/engine.ts";
import { readCase } from "../../../src/gather/recordings/case-format.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { ViewedDecision } from "../../../src/model/decision.ts";
import { createServer } from "../../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../../src/serve/mcp/endpoint.ts";
import { Service } from "../../../src/serve/service/service.ts";
import { explainerOver } from "../../support/explainer.ts";
import { hostilePage, recordedDir } from "../../support/recorded-pictures.ts";
import { root } from "../../support/shared.ts";

const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
const recorded = readdirSync(recordedDir).map((name) => name.slice(0, -5) as Hash);
/** The recorded transaction whose hash starts so. */
export const named = (start: string) => recorded.find((hash) => hash.startsWith(start)) as Hash;
export const swap = named("0x1dadb993");
export const approval = named("0x17514223");
export const stranger = named("0x3e88cd74");

/** Decides like the engine, but one transaction is told only in a stranger's words. */
export function decide(caseFile: CaseFile): ViewedDecision {
  const decision = engine.decide(caseFile);
  if (caseFile.tx_hash !== stranger) return decision;
  const { explanation, facts } = hostilePage({
    ...{ explanation: decision.explanation, facts: decision.pictureFacts() },
    ...{ evidence: decision.evidence(), view: null, source: "network" },
  });
  return { ...decision, explanation, pictureFacts: () => facts };
}

/** A server over recorded transactions, and the address of its MCP endpoint. */
export async function startPictureServer() {
  const explainer = explainerOver({
    gather: (hash) =>
      readCase(join(recordedDir, `${hash}.json`)).catch(() => {
        throw new ServiceError("transaction_not_found");
      }),
    decide,
  });
  const log = createLogger("silent", () => {});
  const service = new Service({ explainer, access: null, log });
  const { actionTypes, catalog, ruleset } = engine;
  const shared = { service, version: "1.2.3", actionTypes, log };
  const app = createServer({ ...shared, ruleset, readHead: async () => null });
  const pictures = { explainer, decide };
  addMcpEndpoint(app, { ...shared, catalog, pictures, host: "127.0.0.1", hosts: [], origins: [] });
  return { app, url: `${await app.listen({ host: "127.0.0.1", port: 0 })}/mcp` };
}

/** The input for the picture of a recorded transaction. */
export const pictured = async (hash: Hash) => {
  const { explanation, pictureFacts } = decide(await readCase(join(recordedDir, `${hash}.json`)));
  return { explanation, facts: pictureFacts() };
};
