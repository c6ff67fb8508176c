import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { killMarkedProcesses } from './default-parts.ts';

const session = 'ses_1' as SessionId;
const killed = (pid: number, gone: boolean) => ({ pid, started: '1', signal: 'SIGKILL', gone }) as const;

test('[O4] a take-over fails as long as a process of the last owner can’t be ended, and names it', async () => {
  const end = () => killMarkedProcesses(session, { below: 2 }, async () => [killed(12, true), killed(13, false)]);
  await expect(end()).rejects.toThrow(
    "Session ses_1: can't end process 13, which its last owner started. End it, then open the session again.",
  );
  await killMarkedProcesses(session, { below: 2 }, async () => [killed(12, true)]);
});
