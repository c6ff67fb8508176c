import { expect, test } from 'vitest';

import type { Event, Recorded } from '../../kernel/event.ts';
import type { SessionId, WorkerId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { WorkerReport } from '../../kernel/report.ts';
import type { Session } from '../../session/handle/session.ts';
import { newTranscript, transcriptWith } from '../../views/transcript.ts';
import type { Foreground } from './editor-client.ts';
import { createForeground } from './foreground.ts';

const turnStarted = { type: 'turn-started', prompt: 1 } as Event;
const turnEnded = { type: 'turn-ended', ending: { type: 'completed' } } as Event;
const worker = (state: WorkerReport['state'], text?: string): Event => ({
  type: 'worker-reported',
  report: { worker: 'scout' as WorkerId, state, ...optional({ text }) },
});

/** What is reported after each of the events. */
async function statesAfter(events: readonly Event[]): Promise<readonly Foreground[]> {
  const states: Foreground[] = [];
  const session = { status: async () => ({ seq: 0, lifecycle: 'idle' }) } as unknown as Session;
  const foreground = createForeground(session, async (state) => void states.push(state));
  let transcript = newTranscript('ses_1' as SessionId);
  for (const [index, event] of events.entries()) {
    transcript = transcriptWith(transcript, { seq: index + 1, at: 0, by: { type: 'system' }, event } as Recorded);
    await foreground.before(event);
    await foreground.after(event, transcript);
  }
  return states;
}

test('[C157] a worker is part of the turn that started it, and in the background once that turn is over', async () => {
  const scout = (state: 'running' | 'completed', text?: string) => ({
    worker: 'scout',
    state,
    ...optional({ text }),
  });
  const completed = { type: 'completed' } as const;
  expect(
    await statesAfter([
      turnStarted,
      worker('spawned'),
      turnEnded,
      worker('progressed', 'looking'),
      turnStarted,
      worker('completed', 'found it'),
      turnEnded,
    ]),
  ).toEqual([
    { state: 'running', background: [] },
    { state: 'idle', background: [scout('running')], ending: completed },
    { state: 'idle', background: [scout('running', 'looking')] },
    { state: 'running', background: [scout('running', 'looking')] },
    { state: 'running', background: [scout('completed', 'found it')] },
    { state: 'idle', background: [], ending: completed },
  ]);
});
