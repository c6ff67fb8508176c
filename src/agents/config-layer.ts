import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { RuleOrigin } from '../kernel/rule.ts';
import type { PlaceOf } from './config-document.ts';
import type { ConfigFile } from './config-file.ts';
import { wholeFile } from './config-problem.ts';
import type { Config } from './config-schema.ts';

/** One source of configuration. Later ones win: defaults, user, project, flags, managed policy. */
export interface ConfigLayer {
  readonly name: LayerName;
  /** The file for messages, or words such as `the command line`. */
  readonly file: string;
  readonly config: Config;
  readonly placeOf: PlaceOf;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** Reads a file that the configuration names, relative to its own folder. */
  readonly readText: (relative: string) => Promise<string | undefined>;
}

export type LayerName = 'default' | 'user' | 'project' | 'flag' | 'managed';

export const ruleOrigins: Record<LayerName, RuleOrigin> = {
  default: 'built-in',
  user: 'user',
  project: 'project',
  flag: 'flag',
  managed: 'managed',
};

/** A layer from a program: without file and positions. */
export function layerFromValue(name: LayerName, file: string, config: Config): ConfigLayer {
  return { name, file, config, placeOf: () => wholeFile, variables: new Map(), readText: async () => undefined };
}

export function layerFromFile(name: LayerName, file: ConfigFile, readText: ConfigLayer['readText']): ConfigLayer {
  return { name, ...file, readText };
}

export function readBeside(file: string): ConfigLayer['readText'] {
  return (relative) => readFile(path.resolve(path.dirname(file), relative), 'utf8').catch(() => undefined);
}
