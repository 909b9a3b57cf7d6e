import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenForTest } from "./loopback.ts";

/** `slow`: never answers. `shape`: JSON of the wrong shape. `empty`: no body. */
export const factFaults = ["slow", "refused", "500", "429", "garbage", "shape", "empty"] as const;
export type FactFault = (typeof factFaults)[number];

export interface FactAnswer {
  status?: number;
  /** Text as it is, anything else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface FactServer {
  url: string;
  /** Paths in the order of arrival. */
  visits: string[];
  fault: FactFault | null;
  /** Milliseconds before each answer. */
  latencyMs: number;
  /** Requests under way, and the most there ever were. */
  open: number;
  openMost: number;
}

/** A server of public facts on this machine. It is closed when the test ends. `answer` gives the body for a path; undefined means 404. */
export async function startFactServer(
  answer: (url: URL, request: IncomingMessage) => FactAnswer | undefined,
): Promise<FactServer> {
  const state: FactServer = { url: "", visits: [], fault: null, latencyMs: 0, open: 0, openMost: 0 };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    state.visits.push(`${url.pathname}${url.search}`);
    state.openMost = Math.max(state.openMost, ++state.open);
    response.on("close", () => state.open--);
    if (state.latencyMs > 0) await sleep(state.latencyMs);
    if (state.fault === null) send(response, answer(url, request) ?? { status: 404, body: { message: "Not found" } });
    else misbehave(response, state.fault);
  });
  state.url = await listenForTest(server);
  return state;
}

function misbehave(response: ServerResponse, fault: FactFault): void {
  if (fault === "slow") return;
  if (fault === "refused") return void response.destroy();
  const answers: Record<Exclude<FactFault, "slow" | "refused">, FactAnswer> = {
    "500": { status: 500, body: "<html>upstream</html>" },
    "429": { status: 429, body: { message: "too many requests" }, headers: { "retry-after": "7" } },
    garbage: { body: '{"items":[{"ha' },
    shape: { body: { items: "none", match: 7, is_verified: "yes", addresses: 3 } },
    empty: { body: "" },
  };
  send(response, answers[fault]);
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: FactAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : status === 304 ? undefined : JSON.stringify(body));
}
