import type { SessionId } from '../../src/kernel/ids.ts';
import type { DirectoryEntry } from '../../src/views/directory.ts';

/** A directory entry of the usual size. */
export function entryOf(session: string, at: number): DirectoryEntry {
  return {
    session: session as SessionId,
    createdAt: at,
    updatedAt: at,
    title: 'What is the weather in Paris today?',
    agent: 'bench',
    mode: 'interactive',
    cwd: '/',
    state: 'running',
    questions: 0,
    queued: 0,
    turns: 1,
    inputTokens: 100,
    outputTokens: 40,
    cost: 0,
    costIsKnown: true,
  };
}
