import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { AgentRef } from '../kernel/agent.ts';
import type { RequestedCall } from '../kernel/call.ts';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { Attachment } from '../kernel/content.ts';
import type { Context } from '../kernel/context.ts';
import type { Refusal } from '../kernel/draft.ts';
import type { QuestionId } from '../kernel/ids.ts';
import type { ContinuedSetup, InputBody } from '../kernel/input.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Clarify, Meaning } from '../kernel/meaning.ts';
import { isModeName, modes, type Mode } from '../kernel/mode.ts';
import type { Delivery, QueueChange } from '../kernel/prompt.ts';
import type { Answer } from '../kernel/question.ts';
import type { WorkerReport } from '../kernel/report.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { LivenessVerdict } from '../kernel/verdict.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';
import { lineInput, type LineParts } from './line-input.ts';

/** What a person or program may send to a session, in the words of the public interfaces. */
export type ClientInput =
  | {
      readonly type: 'chat';
      readonly text: string;
      readonly delivery?: Delivery;
      readonly attachments?: readonly Attachment[];
      /** What it means, where that was worked out already, and what is to be asked about it. */
      readonly intent?: unknown;
      readonly rules?: readonly Rule[];
      readonly clarify?: Clarify;
    }
  /** A tool call with no model, through the same gate. */
  | { readonly type: 'task'; readonly command: string; readonly args?: unknown; readonly delivery?: Delivery }
  /** Several tool calls as a graph. */
  | { readonly type: 'tasks'; readonly calls: readonly TaskCall[]; readonly delivery?: Delivery }
  /** The older part of the conversation becomes a summary, in a turn of its own. */
  | { readonly type: 'compact'; readonly keep?: string }
  /** The conversation goes on from its last rest at or before an event. */
  | { readonly type: 'rewind'; readonly to: number }
  /** Files become what they were at a checkpoint; with `rewind`, the conversation goes back to that event too. */
  | {
      readonly type: 'restore';
      readonly to: number;
      readonly checkpoint: FileCheckpoint;
      readonly rewind?: number;
    }
  | { readonly type: 'answer'; readonly question: string; readonly answer: Answer }
  | { readonly type: 'interrupt'; readonly reason?: string }
  | { readonly type: 'queue'; readonly change: QueueChange }
  /** `model` takes the place of the agent's own. */
  | { readonly type: 'agent'; readonly agent: string; readonly model?: string }
  /** A mode or option of an external agent's own. */
  | { readonly type: 'agent-setting'; readonly setting: AgentSetting }
  | { readonly type: 'mode'; readonly mode: string | Mode }
  | { readonly type: 'policy'; readonly rules: readonly Rule[] }
  | { readonly type: 'limits'; readonly limits: Partial<Limits> }
  | { readonly type: 'worker'; readonly report: WorkerReport }
  | { readonly type: 'verdict'; readonly verdict: LivenessVerdict }
  /** Continues an imported session with what the person chose. */
  | ({ readonly type: 'continue' } & ContinuedSetup)
  | { readonly type: 'close'; readonly reason?: string }
  /** A type that the program registered (`inputs` of `createRondo`). */
  | { readonly type: 'custom'; readonly name: string; readonly data?: unknown };

/** What a session takes as it is; a custom one first becomes one of these. */
export type PlainInput = Exclude<ClientInput, { type: 'custom' }>;

export interface TaskCall {
  readonly id: string;
  readonly command: string;
  readonly args?: unknown;
  readonly after?: readonly string[];
  readonly priority?: number;
}

export interface Translation {
  readonly describe: Interpreter['describe'];
  readonly context: EffectContext;
  /** What the session was when it last rested at or before an event. */
  readonly restAt: (seq: number) => Promise<State | undefined>;
  readonly agent: (name: string, state: State) => Promise<AgentRef | undefined>;
  /** Why an agent can't have the model that it names, in words for people. */
  readonly modelProblem?: (agent: AgentRef, cwd: string) => Promise<string | undefined>;
  /** For the ids of calls: a provider rejects two that are equal in one conversation. */
  readonly unique: () => string;
  /** What a prompt means, and the rules that follow for its turn; it costs no commit of its own. */
  readonly understand?: (text: string, state: State) => Meaning | undefined | Promise<Meaning | undefined>;
  /** For modes in which a line may be a tool call. */
  readonly lines?: LineParts;
}

/** The kernel's input for a client's; a refusal where it names something that is not there. */
export function toInput(
  input: PlainInput,
  parts: Translation,
): InputBody | Refusal | Promise<InputBody | Refusal> {
  if (input.type !== 'chat') return toOtherInput(input, parts);
  const { lines, context } = parts;
  if (lines === undefined || context.state.mode.lines === undefined || input.intent !== undefined)
    return toPrompt(input, parts);
  return lineInput(input, { ...parts, lines }, () => toPrompt(input, parts));
}

