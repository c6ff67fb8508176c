/** How columns are read, by the numbers of their types. */
import { fromJson, fromText } from './text-border.ts';

const int8 = 20;
const int4 = 23;
const bool = 16;
const bytea = 17;
const jsonb = 3802;

/** Numbers of ours are far below 2^53. */
export function getTypeParser(type: number): (text: string) => unknown {
  switch (type) {
    case int8:
    case int4:
      return Number;
    case bool:
      return (text) => text === 't';
    case bytea:
      return (text) => Buffer.from(text.slice(2), 'hex');
    case jsonb:
      return fromJson;
    default:
      return fromText;
  }
}
