import type { ConfigPath } from './config-path.ts';
import type { ConfigProblem, Place } from './config-problem.ts';

/** A parsed document that still knows where everything stands in its file. */
export interface ConfigDocument {
  readonly file: string;
  readonly value: unknown;
  readonly placeOf: PlaceOf;
}

/** Of the key that a path ends in or of its value; where the path leads nowhere, of the nearest thing above. */
export type PlaceOf = (path: ConfigPath, part?: 'key' | 'value') => Place;

export type ParsedDocument =
  | { readonly type: 'parsed'; readonly document: ConfigDocument }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };
