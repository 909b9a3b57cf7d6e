import { describe, expect, it } from "vitest";
import { BodyBudgetError, countBody, createBodyBudget } from "../../../src/gather/network/http/body-budget.ts";
import { readBody } from "../../../src/gather/network/http/json-client.ts";

describe("the bytes that the process holds", () => {
  it("may come up to the limit, over all shares together, and not beyond", () => {
    const budget = createBodyBudget(10);
    const [first, second] = [budget.share(), budget.share()];
    first.take(4);
    second.take(6);
    expect(budget.held()).toBe(10);
    expect(() => first.take(1)).toThrow(BodyBudgetError);
    expect(budget.held()).toBe(10);
    first.giveBack();
    first.giveBack();
    expect(budget.held()).toBe(6);
    first.take(3);
    first.take(1);
    second.giveBack();
    expect(budget.held()).toBe(4);
    first.giveBack();
    expect(budget.held()).toBe(0);
  });
});

describe("a body that is counted", () => {
  const respond = (bytes: number, headers: Record<string, string> = {}, status = 200) =>
    new Response("x".repeat(bytes), { status, headers });

  it.each([
    ["of no named length", {}],
    ["whatever length is named", { "content-length": "2" }],
  ])("%s", async (_name, headers) => {
    const budget = createBodyBudget(1_000_000);
    const counted = countBody(respond(5, { ...headers, "x-kept": "1" }, 404), budget.share());
    expect(budget.held()).toBe(0);
    expect([counted.status, counted.headers.get("x-kept")]).toEqual([404, "1"]);
    expect((await counted.text()).length).toBe(5);
    expect(budget.held()).toBe(5);
  });

  it("ends where the budget ends", async () => {
    const share = createBodyBudget(4).share();
    await expect(countBody(respond(5), share).text()).rejects.toBeInstanceOf(BodyBudgetError);
  });

  it("may be missing", () => {
    const bare = new Response(null, { status: 204 });
    expect(countBody(bare, createBodyBudget(0).share())).toBe(bare);
  });

  it("is read as one text up to its limit, and its bytes are noted", async () => {
    const budget = createBodyBudget(100);
    expect(await readBody(new Response("ä".repeat(4)), 8, budget.share())).toBe("ääää");
    expect(budget.held()).toBe(8);
    expect(await readBody(new Response(null), 0)).toBe("");
    await expect(readBody(new Response("ääää"), 7)).rejects.toThrow("the answer is too long");
  });
});
