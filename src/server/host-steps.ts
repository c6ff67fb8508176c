import { setTimeout as sleep } from 'node:timers/promises';

import type { HostSteps } from '../host/session-host.ts';
import { host } from '../kernel/actor.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Session } from '../session/handle/session.ts';
import type { Backend } from './backend.ts';

/** Resources that a session uses outside its journal. */
interface SessionResources {
  readonly endProcesses: HostSteps['endProcesses'];
  /** Records that the session no longer works in that folder. */
  readonly leave: (session: SessionId, cwd: string) => Promise<void>;
}

export const noResources: SessionResources = {
  endProcesses: () => Promise.resolve(),
  leave: () => Promise.resolve(),
};

/** A cancelled turn gets this long to end. After that, only its journal matters. */
const closingMs = 15_000;

/** The steps that permanently end a backend's sessions. A session that no longer exists needs none of them. */
export function hostSteps({ sessions }: Pick<Backend, 'sessions'>, around: SessionResources): HostSteps {
  async function withSession(id: SessionId, then: (session: Session) => Promise<void>): Promise<void> {
    const session = await sessions.get(id);
    if (session !== undefined) await then(session);
  }

  return {
    stopIntake: (id, reason) =>
      withSession(id, async (session) => {
        const { lifecycle, isClosing } = await session.status();
        if (lifecycle === 'closed' || isClosing === true) return;
        const receipt = await session.send({ type: 'close', reason }, { by: host });
        if (receipt.type === 'refused' && (await session.status()).lifecycle !== 'closed') {
          throw new Error(`Can't close session ${id}: ${receipt.refusal.code}`);
        }
      }),
    endProcesses: around.endProcesses,
    leaveWorktree: (id) => withSession(id, async (session) => around.leave(id, (await session.status()).cwd)),
    release: (id) =>
      withSession(id, async (session) => {
        const end = performance.now() + closingMs;
        while ((await session.status()).lifecycle !== 'closed') {
          if (performance.now() > end) throw new Error(`Session ${id} was asked to close and hasn't yet`);
          await sleep(25);
        }
        await session.close();
      }),
  };
}
