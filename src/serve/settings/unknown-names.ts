import { type SettingName, settingTable } from "./setting-value.ts";

/**
 * Likely slips of settings: RPC_URL, TXGLOSS_PORT, X402_PAYTO. A failing start is better than an ignored setting. Not names under six
 * letters without TXGLOSS_ (other programs'), nor what Kubernetes sets for a service txgloss (TXGLOSS_PORT=tcp://…).
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

/** Without case, underscores, plural, unit. */
function strip(name: string): string {
  const letters = name.toUpperCase().replace(/_/g, "");
  return letters.replace(/(?:MS|S)$/, "");
}

/** One letter missing, added or changed. */
function isSlip(given: string, known: string): boolean {
  const [short, long] = given.length < known.length ? [given, known] : [known, given];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return long.slice(at + 1) === short.slice(short.length === long.length ? at + 1 : at);
}
