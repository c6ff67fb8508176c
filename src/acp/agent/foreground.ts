/**
 * What a session does, for a client that learns from it when a turn begins, waits for a person and ends.
 *
 * 1. A turn is reported before its first update, and its end after the last one.
 * 2. Work in the background is what outlives its turn. A worker that a call waits for belongs to the turn.
 */
import type { Event } from '../../kernel/event.ts';
import { previewOf } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import type { Ending } from '../../kernel/outcome.ts';
import type { WorkerReport } from '../../kernel/report.ts';
import type { Session } from '../../session/handle/session.ts';
import type { Lifecycle } from '../../views/status.ts';
import type { Transcript } from '../../views/transcript.ts';
import type { BackgroundWorker, Foreground } from './editor-client.ts';

export function createForeground(session: Session, tell: (foreground: Foreground) => Promise<void>) {
  let state: Foreground['state'] = 'idle';
  let background: ReadonlyMap<string, BackgroundWorker> = new Map();

  async function report(next: Foreground['state'], ended: { readonly how?: Ending } = {}): Promise<void> {
    state = next;
    const workers = [...background.values()];
    background = new Map([...background].filter(([, worker]) => worker.state === 'running'));
    if (next === 'idle') await tell({ state: next, background: workers, ...optional({ ending: ended.how }) });
    else await tell({ state: next, background: workers });
  }

  /** A turn's own workers become work in the background when it ends. */
  function adopt({ current }: Transcript): void {
    background = new Map(current.workers.map((one) => [one.worker, workerOf(one)]));
  }

  /** Whether only a person can continue the turn. If the session is already further, a later event decides. */
  async function recheck({ seq }: Transcript): Promise<void> {
    const status = await session.status();
    const isWaiting = status.seq === seq && stateOf(status.lifecycle) === 'requires_action';
    const next = isWaiting ? 'requires_action' : 'running';
    if (next !== state) await report(next);
  }

  return {
    async before(event: Event): Promise<void> {
      if (event.type === 'turn-started') await report('running');
    },
    async after(event: Event, transcript: Transcript): Promise<void> {
      if (event.type === 'turn-ended') {
        adopt(transcript);
        return await report('idle', { how: event.ending });
      }
      if (event.type === 'worker-reported') {
        const { worker } = event.report;
        if (state !== 'idle' && !background.has(worker)) return;
        background = new Map([...background, [worker, workerOf(event.report)]]);
        return await report(state);
      }
      const { turn, questions } = transcript.current;
      if (turn !== undefined && (questions.length > 0 || state === 'requires_action')) await recheck(transcript);
    },
    /** The state at this moment, for a client that has just caught up. */
    async snapshot(transcript: Transcript): Promise<void> {
      const { lifecycle } = await session.status();
      if (transcript.current.turn === undefined) adopt(transcript);
      await report(stateOf(lifecycle));
    },
    /** A command that needs no turn. */
    async during(work: () => Promise<void>): Promise<void> {
      const isAlone = state === 'idle';
      if (isAlone) await report('running');
      await work();
      if (isAlone) await report('idle', { how: { type: 'completed' } });
    },
  };
}

function stateOf(lifecycle: Lifecycle): Foreground['state'] {
  switch (lifecycle) {
    case 'new':
    case 'idle':
    case 'closed':
      return 'idle';
    case 'waiting':
      return 'requires_action';
    case 'running':
    case 'pausing':
    case 'cancelling':
      return 'running';
  }
}

function workerOf({ worker, state, text }: WorkerReport): BackgroundWorker {
  return { worker, state: endOf(state), ...(text !== undefined && { text: previewOf(text) }) };
}

function endOf(state: WorkerReport['state']): BackgroundWorker['state'] {
  switch (state) {
    case 'spawned':
    case 'progressed':
    case 'stalled':
      return 'running';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return state;
  }
}
