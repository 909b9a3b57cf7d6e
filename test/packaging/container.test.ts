import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingTable } from "../../src/serve/settings/setting-value.ts";
import { root } from "../support/shared.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const settings = Object.keys(settingTable);

describe("the container", () => {
  const steps = read("Dockerfile");

  it("sets what is a setting, and paths that the user of the process may write to", () => {
    const [, given = ""] = /^ENV (.+)$/m.exec(steps) ?? [];
    const values = Object.fromEntries(given.split(" ").map((pair) => pair.split("=") as [string, string]));
    expect(Object.keys(values).filter((name) => name !== "NODE_ENV" && !settings.includes(name))).toEqual([]);
    const rows = Object.entries(settingTable as Record<string, { default: string }>);
    const writable = rows.flatMap(([name, row]) => (row.default.startsWith("data/") ? [name] : []));
    expect([...writable, "DATA_DIR"].filter((name) => !values[name]?.startsWith("/data"))).toEqual([]);
  });

  it("runs files that there are, on the exact versions of its images", () => {
    const files = [...steps.matchAll(/\b(src\/[\w./-]+\.[jt]s)\b/g)].map(([, path]) => path as string);
    expect(files).toEqual(["src/serve/start/prepare.ts", "src/main.js"]);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(steps).toContain("npm ci --omit=dev --ignore-scripts");
    for (const image of [steps.match(/^FROM (.+)$/m)?.[1], parse(read("compose.yaml")).services.ledger.image])
      expect(image).toMatch(/^\w+:\d+\.\d+(?:\.\d+)?(?:-slim)?$/);
  });

  it.each(["txgloss", "ledger"])("keeps %s from gaining rights, and from taking the whole machine", (name) => {
    const service = parse(read("compose.yaml")).services[name];
    expect(service).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect([service.mem_limit, service.pids_limit]).toEqual([expect.stringMatching(/^\dg$/), expect.any(Number)]);
  });

  it("serves this machine alone, and writes nothing outside its volume", () => {
    const { ports, read_only } = parse(read("compose.yaml")).services.txgloss;
    expect([ports, read_only]).toEqual([["127.0.0.1:8080:8080"], true]);
  });

  it("is composed with settings that there are, and stopped later than it drains", () => {
    const { services } = parse(read("compose.yaml"));
    expect(Object.keys(services.txgloss.environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(Number.parseInt(services.txgloss.stop_grace_period, 10)).toBeGreaterThan(
      Number(settingTable.DRAIN_S.default),
    );
    expect(Object.keys(services.txgloss.depends_on)).toEqual(["ledger"]);
  });
});
