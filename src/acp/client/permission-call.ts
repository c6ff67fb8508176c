/**
 * Maps an agent's tool call to Rondo's own tools, so that people's rules for those apply: commands to `shell`,
 * changes to `edit`, `write` and `delete`, reading to `read`, URLs to `web_fetch`. A call without a counterpart is
 * named `<agent>:<name>`.
 */
import { createHash } from 'node:crypto';

import type { AgentRequest } from '../../kernel/agent-request.ts';
import type { Call, CallFacts, SegmentFact } from '../../kernel/call.ts';
import type { CallId } from '../../kernel/ids.ts';
import { isJsonObject } from '../../kernel/json-object.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { claimedTitle } from './claimed-title.ts';
import { diffsIn, pathsIn } from './read-update.ts';
import type { PermissionRequest } from './wire-schema.ts';
import { optional } from '../../kernel/optional.ts';

/** Determines the facts of a call of one of Rondo's tools without running it. */
export type DescribeCall = (tool: string, args: unknown, context: ToolContext) => Promise<CallFacts>;

type ToolCall = PermissionRequest['toolCall'];

/** One or more calls of Rondo's tools that are equivalent to the agent's call. */
interface Meaning {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly described: readonly (readonly [tool: string, args: unknown])[];
  /** The access to assume if none of Rondo's tools describes the call. */
  readonly access: CallFacts['access'];
}

export async function permissionOf(
  { toolCall, options }: PermissionRequest,
  describe: DescribeCall,
  context: ToolContext,
): Promise<Extract<AgentRequest, { type: 'permission' }>> {
  const { title } = toolCall;
  return {
    ...(await requestFor(toolCall.toolCallId, meaningOf(toolCall, context.agent), describe, context)),
    ...(typeof title === 'string' && { title: claimedTitle(context.agent, title) }),
    options: options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind: optionKinds[kind] })),
  };
}

/** The request for an action that Rondo performs for the agent. */
export async function serviceRequest(
  call: { readonly id: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  describe: DescribeCall,
  context: ToolContext,
): Promise<Extract<AgentRequest, { type: 'permission' }>> {
  const { id, tool, args } = call;
  const meaning: Meaning = { tool, args, described: [[tool, args]], access: 'execute' };
  return { ...(await requestFor(id, meaning, describe, context)), options: serviceOptions };
}

const serviceOptions = [
  { id: 'allow', kind: 'allow-once', name: 'Allow' },
  { id: 'reject', kind: 'reject-once', name: 'Reject' },
] as const;

export function requestKey(type: AgentRequest['type'], content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([type, content]))
    .digest('hex')
    .slice(0, 32);
}

const optionKinds = {
  allow_once: 'allow-once',
  allow_always: 'allow-always',
  reject_once: 'reject-once',
  reject_always: 'reject-always',
} as const;

const MOST_DESCRIBED = 500;

async function requestFor(
  id: string,
  { tool, args, described, access }: Meaning,
  describe: DescribeCall,
  context: ToolContext,
): Promise<{ readonly type: 'permission'; readonly key: string; readonly call: Call }> {
  // Nobody reads a list that long, and describing it takes long: a person decides.
  const isEndless = described.length > MOST_DESCRIBED;
  const facts = await Promise.all(
    isEndless ? [] : described.map(([name, given]) => describe(name, given, context)),
  );
  return {
    type: 'permission',
    key: requestKey('permission', [tool, args]),
    call: {
      id: id as CallId,
      tool,
      args: JSON.stringify(args),
      facts: joined(facts, isEndless ? 'execute' : access),
    },
  };
}

function meaningOf(toolCall: ToolCall, agent: string): Meaning {
  const input = isJsonObject(toolCall.rawInput) ? toolCall.rawInput : {};
  const diffs = diffsIn(toolCall.content);
  const paths = unique([
    ...diffs.map(({ path }) => path),
    ...pathsIn(toolCall.locations),
    ...[input['file_path'], input['filePath'], input['path']].filter((path) => typeof path === 'string'),
  ]);
  const { kind } = toolCall;
  // A diff is an edit, whatever the agent calls it.
  if (diffs.length > 0 && !changing.has(kind ?? '')) return meaningOf({ ...toolCall, kind: 'edit' }, agent);
  const command = looking.has(kind ?? '') ? commandIn(input) : undefined;
  if (command !== undefined) return lookedUpByCommand(command, paths, input);
  switch (kind) {
    case 'execute':
      return commandMeaning(toolCall, input);
    case 'edit':
    case 'move': {
      const changes = diffs.map(({ path, before, after }) => ({
        path,
        ...optional({ before }),
        after,
      }));
      const tool = diffs.length > 0 && diffs.every(({ before }) => before === undefined) ? 'write' : 'edit';
      return {
        tool,
        args: changes.length > 0 ? { changes } : { paths, input },
        described: writing(paths, tool),
        access: 'write',
      };
    }
    case 'delete':
      return {
        tool: 'delete',
        args: { paths },
        described: paths.map((path) => ['delete', { path }]),
        access: 'write',
      };
    case 'read':
    case 'search':
      return {
        tool: 'read',
        args: { paths, input },
        described: paths.map((path) => ['read', { path }]),
        access: 'read',
      };
    case 'fetch': {
      const inInput = urlsIn(input);
      const urls = inInput.length > 0 ? inInput : urlsIn(toolCall.title);
      const [url] = urls;
      const described = urls.map((each) => ['web_fetch', { url: each }] as const);
      const args = url === undefined ? { input } : urls.length === 1 ? { url } : { urls };
      return { tool: 'web_fetch', args, described, access: 'network' };
    }
    case 'think':
      return { tool: `${agent}:think`, args: { input }, described: [], access: 'talk' };
    default:
      return {
        tool: `${agent}:${toolName(toolCall)}`,
        args: { title: toolCall.title ?? '', input },
        described: [],
        access: 'execute',
      };
  }
}

