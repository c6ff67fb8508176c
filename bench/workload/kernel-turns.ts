/** Standard turns by the kernel alone: the journal of a session of any length. */
import { system } from '../../src/kernel/actor.ts';
import type { CallId, SessionId } from '../../src/kernel/ids.ts';
import type { Input, InputBody } from '../../src/kernel/input.ts';
import { modes } from '../../src/kernel/mode.ts';
import { newState, type State } from '../../src/kernel/state.ts';
import { step, type Transition } from '../../src/kernel/decide/step.ts';
import { finalText, toolArguments, toolName, toolOutput, userText } from './turn-work.ts';
import { timeAt } from '../../src/kernel/time.ts';

interface KernelTurns {
  readonly state: State;
  /** The transitions of one more turn; the session's creation precedes the first. */
  turn(prompt?: string): readonly KernelStep[];
}

interface KernelStep {
  readonly input: Input;
  readonly transition: Transition;
}

export const stepsInTurn = 4;

export function createKernelTurns(session: SessionId, startedAt: number): KernelTurns {
  let state = newState(session);
  let turns = 0;

  function take(body: InputBody): KernelStep {
    const input: Input = { ...body, at: timeAt(startedAt + turns), by: system };
    const transition = step(state, input);
    state = transition.state;
    return { input, transition };
  }

  /** The input that settles the effect of the last step. */
  function settle({ transition }: KernelStep, body: (effect: DecidedEffect) => InputBody): KernelStep {
    const decision = transition.decisions.at(-1);
    if (decision === undefined || !('attempt' in decision)) {
      throw new Error(`Turn ${turns} stands still at event ${state.seq}: ${JSON.stringify(transition.refusal)}`);
    }
    return take(body(decision));
  }

  return {
    get state() {
      return state;
    },
    turn(prompt = userText) {
      turns += 1;
      const created =
        state.seq > 0
          ? []
          : [
              take({
                type: 'session-requested',
                agent: { name: 'bench', runs: 'model' },
                mode: modes.interactive,
                cwd: '/',
              }),
            ];
      const prompted = take({ type: 'prompt-received', text: prompt, delivery: 'queue' });
      const asked = settle(prompted, (decided) => ({
        ...settled(decided),
        type: 'model-settled',
        outcome: wantsTool(turns),
      }));
      const ran = settle(asked, (decided) => ({
        ...settled(decided),
        type: 'tool-settled',
        result: { type: 'success', output: toolOutput },
      }));
      const answered = settle(ran, (decided) => ({ ...settled(decided), type: 'model-settled', outcome: answer }));
      if (answered.transition.state.phase.type !== 'idle') throw new Error(`Turn ${turns} did not end.`);
      return [...created, prompted, asked, ran, answered];
    },
  };
}

type DecidedEffect = Extract<Transition['decisions'][number], { attempt: number }>;
type ModelOutcome = Extract<InputBody, { type: 'model-settled' }>['outcome'];

const settled = ({ effect, attempt }: DecidedEffect) => ({ effect, attempt });
const usage = { inputTokens: 100, outputTokens: 40, cost: 0 };
const answer: ModelOutcome = { type: 'completed', text: finalText, calls: [], usage, stop: 'end' };

function wantsTool(turn: number): ModelOutcome {
  const call = {
    id: `call_${turn.toString(36)}` as CallId,
    tool: toolName,
    args: toolArguments,
    facts: { access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' },
  } as const;
  return { type: 'completed', text: '', calls: [call], usage, stop: 'calls' };
}
