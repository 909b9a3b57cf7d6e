import { describe, expect, it } from "vitest";
import { isLostConnection } from "../../../src/serve/start/last-resort.ts";

describe("an error of a connection", () => {
  it.each([
    ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
    ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_SOCKET", "57P01", "57P02", "57P03"],
  ])("is known by its code %s", (code) => {
    expect(isLostConnection(Object.assign(new Error("lost"), { code }))).toBe(true);
  });

  it.each([undefined, new Error("ECONNRESET"), Object.assign(new Error("full"), { code: "ENOSPC" })])(
    "is no other one: %s",
    (error) => {
      expect(isLostConnection(error)).toBe(false);
    },
  );
});
