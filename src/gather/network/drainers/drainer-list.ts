import { createHash } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Address, readAddress } from "../../../kernel/address.ts";
import { type JsonObject, parseJson, readObject } from "../../../kernel/canonical.ts";
import type { DrainerList } from "../../../model/risk-lookups.ts";
import { type Clock, EndpointHealth } from "../health/endpoint-health.ts";
import { watchedFetch } from "../health/fault-reason.ts";
import { readBody } from "../http/json-client.ts";
import knownLists from "./known-lists.json" with { type: "json" };

interface DrainerText {
  /** Sorted, each once. */
  addresses: Address[];
  /** Ms since the epoch, where given. */
  dates: number[];
}

/**
 * JSON array of addresses, or of objects with `address` and `date`; object with such an array as `address` or `addresses`; object of arrays
 * by domain; text lines with `#` comments. Undefined: no address, or over one bad entry in a hundred.
 */
export function parseDrainers(text: string): DrainerText | undefined {
  const trimmed = text.trim();
  const entries = /^[[{]/.test(trimmed) ? fromJson(parseJson(trimmed)) : fromLines(trimmed);
  const addresses = entries?.flatMap((entry) => readAddress(readObject(entry)?.address ?? entry) ?? []) ?? [];
  // Long lists hold slips; more mean another form.
  if (entries === undefined || addresses.length === 0 || addresses.length < entries.length * readableMin)
    return undefined;
  const dates = entries.flatMap((entry) => readDate(readObject(entry)?.date) ?? []);
  return { addresses: [...new Set(addresses)].sort(), dates };
}

const readableMin = 0.99;

function fromJson(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const parts: JsonObject = readObject(value) ?? {};
  const own = parts.address ?? parts.addresses;
  if (Array.isArray(own)) return own;
  const arrays = Object.values(parts);
  return arrays.every(Array.isArray) ? arrays.flat() : undefined;
}

function fromLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** YYYY-MM-DD, or ISO 8601. */
function readDate(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

export interface DrainerSourceOptions {
  /** For the last good snapshot; null: none. */
  dir: string | null;
  /** Until the next fetch. */
  refreshMs: number;
  /** For a download. */
  timeoutMs: number;
  clock: Clock;
}

/** From a URL or file. */
export function createDrainerSource(at: string, { dir, refreshMs, timeoutMs, clock }: DrainerSourceOptions) {
  const health = new EndpointHealth("drainer_list", nameOf(at), clock);
  const path = join(dir ?? "", `${createHash("sha256").update(at).digest("hex").slice(0, 24)}.json`);
  let snapshot: Snapshot | undefined;

  async function load(signal: AbortSignal): Promise<Loaded | undefined> {
    const held = snapshot;
    const fetched = { at, taken: clock.now(), held };
    if (!isUrl(at)) {
      const { mtimeMs } = await stat(at);
      return toLoaded(await readFile(at, "utf8"), { ...fetched, etag: null, changed: mtimeMs });
    }
    const known: Record<string, string> = held?.etag ? { "if-none-match": held.etag } : {};
    const response = await watchedFetch(health, at, { signal, headers: known });
    if (response.status === 304 && held !== undefined) return held;
    if (response.status !== 200) {
      await response.body?.cancel();
      return undefined;
    }
    const changed = Date.parse(response.headers.get("last-modified") ?? "");
    const etag = response.headers.get("etag");
    return toLoaded(await readBody(response, listBytesMax), { ...fetched, etag, changed });
  }

  return {
    health,
    /** Complete ones only. Never rejects. */
    async restore(): Promise<void> {
      if (dir === null) return;
      const text = await readFile(path, "utf8").catch(() => undefined);
      snapshot ??= text === undefined ? undefined : readSnapshot(text, at);
    },
    /** When due. On failure the old snapshot stays, as stale. Never rejects. */
    async refresh(signal: AbortSignal): Promise<void> {
      const now = clock.now();
      if (snapshot !== undefined && !health.isFailing() && now - snapshot.checked < refreshMs) return;
      const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const loaded = await load(within).catch(() => undefined);
      // The timer decides about retries.
      if (loaded === undefined || shrank(snapshot, loaded)) return health.fail({ restMs: 0 });
      health.succeed();
      snapshot = { ...loaded, checked: now };
      if (dir !== null) await keepSnapshot(path, at, snapshot).catch(() => {});
    },
    has: (address: Address): boolean => snapshot?.addresses.has(address) === true,
    describe(): DrainerList {
      const due = snapshot !== undefined && clock.now() - snapshot.checked > refreshMs * staleAfter;
      return {
        name: health.name,
        snapshot_time: snapshot === undefined ? null : new Date(snapshot.taken).toISOString(),
        newest_entry: snapshot === undefined ? null : new Date(snapshot.newest).toISOString().slice(0, 10),
        sha256: snapshot?.sha256 ?? null,
        entries: snapshot?.addresses.size ?? 0,
        stale: health.isFailing() || due,
      };
    },
  };
}

/** Renamed into place: never half a file. */
async function keepSnapshot(path: string, at: string, { addresses, ...facts }: Snapshot): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, JSON.stringify({ at, ...facts, addresses: [...addresses] }));
  await rename(draft, path);
}

interface Loaded {
  addresses: ReadonlySet<Address>;
  sha256: string;
  etag: string | null;
  /** When fetched, ms since the epoch. */
  taken: number;
  /** Newest entry, if known, ms since the epoch. */
  newest: number;
}

interface Snapshot extends Loaded {
  /** Last confirmed, ms since the epoch. */
  checked: number;
}

/** Times in ms since the epoch. */
interface Fetched {
  at: string;
  taken: number;
  etag: string | null;
  /** As the source says; NaN: it does not. */
  changed: number;
  held: Snapshot | undefined;
}

const listBytesMax = 64 * 1024 * 1024;
/** Missed refreshes, e.g. while the machine slept. */
const staleAfter = 3;
/** A list that shrank by more counts as broken. */
const shrinkMax = 0.2;

function toLoaded(text: string, fetched: Fetched): Loaded | undefined {
  const read = parseDrainers(text);
  if (read === undefined) return undefined;
  const { addresses } = read;
  const { taken, etag } = fetched;
  return {
    addresses: new Set(addresses),
    sha256: hashDrainers(addresses),
    etag,
    taken,
    newest: newestOf(read, fetched),
  };
}

/**
 * The latest date of the entries. Without dates: when an address last came to it; at first what is known, its file's time, or this fetch.
 * Refetching makes no list newer.
 */
function newestOf({ addresses, dates }: DrainerText, { at, taken, changed, held }: Fetched): number {
  // A future date is a slip that would keep the list new for years.
  const dated = dates.filter((date) => date <= taken);
  if (dated.length > 0) return dated.reduce((latest, date) => Math.max(latest, date));
  if (held !== undefined) return addresses.every((address) => held.addresses.has(address)) ? held.newest : taken;
  const known = knownLists.find((list) => list.at === at);
  if (known !== undefined && addresses.length <= known.entries) return Date.parse(known.newest_entry);
  return changed <= taken ? changed : taken;
}

function shrank(held: Snapshot | undefined, loaded: Loaded): boolean {
  return held !== undefined && loaded.addresses.size < held.addresses.size * (1 - shrinkMax);
}

function readSnapshot(text: string, at: string): Snapshot | undefined {
  const value = readObject(parseJson(text)) ?? {};
  const addresses = Array.isArray(value.addresses) ? value.addresses.flatMap((item) => readAddress(item) ?? []) : [];
  const { sha256, etag, taken, newest, checked } = value;
  if (value.at !== at || addresses.length === 0 || sha256 !== hashDrainers(addresses)) return undefined;
  if (typeof taken !== "number" || typeof newest !== "number" || typeof checked !== "number") return undefined;
  const kept = { sha256, etag: typeof etag === "string" ? etag : null, taken, newest, checked };
  return { addresses: new Set(addresses), ...kept };
}

function isUrl(at: string): boolean {
  return /^https?:\/\//.test(at);
}

/** Without query and user, which may hold keys. */
function nameOf(at: string): string {
  if (!isUrl(at)) return basename(at);
  const { host, pathname } = new URL(at);
  return `${host}${pathname}`;
}

/** SHA-256 of sorted addresses, one a line: equal in every format. */
export function hashDrainers(addresses: readonly Address[]): string {
  return createHash("sha256").update(addresses.join("\n")).digest("hex");
}
