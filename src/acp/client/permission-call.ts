/**
 * Maps an agent's tool call to Rondo's own tools, so that people's rules for those apply: commands to `shell`,
 * changes to `edit`, `write` and `delete`, reading to `read`, URLs to `web_fetch`. A call without a counterpart is
 * named `<agent>:<name>`.
 */
import { createHash } from 'node:crypto';

import type { AgentRequest } from '../../kernel/agent-request.ts';
import type { Call, CallFacts, SegmentFact } from '../../kernel/call.ts';
import type { CallId } from '../../kernel/ids.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { claimedTitle } from './claimed-title.ts';
import type { PermissionRequest } from './wire-schema.ts';
import { optional } from '../../kernel/optional.ts';
import { type PermissionMeaning, permissionMeaning, unique } from './permission-meaning.ts';

/** Determines the facts of a call of one of Rondo's tools without running it. */
export type DescribeCall = (tool: string, args: unknown, context: ToolContext) => Promise<CallFacts>;

export async function permissionOf(
  { toolCall, options }: PermissionRequest,
  describe: DescribeCall,
  context: ToolContext,
): Promise<Extract<AgentRequest, { type: 'permission' }>> {
  const { title } = toolCall;
  return {
    ...(await requestFor(toolCall.toolCallId, permissionMeaning(toolCall, context.agent), describe, context)),
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
  const meaning: PermissionMeaning = { tool, args, described: [[tool, args]], access: 'execute' };
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
  { tool, args, described, access }: PermissionMeaning,
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
