import type { Explainer } from "../../src/explain/explain.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { Door, Sold } from "../../src/service/door.ts";
import type { DoorRequest } from "../../src/service/service-request.ts";

export const sold: Sold = { body: Buffer.from('{"a":1}'), etag: '"e"', source: "recording" };
export const caller = { connection: { remoteAddress: "192.0.2.1" }, headers: { "x-forwarded-for": "198.51.100.2" } };

/** What the door knows and makes, and how the request reads. */
interface Asking {
  known?: Sold;
  make?: () => Promise<Sold>;
  read?: DoorRequest<string, Sold>["read"];
  isHeld?: boolean;
}

/** A door, and a request that comes to it. */
export function askingOf({ known, make = async () => sold, read, isHeld = false }: Asking = {}) {
  const door: Door<string, Sold> = {
    ...{ event: "explain", nameOf: (asked) => `name of ${asked}`, fieldsOf: (asked) => ({ asked }) },
    ...{
      known: () => known,
      make,
      contentOf: () => ({}),
      resultOf: () => "reverted",
      resultIn: (body) => body as never,
    },
  };
  const request: DoorRequest<string, Sold> = {
    ...{ transport: "http", product: "explain", resource: "/explain", caller, isHeld: () => isHeld },
    read: read ?? (() => ({ asked: "x" })),
  };
  return { door, request };
}

export function logged() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

export const explainer = {} as Explainer;
