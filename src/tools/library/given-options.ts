import { suggest } from "../../rules/documents/suggest.ts";
import { ConfigError } from "../../serve/settings/config.ts";
import { settingTable } from "../../serve/settings/setting-value.ts";

/** No object: no options. Throws ConfigError for an unknown one. */
export function readGivenOptions<Options extends object>(
  given: Options | null | undefined,
  known: readonly (keyof Options & string)[],
): Partial<Options> {
  const options = readObject(given, "options");
  refuseUnknown(Object.keys(options), known, "option");
  return options as Partial<Options>;
}

/** This package has an option instead. */
const saidByOption: Readonly<Record<string, string>> = {
  RPC_URLS: "give the endpoints as the option rpcUrls.",
  RULES_DIR: "give the folders as the option rules.",
  LABELS_DIR: "give the folders as the option labels.",
  RECORDINGS_DIR: "recordings are no source here; createEngine explains a case file.",
};

/** Texts only: callers without type checks may give numbers or booleans. Throws ConfigError with all mistakes. */
export function readGivenSettings(given: unknown): Record<string, string> {
  const settings = Object.entries(readObject(given, "settings")).filter(([, value]) => value !== undefined);
  refuseUnknown(
    settings.map(([name]) => name),
    Object.keys(settingTable),
    "setting",
  );
  const wrong = settings.flatMap(([name, value]) => {
    const instead = saidByOption[name];
    if (instead !== undefined) return value === "" ? [] : [`${name}: ${instead}`];
    return typeof value === "string" ? [] : [`${name}: expected a text.`];
  });
  if (wrong.length > 0) throw new ConfigError(wrong);
  return Object.fromEntries(settings) as Record<string, string>;
}

function readObject(given: unknown, what: string): object {
  if (given === undefined || given === null) return {};
  if (typeof given === "object" && !Array.isArray(given)) return given;
  throw new ConfigError([`${what}: expected an object.`]);
}

/** Ignoring a mistyped name would be worse than failing. */
function refuseUnknown(names: readonly string[], known: readonly string[], kind: "option" | "setting"): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigError(
    unknown.map((name) => {
      const close = suggest(name, known);
      const list = kind === "option" ? `; there are ${known.join(", ")}` : "";
      return `${name}: is no ${kind}${close === undefined ? `${list}.` : `; did you mean ${close}?`}`;
    }),
  );
}
