import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, it, onTestFinished } from "vitest";
import { openBulkWorld } from "../../chaos/bulk/bulk-world.ts";
import { findPostgres } from "../../support/postgres.ts";
import { replayedHash } from "../../support/replay-node.ts";
import { root } from "../../support/shared.ts";
import { runTxgloss } from "../cli/txgloss-process.ts";

/** The commands in docs/volume.md, with a node and a database on this machine. */
function readCommands(): string[][] {
  const page = readFileSync(join(root, "docs/volume.md"), "utf8");
  const block = /## Block ranges.*?```sh\n(.*?)```/s.exec(page)?.[1] ?? "";
  const lines = block.split("\n").map((line) => line.replace(/ +#.*$/, ""));
  return lines.flatMap((line) => {
    const [, words] = /^npm run -s txgloss -- (.+)$/.exec(line) ?? [];
    return words === undefined ? [] : [words.split(" ")];
  });
}

it.skipIf(findPostgres() === undefined)(
  "docs/volume.md leads from nothing to Parquet files",
  { timeout: 240_000 },
  async () => {
    const world = await openBulkWorld({ perBlock: 1 });
    onTestFinished(() => world.close());
    const [DATABASE_URL, dir] = [await world.createDatabase("page"), world.folder()];
    const env = { DATABASE_URL, RPC_URLS: world.node.url };
    const said: Record<string, string> = {};
    for (const words of readCommands()) {
      const args = words.map((word, i) => (["--dir", "coverage"].includes(words[i - 1] ?? "") ? dir : word));
      const ended = await runTxgloss(args, env);
      expect([ended.code, ended.stderr], words.join(" ")).toEqual([0, ""]);
      said[words.slice(0, 2).join(" ")] = ended.stdout;
    }
    expect(said["bulk plan"]).toMatch(/^planned +2 ranges$/m);
    expect(said["bulk work"]).toBe("2 parts, 200 transactions\n");
    expect(said["bulk status"]).toMatch(/^ranges +2 of 2 done, 0 worked on, 0 waiting, 0 failed$/m);
    expect(said["coverage parts"]).toMatch(/^cases +200$/m);
    expect(said["coverage parts"]).toMatch(/^left over +\d+ {2}0x[0-9a-f]{40}/m);
    const paths = said["bulk parts"]?.split("\n").filter(Boolean) ?? [];
    const rows = [];
    for (const path of paths) rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(path) })));
    expect(rows.map(({ tx_hash }) => tx_hash)).toEqual(
      Array.from({ length: 200 }, (_, i) => replayedHash(1000 + i, 0)),
    );
  },
);

it("bulk says what is missing when there is no database, and when it cannot be reached", {
  timeout: 120_000,
}, async () => {
  const [none, away] = await Promise.all([
    runTxgloss(["bulk", "status"]),
    runTxgloss(["bulk", "status"], { DATABASE_URL: "postgres://nobody@127.0.0.1:9/nothing" }),
  ]);
  expect([none.code, none.stdout]).toEqual([2, ""]);
  expect(none.stderr).toContain("DATABASE_URL: bulk runs keep their plans in PostgreSQL: expected postgres://");
  expect(away.code).toBe(2);
  expect(away.stderr).toContain("DATABASE_URL: the database cannot be used: ");
});
