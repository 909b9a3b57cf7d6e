import type { WholeEngine } from "../../src/engine/engine.ts";
import { createMessagePreviewer, type MessagePreviewer } from "../../src/gather/preview/message-preview.ts";
import type { Previewer } from "../../src/gather/preview/preview.ts";
import { toAnswer } from "../../src/gather/preview/preview-answer.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { CaseFile } from "../../src/model/case-file.ts";

const simulation = { priced: true, differs: false, unavailable: [], refusal: null } as const;

/** A recorded transaction as it looked before it was signed: either as a simulation shows it, or with its calldata alone. */
export function plannedCase(file: CaseFile, method: "debug_traceCall" | "none"): CaseFile {
  const told: CaseFile = { ...file, simulation: { ...simulation, unavailable: [], method } };
  if (method !== "none") return told;
  return { ...told, receipt: { status: "0x0", logs: [] }, trace: { source: "none", reason: "nobody simulated" } };
}

/** Previews of recorded transactions. A request with a nonce gets a preview from the calldata alone. */
export function recordedPreviewer(files: readonly CaseFile[], engine: WholeEngine): Previewer {
  return {
    cached: () => undefined,
    close: () => {},
    async preview({ from, to, data, nonce }) {
      const found = files.find(({ transaction: { from: sender, to: called, input } }) => {
        return sender.toLowerCase() === from && (called?.toLowerCase() ?? null) === to && input === data;
      });
      if (found === undefined) throw new ServiceError("upstream_unavailable");
      const file = plannedCase(found, nonce === null ? "debug_traceCall" : "none");
      return toAnswer(file, engine.decide(file));
    },
  };
}

/** Messages by what they say alone: no endpoint is there. */
export function offlineMessages(engine: WholeEngine): MessagePreviewer {
  return createMessagePreviewer({
    pool: { endpoints: [], isOnline: () => false, tryEach: async () => undefined } as never,
    plan: (question) => engine.planMessage(question),
    lookUp: () => Promise.reject(new Error("nothing is looked up")),
    decide: engine.decideMessage,
  });
}
