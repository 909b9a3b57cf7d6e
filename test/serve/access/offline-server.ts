import { onTestFinished } from "vitest";
import { type MeteredServer, type MeteredServerOptions, openMeteredServer } from "../../support/metered-server.ts";

const nowhere = "http://127.0.0.1:1";
export const day = 86_400_000;
export const noon = Math.floor(Date.now() / day) * day + day / 2;

/** A server whose chain and facilitator do not answer. Nothing that is free may depend on them. It is closed after the test. */
export async function openOffline(options: Partial<MeteredServerOptions> = {}): Promise<MeteredServer> {
  const server = await openMeteredServer({
    rpcUrl: nowhere,
    facilitator: { kind: "http", url: nowhere },
    now: () => noon,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The error of a reply. */
export const code = async (reply: Response) => ((await reply.json()) as { error: string }).error;
