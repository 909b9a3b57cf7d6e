import packageJson from "../../package.json" with { type: "json" };

/** The packages that charging and the commands for the ledger need in addition. */
const forCharging = ["@x402/core", "@x402/evm", "jose", "pg"] as const;

/**
 * The message for a failed import where a package for charging is missing: these packages are optional, and may not be installed. Undefined
 * where the failure has another cause.
 */
export function missingForCharging(error: unknown): string | undefined {
  const { code, message = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== "ERR_MODULE_NOT_FOUND" || !forCharging.some((name) => message.includes(`'${name}'`))) return undefined;
  const packages = forCharging.map((name) => `${name}@${packageJson.peerDependencies[name]}`);
  return `Charging needs packages that are not installed: npm install ${packages.join(" ")}`;
}
