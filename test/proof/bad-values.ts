/** Malformed values, texts and bytes: valid ones, damaged in ways that pass the first check. */
import * as fc from 'fast-check';

const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Texts that have broken parsers before. */
export const hostileTexts: readonly string[] = [
  '',
  '\0',
  '\uFEFF',
  '\uD800',
  '\u202Etxt.exe',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%',
  '%ff%00',
  '/dev/stdin',
  "' OR 1=1; --",
  '$(id)',
  '${HOME}',
  '\r\nx-injected: 1',
  '9007199254740993',
  '-0',
  '1e400',
  'NaN',
  '5constructor',
  'ses_0',
  'x'.repeat(10_000),
  '<script>alert(1)</script>',
  '\u001B]0;title\u0007\u001B[2J',
];

const hostileJson: readonly string[] = [
  deep('[', ']', 5000),
  deep('{"a":', '}', 5000),
  '{"a":1,"a":2}',
  '{"__proto__":{"isOwner":true}}',
  '1e400',
  '-1e-400',
  `1${'0'.repeat(400)}`,
  '"\\ud800"',
  '[1,]',
  '{"type":"ping","type":"hello"}',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, -1, 0.5, 2 ** 53, -(2 ** 31), Number.MAX_VALUE, [], {}, [[]], true),
);

/** Replaces, removes or adds a part of a value. */
export type Bend = readonly [place: number, how: 'replace' | 'remove' | 'add', value: unknown, name: string];

export const bends: fc.Arbitrary<readonly Bend[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add'), hostileValue, hostileText),
  { minLength: 1, maxLength: 3 },
);

export function bentValue(sound: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.tuple(fc.constantFrom(...sound), bends).map(([value, changes]) => bent(value, changes));
}

export function bent(value: unknown, changes: readonly Bend[]): unknown {
  return changes.reduce(bendOnce, structuredClone(value));
}

function bendOnce(whole: unknown, [place, how, value, name]: Bend): unknown {
  const places: (readonly [object, string])[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      places.push([node, key]);
      walk(child);
    }
  };
  walk(whole);
  const [around, key] = places[place % Math.max(1, places.length)] ?? [];
  if (around === undefined || key === undefined) return value;
  if (how === 'remove') Reflect.deleteProperty(around, key);
  else {
    // Defined, not assigned: `__proto__` becomes a key as it does in JSON.
    const named = how === 'replace' ? key : Array.isArray(around) ? String(around.length) : name;
    Object.defineProperty(around, named, { value, enumerable: true, configurable: true, writable: true });
  }
  return whole;
}

/** One of the texts with spans removed, repeated or overwritten. */
export function damagedText(sound: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom('cut', 'twice', 'write'), hostileText);
  return fc.tuple(fc.constantFrom(...sound), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((changed, [seed, length, how, piece]) => {
      const at = seed % (changed.length + 1);
      const span = changed.slice(at, at + length);
      const put = how === 'cut' ? '' : how === 'twice' ? span + span : piece;
      return changed.slice(0, at) + put + changed.slice(at + length);
    }, text),
  );
}

/** JSON of malformed values, damaged text, and text that is neither. */
export function badJson(sound: readonly unknown[]): fc.Arbitrary<string> {
  return fc.oneof(
    bentValue(sound).map((value) => JSON.stringify(value)),
    damagedText(sound.map((value) => JSON.stringify(value))),
    fc.constantFrom(...hostileJson),
    hostileText,
  );
}

/** Text as bytes, some of them invalid UTF-8. */
export function badBytes(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
  return fc.oneof(
    fc.tuple(text, flips).map(([written, changes]) => {
      const bytes = Buffer.from(written);
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
}

type Schema = Readonly<Record<string, unknown>>;

/** A value that a JSON Schema accepts, as far as a proof needs it. */
function sampleOf(schema: Schema, known: Readonly<Record<string, string>>): unknown {
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return sampleOf((choices[0] ?? {}) as Schema, known);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
      return Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, known[name] ?? sampleOf(each, known)]),
      );
    }
    case 'array':
      return [sampleOf((schema['items'] ?? {}) as Schema, known)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return 'word';
    default:
      return {};
  }
}

/** Every alternative of a schema that has several. */
export function samplesOf(schema: Schema, known: Readonly<Record<string, string>>): readonly unknown[] {
  const choices = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(choices) ? choices.map((each: Schema) => sampleOf(each, known)) : [sampleOf(schema, known)];
}
