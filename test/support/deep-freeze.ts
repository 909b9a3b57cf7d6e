const frozen = new WeakSet<object>();

/** Freezes a value and everything inside it. Sets and maps throw when somebody tries to change them. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || frozen.has(value)) return value;
  frozen.add(value);
  if (value instanceof Set) {
    for (const item of value) deepFreeze(item);
    forbid(value, ["add", "delete", "clear"]);
  } else if (value instanceof Map) {
    for (const [key, item] of value) {
      deepFreeze(key);
      deepFreeze(item);
    }
    forbid(value, ["set", "delete", "clear"]);
  }
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}

function forbid(collection: object, methods: readonly string[]): void {
  for (const method of methods)
    Object.defineProperty(collection, method, {
      value: () => {
        throw new TypeError(`Cannot ${method}: the collection is frozen`);
      },
    });
}
