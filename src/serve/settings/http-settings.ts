import { type ReadSetting, readList, readSwitch, readWholeNumber } from "./setting-value.ts";

export interface HttpSettings {
  /** Open connections; further ones get 503. */
  readonly connectionsMax: number;
  /** From SIGTERM to the end. */
  readonly drainMs: number;
  /** Part of it in which new connections are accepted. */
  readonly drainDelayMs: number;
  /** Shows money and /metrics. null: callers on this machine only. */
  readonly adminToken: string | null;
  /** May call /explain where nothing is charged; `*`: any. */
  readonly corsOrigins: readonly string[];
  /** Pages for people. */
  readonly web: boolean;
  /** Whether there is the reference of the API. null: where nothing is charged. */
  readonly docs: boolean | null;
}

export function readHttpSettings(read: ReadSetting): HttpSettings {
  const drainMs = read("DRAIN_S", readSeconds);
  return Object.freeze({
    connectionsMax: read("CONNECTIONS_MAX", readWholeNumber),
    drainMs,
    drainDelayMs: read("DRAIN_DELAY_S", (text, row) => {
      const delayMs = readSeconds(text, row);
      if (delayMs >= drainMs) throw new Error("expected less than DRAIN_S.");
      return delayMs;
    }),
    adminToken: read("ADMIN_TOKEN", readToken),
    corsOrigins: Object.freeze(read("CORS_ORIGINS", readOrigins)),
    web: read("WEB", readSwitch),
    docs: read("DOCS", (text) => (text === "" ? null : readSwitch(text))),
  });
}

/** `*`: any. */
export function readOrigins(text: string): string[] {
  return readList(text).map((item) => {
    if (item === "*") return item;
    const origin = URL.canParse(item) ? new URL(item).origin : "null";
    if (origin === "null" || item.replace(/\/$/, "").toLowerCase() !== origin)
      throw new Error("expected origins such as https://app.example.");
    return origin;
  });
}

function readSeconds(...row: Parameters<typeof readWholeNumber>): number {
  return readWholeNumber(...row) * 1000;
}

function readToken(text: string): string | null {
  if (text === "") return null;
  if (!/^[\x21-\x7e]{16,}$/.test(text))
    throw new Error("expected 16 characters or more without blanks, such as `openssl rand -hex 32` prints.");
  return text;
}
