import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/open.ts";
import type { ErrorCode } from "../kernel/error.ts";
import type { Log } from "../kernel/log.ts";
import { clientOf, setQuota } from "./access-headers.ts";
import { corsHeaders } from "./cors.ts";
import { sendFailure, toServiceError } from "./failure.ts";

/** Answers a metered request that failed: it is not charged, and counts against the client's rate where it is its doing. */
export type MeteredFailure = (
  thrown: unknown,
  answer: { request: FastifyRequest; reply: FastifyReply; note?: (code: ErrorCode) => void },
) => Promise<FastifyReply>;

export function createMeteredFailure({ access, log }: { access: Access; log: Log }): MeteredFailure {
  const { metering, readClient } = access;
  return async (thrown, { request, reply, note }) => {
    const failure = toServiceError(thrown);
    const client = clientOf(request, readClient);
    metering.noteFailure(client, failure);
    note?.(failure.code);
    if (failure.status === 503) log.warn({ event: "refused", outcome: failure.code });
    if (!reply.hasHeader("ratelimit")) await addQuota();
    return sendFailure(reply.headers(corsHeaders), failure, log);

    async function addQuota(): Promise<void> {
      try {
        setQuota(reply, await metering.quota(client));
      } catch {
        // The failure is told anyway; most likely it is the ledger's own.
      }
    }
  };
}
