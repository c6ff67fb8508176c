/** One prompt, or the rest of a turn, from its sending to its end. */
import type { Session } from '../../session/session.ts';
import type { Update } from '../../session/update.ts';
import type { Result } from '../../views/result.ts';
import { terminalActor } from '../terminal-actor.ts';
import { createProviderWait } from './provider-wait.ts';
import { taskFrom } from './task-prompt.ts';

export interface Conversation {
  readonly session: Session;
  /** As the run was told; without it the session's own. */
  readonly mode: string | undefined;
  readonly onUpdate: (update: Update) => void;
  /** Whether a person watches: they decide themselves how long to wait for a provider. */
  readonly isAttended: boolean;
}

/** Without a prompt: what the session is at, to its end. */
export async function converse(prompt: string | undefined, conversation: Conversation): Promise<Result> {
  const { session, onUpdate, isAttended } = conversation;
  const status = await session.status();
  const { mode = status.mode } = conversation;
  const controller = new AbortController();
  const provider = createProviderWait(() => Date.now());
  const outputs: string[] = [];

  const follow = async () => {
    for await (const update of session.follow({ after: status.seq, signal: controller.signal })) {
      onUpdate(update);
      if (!isAttended) provider.saw(update);
      if (update.type !== 'event' || update.recorded.event.type !== 'tool-settled') continue;
      const { result } = update.recorded.event;
      if (result.type === 'success') outputs.push(await session.read(result.output));
    }
  };
  const work = async (): Promise<Result> => {
    if (prompt === undefined) return session.wait({ whenAsked: 'return' });
    if (mode !== 'tool-only') return session.chat(prompt, { whenAsked: 'return', by: terminalActor });
    return session.run([taskFrom(prompt)], { whenAsked: 'return', by: terminalActor });
  };
  const giveUp = async (): Promise<Result> => {
    const reason = await provider.tooLong;
    return { ...(await session.result()), outcome: 'unavailable', reason };
  };

  const shown = follow();
  const working = work();
  // Where the run gives up, closing the session ends this too.
  working.catch(() => undefined);
  try {
    const result = await Promise.race([working, giveUp(), shown.then(() => working)]);
    controller.abort();
    await shown;
    return mode === 'tool-only' && result.text === '' ? { ...result, text: outputs.join('\n') } : result;
  } finally {
    controller.abort();
  }
}
