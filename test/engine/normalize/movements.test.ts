import { describe, expect, it } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { InternalTransfer, RpcLog } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  frame,
  logOf,
  nftTransferLog,
  piecesTransferLog,
  token,
  traced,
  transferLog,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";

const labels = shippedLabels();
type Parts = Parameters<typeof caseOf>[0];
const movementsOf = (logs: RpcLog[], rest: Parts = {}) =>
  normalize(caseOf({ receipt: { logs }, ...rest }), labels).movements;

const batch =
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)";

describe("token movements", () => {
  it("tell ERC-20 from ERC-721 by the number of topics", () => {
    const logs = [transferLog(token, alice, bob, 7n), nftTransferLog(token, alice, bob, 7n)];
    expect(movementsOf(logs)).toMatchObject([
      { index: 0, standard: "erc20", token, tokenId: null, amount: 7n, log: 0 },
      { index: 1, standard: "erc721", token, tokenId: 7n, amount: 1n, log: 1 },
    ]);
  });

  it("read ERC-1155 single and batch transfers, element by element", () => {
    const logs = [
      piecesTransferLog(token, { operator: carol, from: zero, to: bob, id: 1n, value: 2n }),
      logOf(token, batch, { operator: carol, from: alice, to: bob, ids: [3n, 4n, 3n], values: [5n, 6n, 7n] }),
    ];
    expect(movementsOf(logs).map(({ standard, tokenId, amount, log }) => [standard, tokenId, amount, log])).toEqual([
      ["erc1155", 1n, 2n, 0],
      ["erc1155", 3n, 5n, 1],
      ["erc1155", 4n, 6n, 1],
      ["erc1155", 3n, 7n, 1],
    ]);
  });

  const plain = transferLog(token, alice, bob, 7n);
  const many = logOf(token, batch, { operator: carol, from: alice, to: bob, ids: [3n], values: [5n] });
  it.each<[string, RpcLog]>([
    ["without an amount", { ...plain, data: "0x" }],
    ["with half an amount", { ...plain, data: plain.data.slice(0, 40) }],
    ["with two topics", { ...plain, topics: plain.topics.slice(0, 2) }],
    [
      "from a word that is no address",
      { ...plain, topics: [plain.topics[0] as string, `0x${"f".repeat(64)}`, plain.topics[2] as string] },
    ],
    ["without any topic", { ...plain, topics: [] }],
    ["of arrays of unequal length", { ...many, data: many.data.replace(/1(0{63}3)/, "2$1") }],
    ["of arrays beyond the data", { ...many, data: many.data.slice(0, -64) }],
    ["of an array at an offset outside", { ...many, data: `0x${"f".repeat(64)}${many.data.slice(66)}` }],
    [
      "of an array longer than any",
      { ...many, data: `${many.data.slice(0, 130)}${"f".repeat(64)}${many.data.slice(194)}` },
    ],
  ])("are not read from a log %s", (_what, log) => {
    expect(movementsOf([log])).toEqual([]);
  });

  it("are cut at a limit that is told: what the sender gave and listed tokens stay, transfers of nothing go first", () => {
    const ids = Array.from({ length: limits.movementsMax }, (_, i) => BigInt(i));
    const between = { operator: carol, from: bob, to: carol, ids, values: ids };
    const logs = [
      transferLog(token, bob, carol, 0n),
      logOf(token, batch, between),
      transferLog(token, alice, bob, 7n),
      transferLog(weth, bob, carol, 8n),
    ];
    const tx = normalize(caseOf({ receipt: { logs } }), labels);
    expect(tx.movements.map(({ index }) => index)).toEqual([...ids.keys()]);
    expect(tx.movements.slice(-2)).toMatchObject([
      { from: alice, amount: 7n },
      { token: weth, amount: 8n },
    ]);
    expect(tx.movements[0]).toMatchObject({ standard: "erc1155", tokenId: 1n });
    expect(tx.truncated).toEqual(["3 movements"]);
  });

  it("are read where data follows the amount, as some tokens write it", () => {
    expect(movementsOf([{ ...plain, data: `${plain.data}${"00".repeat(32)}` }])).toMatchObject([{ amount: 7n }]);
  });
});

describe("wrapped ether", () => {
  const wrap = logOf(weth, "event Deposit(address indexed dst, uint256 wad)", { dst: alice, wad: 9n });
  const unwrap = logOf(weth, "event Withdrawal(address indexed src, uint256 wad)", { src: alice, wad: 9n });

  it("comes from and goes back to its contract, which logs no Transfer for it", () => {
    const shown = {
      trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
    };
    expect(movementsOf([wrap], shown)).toMatchObject([
      { standard: "erc20", token: weth, from: weth, to: alice, amount: 9n },
    ]);
    expect(movementsOf([unwrap], shown)).toMatchObject([{ standard: "erc20", from: alice, to: weth, amount: 9n }]);
  });

  it("is paid out in ether: seen in the trace, and inferred where there is none", () => {
    const root = frame(alice, weth, { calls: [frame(weth, alice, { value: "0x9" })] });
    const seen = movementsOf([unwrap], { trace: traced(root), transaction: { to: weth } });
    expect(seen.map(({ standard, basis }) => [standard, basis])).toEqual([
      ["erc20", "log"],
      ["native", "trace"],
    ]);
    expect(
      movementsOf([unwrap]).map(({ standard, from, to, amount, basis }) => [standard, from, to, amount, basis]),
    ).toEqual([
      ["erc20", alice, weth, 9n, "log"],
      ["native", weth, alice, 9n, "inferred"],
    ]);
  });

  it("counts only for that contract: a stranger's Deposit moves nothing", () => {
    expect(
      movementsOf([
        { ...wrap, address: token },
        { ...unwrap, address: token },
      ]),
    ).toEqual([]);
  });
});

describe("an explorer's list", () => {
  const row: InternalTransfer = { type: "call", from: vault, to: bob, value: "5", success: true };
  const listed = (...internal: InternalTransfer[]) =>
    movementsOf([transferLog(token, alice, bob, 1n)], {
      trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: internal },
    }).slice(1);

  it("adds movements of ether after the logs, in decimal and in hex", () => {
    expect(listed(row, { ...row, value: "0x6" })).toMatchObject([
      { standard: "native", from: vault, to: bob, amount: 5n, basis: "internal", log: -1, call: -1 },
      { amount: 6n },
    ]);
    expect(listed({ ...row, type: "create" }, { ...row, type: "selfdestruct" })).toHaveLength(2);
  });

  it.each<[string, Partial<InternalTransfer>]>([
    ["failed", { success: false }],
    ["carried nothing", { value: "0" }],
    ["was a delegate call", { type: "delegatecall" }],
    ["was a static call", { type: "staticcall" }],
    ["went nowhere", { to: null }],
    ["says no amount", { value: "much" }],
  ])("adds nothing for a row that %s", (_what, change) => {
    expect(listed({ ...row, ...change })).toEqual([]);
  });
});

it("keeps the envelope's ether first, and frames of the call tree in the order of the logs", () => {
  const root = frame(alice, vault, {
    value: "0x1",
    calls: [frame(vault, bob, { value: "0x2" }), frame(vault, token), frame(vault, carol, { value: "0x3" })],
  });
  const moved = movementsOf([transferLog(token, alice, bob, 4n)], {
    trace: traced(root),
    transaction: { value: "0x1" },
  });
  expect(moved.map(({ amount, basis, index }) => [amount, basis, index])).toEqual([
    [1n, "transaction", 0],
    [2n, "trace", 1],
    [4n, "log", 2],
    [3n, "trace", 3],
  ]);
});
