import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { given, type GivenInput } from '../../testing/given.ts';
import { created } from '../../testing/inputs.ts';
import { statusOf } from '../../views/status.ts';
import { plainTerminal } from '../../wording/terminal-style.ts';
import { statusLines } from './status-lines.ts';

test('an imported session shows that instead of an agent, and has no folder', () => {
  const imported = { type: 'session-imported', session: 'ses_0' as SessionId, head: 9, role: 'main' } as const;
  const linesOf = (...inputs: readonly GivenInput[]) => {
    const { state } = given(...inputs);
    const at = { terminal: plainTerminal, letters: 0, now: state.updatedAt, asked: [] };
    return statusLines(statusOf(state), at).filter((line) => /^(agent|folder)/.test(line));
  };
  const ours = created({ cwd: '/here' });
  expect(linesOf(ours)).toEqual(['agent     tester', 'folder    /here']);
  expect(linesOf(ours, imported)).toEqual(['agent     (imported)']);
});
