import { snakeCase } from "./argument.ts";

/** `LendingPoolV2` as a role: `lending_pool`; undefined when the name says nothing about the contract. */
export function roleFromName(name: string | null | undefined): string | undefined {
  if (name === null || name === undefined || /proxy/i.test(name)) return undefined;
  const role = snakeCase(name)
    .replace(/^[0-9_]+/, "")
    .replace(/_(?:v_?\d+|upgradeable|implementation|impl|logic)(?=_|$)/g, "");
  return /^[a-z][a-z0-9_]{1,30}$/.test(role) ? role : undefined;
}

/** The role, or with a number where another contract has it already. */
export function unusedRole(role: string, used: Set<string>): string {
  let own = role;
  for (let number = 2; used.has(own); number++) own = `${role}_${number}`;
  used.add(own);
  return own;
}