type Chat = Extract<PlainInput, { type: 'chat' }>;

function toPrompt(input: Chat, parts: Translation): InputBody | Promise<InputBody> {
  const understood = input.intent === undefined ? parts.understand?.(input.text, parts.context.state) : undefined;
  return understood instanceof Promise
    ? understood.then((meaning) => promptOf(input, meaning))
    : promptOf(input, understood);
}

function promptOf(input: Chat, meaning: Meaning | undefined): InputBody {
  const { type: _, delivery = 'queue', ...rest } = input;
  return { type: 'prompt-received', delivery, ...rest, ...meaning };
}

async function toOtherInput(input: Exclude<PlainInput, Chat>, parts: Translation): Promise<InputBody | Refusal> {
  switch (input.type) {
    case 'task':
      return taskInput([requested({ ...input, id: `task_${parts.unique()}` })], input.delivery, parts);
    case 'tasks':
      return taskInput(input.calls.map(requested), input.delivery, parts);
    case 'compact':
      return { type: 'compaction-requested', ...(input.keep !== undefined && { keep: input.keep }) };
    case 'rewind': {
      const goal = await rewindGoal(input.to, parts);
      return 'code' in goal ? goal : { type: 'rewound', ...goal };
    }
    case 'restore': {
      const { to, checkpoint, rewind } = input;
      if (rewind === undefined) return { type: 'restore-requested', to, checkpoint };
      const goal = await rewindGoal(rewind, parts);
      return 'code' in goal ? goal : { type: 'restore-requested', to, checkpoint, rewind: goal };
    }
    case 'answer':
      return { type: 'question-answered', question: input.question as QuestionId, answer: input.answer };
    case 'interrupt':
      return { type: 'interrupted', ...(input.reason !== undefined && { reason: input.reason }) };
    case 'queue': {
      const { change } = input;
      if (change.type !== 'edited' || change.meaning !== undefined || typeof change.text !== 'string')
        return { type: 'queue-changed', change };
      const meaning = await parts.understand?.(change.text, parts.context.state);
      return { type: 'queue-changed', change: { ...change, ...(meaning !== undefined && { meaning }) } };
    }
    case 'agent': {
      const agent = await parts.agent(input.agent, parts.context.state);
      return agent === undefined
        ? {
            code: 'not-found',
            message: `there is no agent ${input.agent}; \`rondo agents\` lists those there are`,
          }
        : withModel(agent, input.model, parts);
    }
    case 'agent-setting':
      return { type: 'agent-setting-chosen', setting: input.setting };
    case 'mode': {
      if (typeof input.mode !== 'string') return { type: 'mode-changed', mode: input.mode };
      return isModeName(input.mode)
        ? { type: 'mode-changed', mode: modes[input.mode] }
        : {
            code: 'invalid',
            message: `there is no mode ${input.mode}; the modes are ${Object.keys(modes).join(', ')}`,
          };
    }
    case 'policy':
      return { type: 'policy-changed', rules: input.rules };
    case 'limits':
      return { type: 'limits-changed', limits: input.limits };
    case 'worker':
      return { type: 'worker-reported', report: input.report };
    case 'verdict':
      return { type: 'verdict-reached', verdict: input.verdict };
    case 'continue': {
      const { type: _, ...setup } = input;
      return { type: 'session-continued', ...setup };
    }
    case 'close':
      return { type: 'closed', ...(input.reason !== undefined && { reason: input.reason }) };
  }
}

/** A model that isn't there is refused here, for every front end; an external agent's models are its own. */
async function withModel(
  agent: AgentRef,
  model: string | undefined,
  { modelProblem, context }: Translation,
): Promise<InputBody | Refusal> {
  if (model === undefined) return { type: 'agent-changed', agent };
  const changed = { ...agent, model };
  const problem = agent.runs === 'external' ? undefined : await modelProblem?.(changed, context.state.cwd);
  return problem === undefined
    ? { type: 'agent-changed', agent: changed }
    : { code: 'not-found', message: problem };
}

async function rewindGoal(
  to: number,
  { restAt, context: { session } }: Translation,
): Promise<{ readonly to: number; readonly context: Context } | Refusal> {
  const rest = await restAt(to);
  if (rest !== undefined) return { to: rest.seq, context: rest.context };
  const message = `session ${session} has no event ${to}; its events are listed by \`rondo show ${session} --events\``;
  return { code: 'invalid', message };
}

function requested({ id, command, args, after, priority }: TaskCall): RequestedCall {
  return {
    id,
    tool: command,
    args: JSON.stringify(args ?? {}),
    ...(after !== undefined && { after }),
    ...(priority !== undefined && { priority }),
  };
}

async function taskInput(
  calls: readonly RequestedCall[],
  delivery: Delivery = 'queue',
  { describe, context }: Translation,
): Promise<InputBody> {
  return { type: 'task-received', calls: await describe(calls, context), delivery };
}
