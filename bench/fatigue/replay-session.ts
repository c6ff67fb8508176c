/** Recorded turns in a real session: its tools, its gate, its grants, and a person who answers. */
import { createBuiltInTools } from '../../src/assembly/tools/built-in-tools.ts';
import { createFileCheckpoints } from '../../src/assembly/sessions/file-checkpoints.ts';
import { optional } from '../../src/kernel/optional.ts';
import type { ToolResult } from '../../src/kernel/outcome.ts';
import type { State } from '../../src/kernel/state.ts';
import { createRondo } from '../../src/rondo.ts';
import type { Approver } from '../../src/runtime/capabilities.ts';
import type { Model } from '../../src/ports/model.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import type { Tool } from '../../src/ports/tool.ts';
import type { RecordedCall, RecordedTurn } from './recorded-turn.ts';

/** The outcome of one call. */
export interface CallRecord {
  readonly text: string;
  readonly mustAsk: boolean;
  /** Outcome of the last attempt: a call that fails because of the sandbox is retried outside it. */
  readonly outcome: Outcome;
  /** True if it ended differently from a run without a sandbox. */
  readonly failedInside: boolean;
  /** The question to the person, if any. */
  readonly asked?: string;
  /** The end of the result, for finding out why a call failed. */
  readonly output: string;
}

type Outcome = 'success' | 'failure' | 'denied' | 'rejected';

export interface ReplaySession extends AsyncDisposable {
  play(turn: RecordedTurn): Promise<readonly CallRecord[]>;
  /** The current shell and policy, for judging attacks. */
  gate(): Promise<{ readonly shell: Tool; readonly state: State }>;
}

interface ReplayOptions {
  readonly root: string;
  /** Rondo's own folder. */
  readonly home: string;
  readonly sandbox: 'auto' | 'none';
}

/** The person answers every question "for this session" if the question offers it. */
export async function openReplay({ root, home, sandbox }: ReplayOptions): Promise<ReplaySession> {
  const tools = await createBuiltInTools({ env: process.env, clock: createSystemClock(), home, sandbox });
  const play = createPlay(root, sandbox === 'auto');
  let latest: State | undefined;
  const approve: Approver = ({ about }) => {
    if (about.type !== 'approval') throw new Error(`nobody answers a question of type ${about.type}`);
    play.asked.set(about.call, `${about.unit ?? about.tool} (${about.reason})`);
    const answer = play.callOf(about.call)?.mustAsk;
    if (answer !== undefined) return Promise.resolve({ type: answer === 'allow' ? 'allow-once' : 'reject' });
    return Promise.resolve({ type: about.grants.length === 0 ? 'allow-once' : 'allow-session' });
  };
  const rondo = await createRondo({
    agents: { coder: { model: 'recorded' } },
    models: { recorded: play.model },
    tools,
    approve,
    checkpoints: createFileCheckpoints({ home }),
    onEvent: (_, { event }, state) => {
      latest = state;
      if (event.type === 'tool-settled') play.settled.set(event.call, event.result);
      if (event.type === 'call-refused')
        play.settled.set(event.call, event.code === 'person' ? 'rejected' : 'denied');
    },
  });
  const session = await rondo.sessions.create({ agent: 'coder', cwd: root });
  return {
    async play(turn) {
      play.begin(turn);
      const reply = await session.chat(turn.prompt);
      if (reply.outcome !== 'completed') throw new Error(`"${turn.prompt}" ended ${reply.outcome}: ${reply.text}`);
      return turn.replies.flatMap((calls, place) =>
        calls.map((recorded, index) => play.recordOf(recorded, place, index)),
      );
    },
    async gate() {
      if (latest === undefined) throw new Error('no turn was played yet');
      const shell = await tools.get('shell', latest);
      if (shell === undefined) throw new Error('there is no shell');
      return { shell, state: latest };
    },
    async [Symbol.asyncDispose]() {
      await rondo.close();
      await tools[Symbol.asyncDispose]();
    },
  };
}

/** The model: gives one recorded reply after the other, and retries calls that failed only because of the sandbox. */
function createPlay(root: string, isConfined: boolean) {
  const asked = new Map<string, string>();
  const settled = new Map<string, ToolResult | 'denied' | 'rejected'>();
  let turn: RecordedTurn = { prompt: '', replies: [] };
  let number = 0;
  let next = 0;
  let retried = new Set<string>();
  const idOf = (place: number, index: number) => `call_${number}_${place}_${index}`;
  const callOf = (id: string): RecordedCall | undefined => {
    const [, place = 0, index = 0] = id.split('_').slice(1).map(Number);
    return turn.replies[place]?.[index];
  };
  const isFailedInside = (recorded: RecordedCall, id: string) =>
    isConfined && recorded.ends === 'success' && outcomeOf(settled.get(id)) === 'failure';
  const shown = (args: RecordedCall['args']) => JSON.stringify(args).replaceAll('{root}', root);
  const retries = () => {
    const place = next - 1;
    return (turn.replies[place] ?? []).flatMap((recorded, index) => {
      const id = idOf(place, index);
      if (recorded.tool !== 'shell' || retried.has(id) || !isFailedInside(recorded, id)) return [];
      retried.add(id);
      return [{ id: `${id}_again`, tool: 'shell', args: shown({ ...recorded.args, unconfined: true }) }];
    });
  };
  const model: Model = {
    name: 'recorded',
    call() {
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
      const again = retries();
      const reply = again.length > 0 ? [] : turn.replies[next];
      if (reply === undefined)
        return Promise.resolve({ type: 'completed', text: 'Done.', calls: [], usage, stop: 'end' });
      const place = next;
      if (again.length === 0) next += 1;
      const calls = reply.map(({ tool, args }, index) => ({ id: idOf(place, index), tool, args: shown(args) }));
      return Promise.resolve({ type: 'completed', text: '', calls: [...again, ...calls], usage, stop: 'calls' });
    },
  };
  return {
    asked,
    settled,
    callOf,
    model,
    begin(given: RecordedTurn) {
      turn = given;
      number += 1;
      next = 0;
      retried = new Set();
    },
    recordOf(recorded: RecordedCall, place: number, index: number): CallRecord {
      const id = idOf(place, index);
      const question = asked.get(id) ?? asked.get(`${id}_again`);
      const ending = settled.get(`${id}_again`) ?? settled.get(id);
      return {
        text: callText(recorded),
        mustAsk: recorded.mustAsk !== undefined,
        outcome: outcomeOf(ending),
        failedInside: isFailedInside(recorded, id),
        ...optional({ asked: question }),
        output: JSON.stringify(settled.get(id) ?? '').slice(-700),
      };
    },
  };
}

function callText({ tool, args }: RecordedCall): string {
  const { command, path } = args;
  return typeof command === 'string' ? command : `${tool} ${typeof path === 'string' ? path : ''}`.trimEnd();
}

function outcomeOf(ending: ToolResult | 'denied' | 'rejected' | undefined): Outcome {
  if (ending === undefined) return 'failure';
  if (typeof ending === 'string') return ending;
  if (ending.type !== 'success') return 'failure';
  const data = (ending.data ?? {}) as { readonly exitCode?: number | null; readonly passed?: boolean };
  return (data.exitCode ?? 0) === 0 && data.passed !== false ? 'success' : 'failure';
}
