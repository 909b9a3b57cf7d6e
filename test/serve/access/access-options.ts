import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { FacilitatorSettings, PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { baseBlocks } from "../../support/labels.ts";
import { newDirectory, settingsOf } from "../../support/metered-server.ts";

/** A facilitator elsewhere. */
export const http = { kind: "http", url: "https://f.example/x" } as const;
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** A chain that does not answer. */
export const transport = () => ({ config: {}, request: () => Promise.reject(new Error("no chain")) }) as never;

export const calendar = baseBlocks();

/** Options for opening access: with its own ledger, and with a chain that does not answer. */
export const optionsFor = (
  facilitator: FacilitatorSettings,
  settings: Partial<PaymentSettings> = {},
  ledger?: object,
) => ({
  payments: settingsOf({ rpcUrl: "", facilitator, settings }),
  ledger: (ledger ?? { dataDir: newDirectory(memory) }) as never,
  ...{ transport, calendar },
});

/** A log, and its lines without their times. */
export function logged(level: "info" | "debug" = "info") {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger(level, (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ...line }) => line) };
}
