import { pathToFileURL } from 'node:url';

import { readCorpus } from '../../src/intent/corpus/read-corpus.ts';
import type * as TurnFromPrompt from './turn-from-prompt-child.ts';

export interface UnderstandingGiven {
  readonly rounds: number;
  readonly entry: string;
}

export interface Understood {
  /** Loading, reading the rules and the first prompt, in CPU time, so that waiting for a core doesn't count. */
  readonly firstMs: number;
  readonly createMs: number;
  /** One prompt understood, routed and compiled, once everything is warm. */
  readonly medianMs: number;
  readonly prompts: number;
}

/**
 * Measures turning a prompt into a configured turn, the first time in a process and afterwards. `entry` is
 * `turn-from-prompt-child.ts` or a bundle of it.
 */
export async function measureUnderstanding({ rounds, entry }: UnderstandingGiven): Promise<Understood> {
  const texts = readCorpus('sentences.txt').map(({ text }) => text);
  const started = cpuMs();
  const { createTurnCompilation, shippedSources, understand } = (await import(
    pathToFileURL(entry).href
  )) as typeof TurnFromPrompt;
  const loaded = cpuMs();
  const agent = { prompt: 'You are a careful colleague.', tools: 'all' } as const;
  const { compile } = createTurnCompilation(shippedSources);
  const turn = (text: string): boolean => compile(understand(text), agent, tools).suffix !== '';
  if (!turn('fix the bug in src/parser.ts')) throw new Error('A turn was compiled to nothing.');
  const first = cpuMs();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const text of texts) {
      const at = performance.now();
      turn(text);
      times.push(performance.now() - at);
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    firstMs: first - started,
    createMs: first - loaded,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    prompts: times.length,
  };
}

const tools = ['read', 'write', 'edit', 'delete', 'list', 'glob', 'grep', 'shell', 'run_tests', 'git_commit'];

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
