/** Converts calls of Rondo's tools and of external agents for display by the client. */
import path from 'node:path';

import type { ToolCall, ToolCallContent, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';

import type { Body } from '../../kernel/content.ts';
import { isJsonObject, jsonIn } from '../../kernel/json-object.ts';
import { optional } from '../../kernel/optional.ts';
import { editedText } from '../../views/call-changes.ts';
import type { AgentCallItem, CallItem, CallState } from '../../views/transcript-item.ts';

export interface ToolCallPlace {
  readonly cwd: string;
  read(body: Body): Promise<string>;
  /** The file before the call changes it: empty if it is new, undefined if it can't be shown. */
  before(call: CallItem, file: string): Promise<string | undefined>;
}

/** Unique within a session. Ids from models repeat in later turns. */
export function toolCallIdOf({ id }: Pick<CallItem | AgentCallItem, 'id'>): string {
  return `call-${id}`;
}

export async function toolCallOf(item: CallItem, place: ToolCallPlace): Promise<ToolCall> {
  const args = argumentsIn(await place.read(item.args));
  return {
    toolCallId: toolCallIdOf(item),
    title: titleOf(item, args),
    name: item.tool,
    kind: kindOf(item),
    status: statusOf(item.state),
    rawInput: args,
    locations: (item.facts.paths ?? []).map((one) => ({ path: path.resolve(place.cwd, one.path) })),
    content: [...(await changesOf(item, args, place)), ...(await outputOf(item.state, place))],
  };
}

export async function agentToolCallOf(item: AgentCallItem, place: ToolCallPlace): Promise<ToolCall> {
  const content = item.content === undefined ? '' : await place.read(item.content);
  const diffs = await Promise.all(
    (item.diffs ?? []).map(async ({ path: file, before, after }): Promise<ToolCallContent> => ({
      type: 'diff',
      path: path.resolve(place.cwd, file),
      ...(before !== undefined && { oldText: await place.read(before) }),
      newText: await place.read(after),
    })),
  );
  return {
    toolCallId: toolCallIdOf(item),
    title: item.title ?? item.kind ?? 'tool',
    kind: isKind(item.kind) ? item.kind : 'other',
    status: agentStatusOf(item.state),
    locations: (item.paths ?? []).map((one) => ({ path: path.resolve(place.cwd, one) })),
    content: [...diffs, ...(content === '' ? [] : [textContent(content)])],
  };
}

function statusOf(state: CallState): ToolCallStatus {
  switch (state.type) {
    case 'planned':
    case 'asking':
      return 'pending';
    case 'running':
      return 'in_progress';
    case 'succeeded':
      return 'completed';
    case 'failed':
    case 'refused':
    case 'cancelled':
      return 'failed';
  }
}

function agentStatusOf(state: AgentCallItem['state']): ToolCallStatus {
  switch (state) {
    case 'in-progress':
      return 'in_progress';
    case 'unknown':
      return 'failed';
    case 'pending':
    case 'completed':
    case 'failed':
      return state;
  }
}

async function outputOf(state: CallState, { read }: ToolCallPlace): Promise<readonly ToolCallContent[]> {
  switch (state.type) {
    case 'planned':
    case 'asking':
    case 'running':
      return [];
    case 'succeeded':
      return asText(await read(state.output));
    case 'failed':
      return asText(await read(state.message));
    case 'refused':
      return asText(state.reason);
    case 'cancelled':
      return asText(state.output === undefined ? 'Cancelled.' : await read(state.output));
  }
}

function asText(text: string): readonly ToolCallContent[] {
  if (text === '') return [];
  return [
    textContent(
      text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n[cut: ${text.length} characters in all]`,
    ),
  ];
}

const LONGEST = 100_000;

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** The file before and after, so that an editor can show the change before approval. */
async function changesOf(
  call: CallItem,
  args: unknown,
  { cwd, before }: ToolCallPlace,
): Promise<readonly ToolCallContent[]> {
  if (!isJsonObject(args) || typeof args['path'] !== 'string') return [];
  const file = path.resolve(cwd, args['path']);
  const [target] = call.facts.paths ?? [];
  const oldText = async () => (target?.inside === true ? await before(call, file) : undefined);
  if (call.tool === 'write' && typeof args['content'] === 'string')
    return [diff(file, (await oldText()) || undefined, args['content'])];
  if (call.tool !== 'edit' || !Array.isArray(args['edits'])) return [];
  const text = await oldText();
  const edited = text === undefined || text.length > longestEdited ? undefined : editedText(text, args);
  if (edited !== undefined) return [diff(file, text, edited)];
  return args['edits'].flatMap((edit: unknown) =>
    isJsonObject(edit) && typeof edit['old_text'] === 'string' && typeof edit['new_text'] === 'string'
      ? [{ ...diff(file, edit['old_text'], edit['new_text']), _meta: { [PART]: true } }]
      : [],
  );
}

/** Of a longer file, only the edited parts are sent. */
const longestEdited = 100_000;

/** In a diff's `_meta`: its texts are parts of the file, at an unknown place. */
export const PART = 'rondo.part';

/** The changes that a hosted agent asks to make, if it hasn't reported them with its call. */
export function claimedChanges(args: string | undefined, { cwd }: ToolCallPlace): readonly ToolCallContent[] {
  const asked = argumentsIn(args ?? '');
  if (!isJsonObject(asked)) return [];
  if (typeof asked['path'] === 'string' && typeof asked['content'] === 'string')
    return [diff(path.resolve(cwd, asked['path']), undefined, asked['content'])];
  const changes: readonly unknown[] = Array.isArray(asked['changes']) ? asked['changes'] : [];
  return changes.flatMap((change) => {
    if (!isJsonObject(change) || typeof change['path'] !== 'string' || typeof change['after'] !== 'string')
      return [];
    const oldText = typeof change['before'] === 'string' ? change['before'] : undefined;
    return [diff(path.resolve(cwd, change['path']), oldText, change['after'])];
  });
}

function diff(file: string, oldText: string | undefined, newText: string): ToolCallContent {
  return { type: 'diff', path: file, ...optional({ oldText }), newText };
}

function titleOf({ tool }: CallItem, args: unknown): string {
  const values = isJsonObject(args) ? Object.values(args) : [];
  const first = values.find((value): value is string => typeof value === 'string' && value !== '');
  const line = first?.split('\n', 1)[0] ?? '';
  return line === '' ? tool : `${tool} ${line.length > 120 ? `${line.slice(0, 119)}…` : line}`;
}

function kindOf({ tool, facts }: CallItem): ToolKind {
  if (tool === 'grep' || tool === 'glob' || tool === 'list' || tool === 'web_search') return 'search';
  if (tool === 'delete') return 'delete';
  switch (facts.access) {
    case 'read':
      return 'read';
    case 'write':
      return 'edit';
    case 'execute':
      return 'execute';
    case 'network':
      return 'fetch';
    case 'talk':
      return 'other';
  }
}

const KINDS: ReadonlySet<string> = new Set<ToolKind>([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
]);

function isKind(kind: string | undefined): kind is ToolKind {
  return kind !== undefined && KINDS.has(kind);
}

function argumentsIn(text: string): unknown {
  return jsonIn(text === '' ? '{}' : text) ?? text;
}
