import { cancelRequests } from './answer-agent.ts';
import { interruptedResult } from '../call.ts';
import { closeToolQuestions } from './decide-tool-asked.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn, finishTurn } from './end-turn.ts';
import type { Input } from '../input.ts';
import { settleAsKilled } from './settle-lost.ts';
import { turnOf } from '../state.ts';

export function decideImported(
  draft: Draft,
  { at: _at, by: _by, type: _type, ...from }: Extract<Input, { type: 'session-imported' }>,
): Refusal | undefined {
  settleEverything(draft);
  emit(draft, { type: 'session-imported', ...from });
  return undefined;
}

function settleEverything(draft: Draft): void {
  if (draft.state.queue.prompts.length > 0) {
    emit(draft, { type: 'queue-changed', change: { type: 'cleared' } });
  }
  const { phase: before } = draft.state;
  if (before.type === 'restoring') {
    const message = 'The session was imported while it restored files; some may be restored and others not.';
    emit(draft, { type: 'restore-failed', to: before.restore.to, message });
  }
  const turn = turnOf(draft.state);
  if (turn === undefined) return;
  cancelRequests(draft);
  if (turn.activity.type === 'running-calls') {
    for (const progress of turn.activity.calls) {
      if (progress.type !== 'running') continue;
      closeToolQuestions(draft, progress.call.id);
      emit(draft, { type: 'tool-settled', call: progress.call.id, result: interruptedResult });
    }
  } else if (turn.activity.type !== 'prompting-agent' || turn.activity.parked !== true) {
    settleAsKilled(draft);
  }
  const { phase } = draft.state;
  if (phase.type === 'cancelling') finishTurn(draft, phase.ending);
  else endTurn(draft, { type: 'cancelled', reason: 'imported' });
}

export function decideContinued(
  draft: Draft,
  { at: _at, by: _by, type: _type, ...setup }: Extract<Input, { type: 'session-continued' }>,
): Refusal | undefined {
  const { id, imported } = draft.state;
  if (imported?.isForeign !== true) {
    return { code: 'conflict', message: `session ${id} isn't waiting to be continued; send it a prompt` };
  }
  emit(draft, { type: 'session-continued', ...setup });
  return undefined;
}
