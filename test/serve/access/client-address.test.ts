import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientReader, toClient } from "../../../src/serve/access/quota/client-address.ts";

describe("toClient", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
    ["203.0.113.7:443", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::203.0.113.7", "0:0:0:0"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0"],
    ["1:2:3:4:5:6:203.0.113.7", "1:2:3:4"],
    ["2001:db8:1:2::1%eth0", "2001:db8:1:2"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2"],
    ["0127.0.0.1", "unknown"],
    ["1.2.3", "unknown"],
    ["0x7f.0.0.1", "unknown"],
    ["::ffff:1.2.3.256", "unknown"],
    ["1::2::3", "unknown"],
    ["", "unknown"],
    ["nonsense", "unknown"],
    ["1.2.3.4.5", "unknown"],
  ])("groups %s as %s", (address, client) => {
    expect(toClient(address)).toBe(client);
  });

  it("puts every address of one /64 together and those of two apart", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const high = fc.tuple(fc.integer({ min: 1, max: 0xffff }), group, group, group);
    const low = fc.tuple(group, group, group, group);
    const text = (groups: number[]) => groups.map((one) => one.toString(16)).join(":");
    fc.assert(
      fc.property(high, high, low, low, (net, other, left, right) => {
        expect(toClient(text([...net, ...left]))).toBe(toClient(text([...net, ...right])));
        if (text(net) !== text(other)) {
          expect(toClient(text([...net, ...left]))).not.toBe(toClient(text([...other, ...left])));
        }
      }),
    );
  });
});

describe("toClient for the ways to write one address", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });

  it("is the first four groups of any IPv6 address, in lower case without leading zeros", () => {
    fc.assert(
      fc.property(groups, fc.boolean(), fc.constantFrom("", "%eth0"), (parts, upper, zone) => {
        // Mapped addresses are the next test.
        fc.pre(parts.slice(0, 5).some((part) => part !== 0) || parts[5] !== 0xffff);
        const client = parts
          .slice(0, 4)
          .map((part) => part.toString(16))
          .join(":");
        const full = parts.map((part) => part.toString(16).padStart(4, "0")).join(":");
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
        const [high = 0, low = 0] = parts.slice(6);
        const dotted = `${parts
          .slice(0, 6)
          .map((part) => part.toString(16))
          .join(":")}:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
        for (const text of [full, short, dotted]) {
          const written = upper ? text.toUpperCase() : text;
          expect(toClient(written + zone)).toBe(client);
          expect(toClient(`[${written}]:8080`)).toBe(client);
        }
      }),
    );
  });

  it("is the IPv4 address, whether plain, with a port, or inside of IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const text of [address, `${address}:443`, `::ffff:${address}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${hex}`])
          expect(toClient(text)).toBe(address);
      }),
    );
  });

  it("is one client for all that is not an address", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(isIP(text.replace(/%.*$/, "")) === 0 && !/[[.]/.test(text));
        expect(toClient(text)).toBe("unknown");
      }),
    );
  });
});

describe("createClientReader", () => {
  it("reads an address however long its zone or port is", () => {
    const read = createClientReader(["10.0.0.0/8"]);
    for (const end of ["%", ":"]) {
      const long = `198.51.100.7${end}${"1".repeat(10_000)}`;
      expect([read("10.0.0.1", long), read("10.0.0.1", long)]).toEqual(["198.51.100.7", "198.51.100.7"]);
    }
  });

  it("believes no proxy by default: a forged header changes nothing", () => {
    const read = createClientReader([]);
    fc.assert(
      fc.property(fc.ipV4(), fc.oneof(fc.string(), fc.ipV4()), (remote, forged) => {
        expect(read(remote, forged)).toBe(remote);
      }),
    );
  });

  it.each<[string, string | string[], string]>([
    ["10.0.0.1", "198.51.100.9", "198.51.100.9"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.9", "198.51.100.9"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.9, 10.9.9.9", "198.51.100.9"],
    ["10.0.0.1", ["1.1.1.1", "198.51.100.9"], "198.51.100.9"],
    ["::ffff:10.0.0.1", "[2001:db8::5]:1234", "2001:db8:0:0"],
    ["127.0.0.1", "198.51.100.9:80", "198.51.100.9"],
    ["10.0.0.1", "1.1.1.1, rubbish", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["11.0.0.1", "198.51.100.9", "11.0.0.1"],
    ["fd00::7", "198.51.100.9", "198.51.100.9"],
  ])("from %s, forwarded %j: %s", (remote, forwarded, client) => {
    expect(createClientReader(["10.0.0.0/8", "loopback", "fd00::/8"])(remote, forwarded)).toBe(client);
  });

  it.each(["10.0.0.0/33", "10.0.0", "::/129", "x", "10.0.0.0/8/8", "10.0.0.0/-1"])("refuses to trust %s", (entry) => {
    expect(() => createClientReader([entry])).toThrow(/is no IP address/);
  });
});
