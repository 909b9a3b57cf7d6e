import { describe, expect, it } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { readSimulatedBlock } from "../../../src/gather/preview/runs/simulated-block.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { readSharedTraces } from "../../support/shared-cases.ts";
import { engine } from "./preview-world.ts";
import { rearrangedAnswer, recordedTrees, simulatedAnswer } from "./simulated-recordings.ts";

function requestOf({ transaction: { from, to, value, input } }: CaseFile): PreviewRequest {
  const parties = { from: toAddress(from), to: to === null ? null : toAddress(to) };
  return { ...parties, value: BigInt(value), data: input as `0x${string}`, gas: null, nonce: null, authorizations: [] };
}

/** The explanation of a recorded case in the form of eth_simulateV1: with ether as logs, and without a call tree. */
function explainSimulated(file: CaseFile, result: unknown) {
  const nonce = BigInt(file.transaction.nonce ?? 0);
  const run = readSimulatedBlock({ ok: true, result }, requestOf(file), nonce);
  if (run.kind !== "ran") return run.kind;
  const { logs, status } = run.receipt;
  const receipt = { ...file.receipt, logs, ...(status && { status }) };
  return engine.decide({ ...file, receipt, trace: run.trace }).explanation;
}

describe("recorded call trees in the shape of eth_simulateV1", () => {
  it.each(recordedTrees().map((file) => [file.tx_hash, file] as const))("%s is explained the same", (_, file) => {
    expect(explainSimulated(file, simulatedAnswer(file))).toEqual(engine.decide(file).explanation);
  });

  it("of other chains are explained the same, but for what one call of several paid to somebody", ({ skip }) => {
    const files = readSharedTraces() ?? skip("the shared traces are not there: SHARED_DIR says where they are");
    expect(files.length).toBeGreaterThan(80);
    let paid = 0;
    for (const file of files) {
      const result = rearrangedAnswer(file, normalize(file, engine.labels));
      const { summary, ...rest } = engine.decide(file).explanation;
      const simulated = explainSimulated(file, result) as Partial<typeof rest> & { summary: string };
      // Which call paid him only a call tree tells.
      const same = simulated.summary === summary ? summary : summary.replace(/ By this \S+ ETH went to \S+\.$/, "");
      if (same !== summary) paid++;
      // Why a call inside it failed, too.
      const unknown = simulated.summary.endsWith("The reason is not known.");
      const told = unknown ? same.replace(/The reason: .*\.$/, "The reason is not known.") : same;
      expect(simulated, file.tx_hash).toEqual({ ...rest, summary: told });
    }
    expect(paid).toBeLessThan(3);
  });
});
