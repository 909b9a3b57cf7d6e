import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Address, readAddress } from "../../kernel/address.ts";
import type { DrainerList } from "../../model/risk-lookups.ts";
import { type Clock, EndpointHealth } from "../health/endpoint-health.ts";
import { readBody } from "../http/json-client.ts";
import { parseJson, readObject } from "../http/json-object.ts";
import { hashDrainers, parseDrainers } from "./drainer-text.ts";

export interface DrainerSourceOptions {
  /** Directory for the last good snapshot; null: not kept. */
  dir: string | null;
  /** Milliseconds after which a snapshot is due for renewal. */
  refreshMs: number;
  /** Milliseconds for one download. */
  timeoutMs: number;
  clock: Clock;
}

/** One drainer list, from a URL or a file, with its last good snapshot. */
export class DrainerSource {
  readonly #at: string;
  readonly #options: DrainerSourceOptions;
  readonly health: EndpointHealth;
  #snapshot: Snapshot | undefined;

  constructor(at: string, options: DrainerSourceOptions) {
    this.#at = at;
    this.#options = options;
    this.health = new EndpointHealth("drainer_list", nameOf(at), options.clock);
  }

  /** Reads the snapshot that an earlier process kept, if it is complete. Never rejects. */
  async restore(): Promise<void> {
    const { dir } = this.#options;
    if (dir === null) return;
    const text = await readFile(this.#path(dir), "utf8").catch(() => undefined);
    this.#snapshot ??= text === undefined ? undefined : readSnapshot(text, this.#at);
  }

  /** Fetches the list again when it is due. When that fails, the old snapshot stays and is marked stale. Never rejects. */
  async refresh(signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.now();
    if (
      this.#snapshot !== undefined &&
      !this.health.isFailing() &&
      now - this.#snapshot.checked < this.#options.refreshMs
    )
      return;
    const within = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
    const loaded = await this.#load(within).catch(() => undefined);
    // No rest: the timer of the lists decides when it is tried again.
    if (loaded === undefined || shrank(this.#snapshot, loaded)) return this.health.fail({ restMs: 0 });
    this.health.succeed();
    this.#snapshot = { ...loaded, checked: now };
    await this.#keep().catch(() => {});
  }

  has(address: Address): boolean {
    return this.#snapshot?.addresses.has(address) === true;
  }

  describe(): DrainerList {
    const { clock, refreshMs } = this.#options;
    const held = this.#snapshot;
    const due = held !== undefined && clock.now() - held.checked > refreshMs * staleAfter;
    return {
      name: this.health.name,
      snapshot_time: held === undefined ? null : new Date(held.taken).toISOString(),
      sha256: held?.sha256 ?? null,
      entries: held?.addresses.size ?? 0,
      stale: this.health.isFailing() || due,
    };
  }

  async #load(signal: AbortSignal): Promise<Loaded | undefined> {
    const taken = this.#options.clock.now();
    if (!isUrl(this.#at)) return toLoaded(await readFile(this.#at, "utf8"), { taken, etag: null });
    const held = this.#snapshot;
    const known: Record<string, string> = held?.etag ? { "if-none-match": held.etag } : {};
    const response = await fetch(this.#at, { signal, headers: known });
    if (response.status === 304 && held !== undefined) return held;
    if (response.status !== 200) {
      await response.body?.cancel();
      return undefined;
    }
    return toLoaded(await readBody(response, listBytesMax), { taken, etag: response.headers.get("etag") });
  }

  /** A reader sees the old file or the new one, never half of it. */
  async #keep(): Promise<void> {
    const { dir } = this.#options;
    if (dir === null || this.#snapshot === undefined) return;
    const { addresses, ...facts } = this.#snapshot;
    await mkdir(dir, { recursive: true });
    const draft = `${this.#path(dir)}.${process.pid}.tmp`;
    await writeFile(draft, JSON.stringify({ at: this.#at, ...facts, addresses: [...addresses] }));
    await rename(draft, this.#path(dir));
  }

  #path(dir: string): string {
    return join(dir, `${createHash("sha256").update(this.#at).digest("hex").slice(0, 24)}.json`);
  }
}

interface Loaded {
  addresses: ReadonlySet<Address>;
  sha256: string;
  etag: string | null;
  /** Milliseconds since the epoch: when this content was fetched. */
  taken: number;
}

interface Snapshot extends Loaded {
  /** Milliseconds since the epoch: when the source last confirmed it. */
  checked: number;
}

const listBytesMax = 64 * 1024 * 1024;
/** A list also counts as stale after so many missed refreshes, for example because the machine slept. */
const staleAfter = 3;
/** A list that lost more than this share is taken for broken. */
const shrinkMax = 0.2;

function toLoaded(text: string, facts: { taken: number; etag: string | null }): Loaded | undefined {
  const addresses = parseDrainers(text);
  if (addresses === undefined) return undefined;
  return { addresses: new Set(addresses), sha256: hashDrainers(addresses), ...facts };
}

function shrank(held: Snapshot | undefined, loaded: Loaded): boolean {
  return held !== undefined && loaded.addresses.size < held.addresses.size * (1 - shrinkMax);
}

function readSnapshot(text: string, at: string): Snapshot | undefined {
  const value = readObject(parseJson(text)) ?? {};
  const addresses = Array.isArray(value.addresses) ? value.addresses.flatMap((item) => readAddress(item) ?? []) : [];
  const { sha256, etag, taken, checked } = value;
  if (value.at !== at || addresses.length === 0 || sha256 !== hashDrainers(addresses)) return undefined;
  if (typeof taken !== "number" || typeof checked !== "number") return undefined;
  return { addresses: new Set(addresses), sha256, etag: typeof etag === "string" ? etag : null, taken, checked };
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