const changing: ReadonlySet<string> = new Set(['edit', 'move', 'delete', 'execute']);
/** Kinds that Rondo may allow unasked. */
const looking: ReadonlySet<string> = new Set(['think', 'read', 'search']);

type Input = Readonly<Record<string, unknown>>;

/** An unrecognized command needs approval: no pattern covers it. */
function commandMeaning({ title }: ToolCall, input: Input): Meaning {
  // Some agents only quote the command in the title.
  const command = commandIn(input) ?? /^`([^`]+)`$/.exec(title?.trim() ?? '')?.[1];
  if (command === undefined)
    return { tool: 'shell', args: { title: title ?? '' }, described: [], access: 'execute' };
  const args = { command, ...placeIn(input) };
  return { tool: 'shell', args, described: [['shell', args]], access: 'execute' };
}

/** The agent reports a read or search, but it runs a command: Rondo judges both. */
function lookedUpByCommand(command: string, paths: readonly string[], input: Input): Meaning {
  const args = { command, ...placeIn(input) };
  return {
    tool: 'shell',
    args: paths.length === 0 ? args : { ...args, paths },
    described: [['shell', args], ...paths.map((path) => ['read', { path }] as const)],
    access: 'execute',
  };
}

/** Undefined if there is none. The commands of a text editor, such as `view`, are none of a shell. */
function commandIn(input: Input): string | undefined {
  const given = input['command'] ?? input['cmd'];
  const command = Array.isArray(given) ? commandLine(given.map(String)) : given;
  if (typeof command !== 'string' || command === '') return undefined;
  return typeof input['path'] === 'string' && editorCommands.has(command) ? undefined : command;
}

const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);

function placeIn(input: Input): { readonly cwd?: string } {
  const cwd = input['cwd'] ?? input['dir_path'] ?? input['directory'];
  return typeof cwd === 'string' && cwd !== '' ? { cwd } : {};
}

/** `bash -lc "…"` stands for the quoted command. Other words are joined as a shell would read them. */
export function commandLine([first = '', ...rest]: readonly string[]): string {
  const [option, script, ...more] = rest;
  if (
    /(?:^|\/)(?:ba|z|da)?sh$/.test(first) &&
    /^-l?c$/.test(option ?? '') &&
    script !== undefined &&
    more.length === 0
  ) {
    return script;
  }
  return [first, ...rest]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function writing(paths: readonly string[], tool: 'write' | 'edit'): Meaning['described'] {
  return paths.map((path) =>
    tool === 'write'
      ? ['write', { path, content: '' }]
      : ['edit', { path, edits: [{ old_text: 'x', new_text: '' }] }],
  );
}

function joined(facts: readonly CallFacts[], access: CallFacts['access']): CallFacts {
  const [first, ...others] = facts;
  // The agent runs it, not Rondo. After a crash, the agent decides whether to ask again.
  const base = { repeat: 'never', order: 'exclusive', runs: 'tool' } as const;
  // Nothing is known, so there is nothing to grant.
  if (first === undefined) return { access, ...base, grants: [] };
  if (others.length === 0) return { ...first, ...byAgent(first), ...base };
  const all = <Item>(pick: (fact: CallFacts) => readonly Item[] | undefined) =>
    facts.flatMap((fact) => pick(fact) ?? []);
  const problem = facts.find((fact) => fact.problem !== undefined)?.problem;
  return {
    access: first.access,
    ...base,
    paths: all(({ paths }) => paths),
    segments: all((fact) => byAgent(fact).segments),
    urls: all(({ urls }) => urls),
    dangers: all(({ dangers }) => dangers),
    grants: unique(all(({ grants }) => grants)),
    ...optional({ problem }),
  };
}

/**
 * Rondo runs a read-only command without a shell. The agent doesn't, so none of its commands is automatically
 * allowed.
 */
function byAgent({ segments }: CallFacts): Pick<CallFacts, 'segments'> {
  return segments === undefined ? {} : { segments: segments.map(withoutFreedom) };
}

function withoutFreedom(given: SegmentFact): SegmentFact {
  const { free, mild: _, ...segment } = given;
  return free === true && segment.raisedBy !== undefined ? { ...segment, effect: 'build' } : segment;
}

function toolName({ name, kind, title }: ToolCall): string {
  const given = name ?? /^[\w.-]+(?=$|[ (:])/.exec(title ?? '')?.[0] ?? kind ?? 'other';
  return given.replaceAll(/[^\w.-]+/g, '_').slice(0, 60);
}

/** All URLs at any depth: only the agent knows which of them it fetches. */
function urlsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return unique(Array.from(value.matchAll(/https?:\/\/[^\s"'<>)]+/gi), ([url]) => url));
  return typeof value === 'object' && value !== null ? unique(Object.values(value).flatMap(urlsIn)) : [];
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}
