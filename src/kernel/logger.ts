/** Log levels, from the fewest lines to the most. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Logger {
  error(fields: LogFields): void;
  warn(fields: LogFields): void;
  info(fields: LogFields): void;
  debug(fields: LogFields): void;
}

/** The fields of a log line. They must never hold a body, a header or a caller's address. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/**
 * An error as text for the log: its stack and causes. Of URLs only protocol and host are kept, because paths, queries and passwords may
 * hold keys. Tokens of passes are left out, and so is a word that is longer than a hash, such as a signature or a header.
 */
export function describeCause(thrown: unknown): string {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const cause =
    thrown instanceof Error && thrown.cause !== undefined ? `\ncaused by ${describeCause(thrown.cause)}` : "";
  return `${text}${cause}`
    .replace(/\b(https?|postgres(?:ql)?):\/\/[^\s"'<>)]+/g, hostOnly)
    .replace(/\bsvc_[0-9a-f]{24}_[0-9a-f]{64}/g, "(a pass)")
    .replace(/(?:0x)?[0-9a-f]{65,}/gi, "(long hex)")
    .replace(/[\w+/-]{120,}={0,2}/g, "(long text)");
}

/**
 * What failed, from the outside in, by codes and names alone: `payments_unavailable < TypeError < ENOTFOUND`. The texts of errors may
 * hold what a caller sent, such as a payment, so they are left out.
 */
export function codesOf(thrown: unknown): string {
  const codes: string[] = [];
  for (let error = thrown; error instanceof Error && codes.length < codesMax; error = error.cause) {
    const { code } = error as { code?: unknown };
    codes.push(typeof code === "string" && /^\w{1,64}$/.test(code) ? code : error.name);
  }
  return codes.join(" < ");
}

const codesMax = 6;

function hostOnly(text: string): string {
  return URL.canParse(text) ? `${new URL(text).protocol}//${new URL(text).host}` : "(an address)";
}

/** Makes a logger that writes one JSON object per line. Lines of levels that are off are never built. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const rank = logLevels.indexOf(level);
  const at = (name: Exclude<LogLevel, "silent">) =>
    logLevels.indexOf(name) > rank
      ? () => {}
      : (fields: LogFields) => write(`${JSON.stringify({ time: new Date().toISOString(), level: name, ...fields })}\n`);
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
