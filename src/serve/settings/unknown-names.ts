import { type SettingName, settingTable } from "./setting-value.ts";

/**
 * Problems for variables that are not settings but look like mistyped ones: RPC_URL, TXGLOSS_PORT, X402_PAYTO. A failing start is better
 * than a setting that is silently ignored. Two kinds are left alone: names of fewer than six letters without the prefix TXGLOSS_, because
 * other programs use such names, and variables that Kubernetes sets for a service called txgloss (TXGLOSS_PORT=tcp://…).
 */
export function findUnknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (name in settingTable || value.trim() === "" || value.startsWith("tcp://")) return [];
    const own = name.replace(/^TXGLOSS_/i, "");
    const meant = own === name && own.length < shortest ? undefined : findMeant(own);
    return meant === undefined ? [] : [`${name}: is no setting; did you mean ${meant}?`];
  });
}

const shortest = 6;

function findMeant(given: string): SettingName | undefined {
  const names = Object.keys(settingTable) as SettingName[];
  const same = names.find((known) => strip(known) === strip(given));
  return same ?? names.find((known) => known.length >= shortest && isSlip(given.toUpperCase(), known));
}

/** A name without parts that are easily mistaken: case, underscores, a plural, a unit. */
function strip(name: string): string {
  const letters = name.toUpperCase().replace(/_/g, "");
  return letters.replace(/(?:MS|S)$/, "");
}

/** Whether two names differ in one letter: missing, added or changed. */
function isSlip(given: string, known: string): boolean {
  const [short, long] = given.length < known.length ? [given, known] : [known, given];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return long.slice(at + 1) === short.slice(short.length === long.length ? at + 1 : at);
}
