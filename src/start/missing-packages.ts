import packageJson from "../../package.json" with { type: "json" };

/** What a service that charges, and the commands for its ledger, load beside what is always installed. */
const forCharging = ["@x402/core", "@x402/evm", "better-sqlite3", "jose", "pg"] as const;

/**
 * The packages for charging are optional, so whoever installed this one without them is told. For the failure of an import:
 * undefined where it lacks none of them.
 */
export function missingForCharging(error: unknown): string | undefined {
  const { code, message = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== "ERR_MODULE_NOT_FOUND" || !forCharging.some((name) => message.includes(`'${name}'`))) return undefined;
  const packages = forCharging.map((name) => `${name}@${packageJson.peerDependencies[name]}`);
  return `Charging needs packages that are not installed: npm install ${packages.join(" ")}`;
}
