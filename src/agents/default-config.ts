import path from 'node:path';

import { defaultLimits } from '../kernel/limits.ts';
import type { Config } from './config-schema.ts';

/** The default configuration. */
export function defaultConfig(home: string): Config {
  return {
    defaultAgent: 'assistant',
    limits: defaultLimits,
    store: `sqlite:${path.join(home, 'rondo.db')}`,
    server: { host: '127.0.0.1', port: 4747 },
  };
}

/** Names that need no configuration: built-in ones, and providers with a key in the environment. */
export const builtInNames = {
  agents: ['assistant'],
  endpoints: ['anthropic', 'openai', 'google', 'amazon-bedrock', 'ollama'],
  models: ['offline', 'testing'],
  policies: ['default'],
  themes: ['default'],
} as const;
