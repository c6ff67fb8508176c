import { contextAgain } from '../context.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { importProblem } from '../imported.ts';
import type { Input } from '../input.ts';

type RewindInput = Extract<Input, { type: 'rewound' | 'checkpoint-taken' }>;

/** A rewind is an event like any other: nothing recorded is removed. */
export function decideRewind(draft: Draft, input: RewindInput): Refusal | undefined {
  const { state } = draft;
  switch (input.type) {
    case 'checkpoint-taken':
      if (state.phase.type !== 'closed') emit(draft, { type: 'checkpoint-taken', checkpoint: input.checkpoint });
      return undefined;
    case 'rewound': {
      const refusal = restProblem(draft) ?? pointProblem(draft, input.to);
      if (refusal === undefined) emitRewind(draft, input);
      return refusal;
    }
  }
}

export function emitRewind(
  draft: Draft,
  { to, context }: Pick<Extract<Input, { type: 'rewound' }>, 'to' | 'context'>,
): void {
  emit(draft, { type: 'rewound', to, context: contextAgain(context, to, draft.state.seq + 1) });
}

export function restProblem({ state }: Draft): Refusal | undefined {
  const { id, phase } = state;
  if (phase.type === 'idle') return undefined;
  if (phase.type === 'closed') {
    return { code: 'closed', message: `session ${id} is closed; fork it to continue from an earlier point` };
  }
  if (phase.type === 'restoring') return restoringProblem(id);
  return {
    code: 'conflict',
    message: `session ${id} is in the middle of a turn; wait for its end or interrupt it, then rewind`,
  };
}

export function restoringProblem(id: string): Refusal {
  return { code: 'conflict', message: `session ${id} is restoring files; wait until that is done` };
}

export function pointProblem({ state }: Draft, to: number): Refusal | undefined {
  if (Number.isInteger(to) && to >= 1 && to <= state.seq) return importProblem(state, to);
  return {
    code: 'invalid',
    message: `session ${state.id} has the events 1 to ${state.seq}; ${to} doesn't exist`,
  };
}
