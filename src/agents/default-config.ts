import path from 'node:path';

import { defaultLimits } from '../kernel/limits.ts';
import type { Config } from './config-schema.ts';

/** What holds where nobody has said otherwise. */
export function defaultConfig(home: string): Config {
  return {
    defaultAgent: 'assistant',
    limits: defaultLimits,
    store: `sqlite:${path.join(home, 'rondo.db')}`,
    server: { host: '127.0.0.1', port: 4747 },
  };
}

/** Names that need no configuration: providers whose keys are found in the environment, and what is built in. */
export const builtInNames = {
  agents: ['assistant'],
  endpoints: ['anthropic', 'openai', 'google', 'amazon-bedrock', 'ollama'],
  models: ['offline'],
  policies: ['default'],
  themes: ['default'],
} as const;
