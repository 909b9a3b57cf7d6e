import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientReader, toClient } from "../../src/access/client-address.ts";

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

describe("createClientReader", () => {
  it("believes nobody by default: a forged header changes nothing", () => {
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
