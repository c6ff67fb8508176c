/**
 * Why a value would change when written as JSON and read back, or undefined. Undefined properties are dropped by
 * JSON, and by `withoutUndefined`.
 */
export function jsonProblem(value: unknown, at = '', depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${placed(at)} is ${value}, which isn't a finite number`;
    case 'bigint':
    case 'symbol':
    case 'function':
      return `${placed(at)} is a ${typeof value}, which isn't JSON`;
    case 'object':
      return value === null ? undefined : problemWithin(value, at, depth);
  }
}

/** The value as JSON would have it: without undefined properties. */
export function withoutUndefined<Value>(value: Value): Value {
  return hasUndefined(value) ? (JSON.parse(JSON.stringify(value)) as Value) : value;
}

function problemWithin(value: object, at: string, depth: number): string | undefined {
  if (depth >= deepest) return `${placed(at)} is nested deeper than ${deepest}`;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      const place = `${at}[${index}]`;
      const problem = part === undefined ? `${place} is undefined` : jsonProblem(part, place, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${placed(at)} isn't a plain object`;
  for (const [key, part] of Object.entries(value)) {
    const problem = jsonProblem(part, at === '' ? key : `${at}.${key}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const deepest = 64;

function placed(at: string): string {
  return at === '' ? 'it' : at;
}

function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => part === undefined || hasUndefined(part));
}
