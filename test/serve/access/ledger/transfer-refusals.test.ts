import { describe, expect, it } from "vitest";
import { schemaVersion } from "../../../../src/serve/access/ledger/database.ts";
import { fill, readIn, readOut } from "./moved-ledger.ts";
import { newPlaces } from "./new-places.ts";

const { stores, newFile } = newPlaces();

describe.each(stores)("an import into %s", { timeout: 60_000 }, (_name, newPlace, missing) => {
  it.skipIf(missing)("names the line that the tables refuse, and imports nothing", async () => {
    const [first, second] = [await newFile(), await newPlace()];
    await fill(first);
    const lines = await readOut(first);
    const changeAt = (place: number, from: string, to: string) =>
      lines.map((line, index) => (index === place - 1 ? line.replace(from, to) : line));
    const bought = lines.findIndex((line) => line.startsWith('{"bought_lines"')) + 1;
    const refusals: [string[], RegExp][] = [
      [
        changeAt(2, '"state":"settling"', '"state":"odd"'),
        /^Line 2: the ledger refuses this row of payments: .*constraint/i,
      ],
      [
        changeAt(3, '"product":"explain"', '"product":null'),
        /^Line 3: the ledger refuses this row of payments: .*product/,
      ],
      [
        changeAt(bought, "key-3", "key-999999"),
        /^Line \d+: the ledger refuses this row of bought_lines: .*foreign key/i,
      ],
      [changeAt(2, '"amount":20000', '"amount":20000.5'), /^Line 2 is not a row of the ledger\.$/],
      [changeAt(2, '"amount":20000', '"amount":1e300'), /^Line 2 is not a row of the ledger\.$/],
    ];
    for (const [wrong, reason] of refusals) await expect(readIn(second, wrong)).rejects.toThrow(reason);
    expect((await readOut(second)).length).toBe(2);
  });

  it.skipIf(missing)("passes on errors of the lines themselves", async () => {
    const place = await newPlace();
    const broken = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
    const lines = (async function* () {
      yield JSON.stringify({ ledger: "txgloss", schema: schemaVersion });
      throw broken;
    })();
    await expect(readIn(place, lines)).rejects.toBe(broken);
  });
});
