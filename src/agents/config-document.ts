import type { ConfigPath } from './config-path.ts';
import type { ConfigProblem, TextPosition } from './config-problem.ts';

/** A parsed document with the position of every value. */
export interface ConfigDocument {
  readonly file: string;
  readonly value: unknown;
  readonly placeOf: PlaceOf;
}

/** The position of a path's last key or its value; for a missing path, of the nearest parent. */
export type PlaceOf = (path: ConfigPath, part?: 'key' | 'value') => TextPosition;

export type ParsedDocument =
  | { readonly type: 'parsed'; readonly document: ConfigDocument }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };
