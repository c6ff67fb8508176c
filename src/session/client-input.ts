import type { AgentRef } from '../kernel/agent.ts';
import type { RequestedCall } from '../kernel/call.ts';
import type { Attachment } from '../kernel/content.ts';
import type { Context } from '../kernel/context.ts';
import type { Refusal } from '../kernel/decide/draft.ts';
import type { QuestionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Meaning } from '../kernel/meaning.ts';
import { isModeName, modes } from '../kernel/mode.ts';
import type { Delivery } from '../kernel/prompt.ts';
import type { State } from '../kernel/state.ts';
import type { PlainInput, TaskCall } from '../ports/client-input.ts';
import type { Interpreter } from '../ports/interpreter.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import { lineInput, type LineInputParts } from './line-input.ts';
import { optional } from '../kernel/optional.ts';
import { rulesAfter } from '../kernel/rule.ts';

export type { ClientInput, PlainInput } from '../ports/client-input.ts';

export interface Translation {
  readonly describe: Interpreter['describe'];
  readonly context: EffectHost;
  /** The session's state when it was last idle, at or before an event. */
  readonly restAt: (seq: number) => Promise<State | undefined>;
  readonly agent: (name: string, state: State) => Promise<AgentRef | undefined>;
  /** Why an agent can't use the model it names, as a message for people. Undefined if it can. */
  readonly modelProblem?: (agent: AgentRef, cwd: string) => Promise<string | undefined>;
  /** Where a session of an agent can run. */
  readonly serving?: (
    session: Pick<State, 'agent' | 'machine'>,
  ) => Promise<{ readonly type: 'here' | 'elsewhere' } | { readonly type: 'nowhere'; readonly problem: string }>;
  /** Generates call ids: providers reject duplicates within a conversation. */
  readonly unique: () => string;
  /** The prompt's intent and the rules that follow for its turn. Recording it needs no extra commit. */
  readonly understand?: (text: string, state: State) => Meaning | undefined | Promise<Meaning | undefined>;
  /** The texts that a prompt calls or mentions: a command from a file, an MCP server's prompt or resource. */
  readonly expand?: (text: string, state: State) => Promise<readonly Attachment[] | Refusal>;
  /** For modes where a line may be a tool call. */
  readonly lines?: LineInputParts;
}

/** Converts a client's input to the kernel's. Returns a refusal if it names something that doesn't exist. */
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

function toPrompt(input: Chat, parts: Translation): InputBody | Refusal | Promise<InputBody | Refusal> {
  if (parts.expand === undefined || !mayExpand.test(input.text)) return understood(input, parts);
  return parts.expand(input.text, parts.context.state).then((expanded) => {
    if ('code' in expanded) return expanded;
    if (expanded.length === 0) return understood(input, parts);
    return understood({ ...input, attachments: [...expanded, ...(input.attachments ?? [])] }, parts);
  });
}

/** A command, or a mention such as `@server:uri`. */
const mayExpand = /^\s*\/[A-Za-z][\w:-]*(\s|$)|(^|[\s([{"'])@[\w-]+:\S/;

function understood(input: Chat, parts: Translation): InputBody | Promise<InputBody> {
  const meaning = input.intent === undefined ? parts.understand?.(input.text, parts.context.state) : undefined;
  return meaning instanceof Promise ? meaning.then((answer) => promptOf(input, answer)) : promptOf(input, meaning);
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
      return { type: 'compaction-requested', ...optional({ keep: input.keep }) };
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
      return { type: 'interrupted', ...optional({ reason: input.reason }) };
    case 'retry-now':
      return { type: 'retry-requested' };
    case 'queue': {
      const { change } = input;
      if (change.type !== 'edited' || change.meaning !== undefined || typeof change.text !== 'string')
        return { type: 'queue-changed', change };
      const meaning = await parts.understand?.(change.text, parts.context.state);
      return { type: 'queue-changed', change: { ...change, ...optional({ meaning }) } };
    }
    case 'agent': {
      const agent = await parts.agent(input.agent, parts.context.state);
      if (agent === undefined) {
        return { code: 'not-found', message: `unknown agent ${input.agent}; \`rondo agents\` lists them` };
      }
      const serving = await parts.serving?.({ agent });
      if (serving?.type === 'nowhere') return { code: 'conflict', message: serving.problem };
      return withModel(agent, input.model, parts);
    }
    case 'agent-setting':
      return { type: 'agent-setting-chosen', setting: input.setting };
    case 'title':
      return input.title.trim() === ''
        ? { code: 'invalid', message: 'A title needs at least one character.' }
        : { type: 'title-changed', title: input.title.trim().slice(0, 200) };
    case 'mode': {
      if (typeof input.mode !== 'string') return { type: 'mode-changed', mode: input.mode };
      return isModeName(input.mode)
        ? { type: 'mode-changed', mode: modes[input.mode] }
        : {
            code: 'invalid',
            message: `unknown mode ${input.mode}; use one of ${Object.keys(modes).join(', ')}`,
          };
    }
    case 'policy':
      return { type: 'policy-changed', rules: input.rules };
    case 'rules': {
      const rules = rulesAfter(parts.context.state.rules, input);
      return { type: 'policy-changed', rules, ...optional({ revoked: input.revoke }) };
    }
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
      return { type: 'closed', ...optional({ reason: input.reason }) };
  }
}

/** Refuses an unavailable model for every front end. External agents check their own models. */
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
  const message = `session ${session} has no event ${to}; \`rondo show ${session} --events\` lists them`;
  return { code: 'invalid', message };
}

function requested({ id, command, args, after, priority }: TaskCall): RequestedCall {
  return {
    id,
    tool: command,
    args: JSON.stringify(args ?? {}),
    ...optional({ after, priority }),
  };
}

async function taskInput(
  calls: readonly RequestedCall[],
  delivery: Delivery = 'queue',
  { describe, context }: Translation,
): Promise<InputBody> {
  return { type: 'task-received', calls: await describe(calls, context), delivery };
}
