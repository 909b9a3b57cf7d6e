import { ConfigError, readConfig } from "../../../src/serve/settings/config.ts";

// Recordings are switched off, so that the tests do not depend on what ships.
export const base = { RECORDINGS_DIR: "" };
/** USDC's own address: any with a checksum does. */
export const charging = {
  X402_PAY_TO: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  PASS_SECRET: "0123456789abcdef0123456789abcdef",
};

/** What readConfig says is wrong. */
export function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...base, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
