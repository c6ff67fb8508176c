/**
 * The call in a permission request. It stands alone: editors may have dropped the earlier update, or show only the
 * request. It names the most dangerous part first (S14).
 */
import path from 'node:path';

import type { ToolCallContent, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';

import type { OpenQuestion } from '../../views/open-question.ts';
import type { AgentCallItem, CallItem, QuestionItem } from '../../views/transcript-item.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { Transcript } from '../../views/transcript.ts';
import { questionBody } from '../../wording/question-card.ts';
import { questionHeading } from '../../wording/question.ts';
import { agentToolCallOf, claimedChanges, toolCallOf, type ToolCallPlace } from './tool-call-content.ts';

export async function questionCall(
  item: QuestionItem,
  question: OpenQuestion,
  transcript: Transcript,
  place: ToolCallPlace,
): Promise<ToolCallUpdate> {
  const call = callOf(item, transcript);
  const title = questionHeading(question);
  const args = question.args === undefined ? undefined : await place.read(question.args);
  const details = questionBody(question, { args, changes: 'omitted' }).map(({ text }) => text);
  const text: readonly ToolCallContent[] =
    details.length === 0 ? [] : [{ type: 'content', content: { type: 'text', text: details.join('\n') } }];
  if (call === undefined) return { ...questionAsCall(item), title, content: [...linkIn(item), ...text] };
  if (call.type === 'call') {
    const whole = await toolCallOf(call, place);
    return { ...whole, title, status: 'pending', content: diffsFirst([...text, ...(whole.content ?? [])]) };
  }
  const whole = await agentToolCallOf(call, place);
  const changes = (whole.content ?? []).filter(({ type }) => type === 'diff');
  const diffs = changes.length > 0 ? changes : claimedChanges(args, place);
  const paths = (question.facts?.paths ?? []).map((one) => ({ path: path.resolve(place.cwd, one.path) }));
  const locations = paths.length > 0 ? paths : (whole.locations ?? []);
  const kind = call.kind === undefined ? kindOfTool(item) : whole.kind;
  return { ...whole, title, kind: kind ?? 'other', status: 'pending', locations, content: [...diffs, ...text] };
}

/** Some editors offer a diff only if it comes first. */
function diffsFirst(content: readonly ToolCallContent[]): ToolCallContent[] {
  return content.toSorted((a, b) => Number(b.type === 'diff') - Number(a.type === 'diff'));
}

/** An agent that only asks hasn't reported the call's kind. */
function kindOfTool({ about }: QuestionItem): ToolKind {
  return (about.type === 'approval' ? kinds.get(about.tool) : undefined) ?? 'other';
}

const kinds: ReadonlyMap<string, ToolKind> = new Map([
  ['shell', 'execute'],
  ['write', 'edit'],
  ['edit', 'edit'],
  ['delete', 'delete'],
  ['read', 'read'],
  ['web_fetch', 'fetch'],
]);

function callOf({ question, about }: QuestionItem, { items }: Transcript): CallItem | AgentCallItem | undefined {
  const call = itemsBetween(items, Math.max(0, items.length - 500), items.length).findLast(
    (item) =>
      (item.type === 'call' && item.state.type === 'asking' && item.state.question === question) ||
      (item.type === 'agent-call' &&
        about.type === 'approval' &&
        item.asked !== undefined &&
        item.call === about.call),
  );
  return call?.type === 'call' || call?.type === 'agent-call' ? call : undefined;
}

/** A question without a call stands in for one. */
function questionAsCall({ id }: QuestionItem): ToolCallUpdate {
  return { toolCallId: `question-${id}`, kind: 'other', status: 'pending', locations: [] };
}

function linkIn({ about }: QuestionItem): readonly ToolCallContent[] {
  if (about.type !== 'form' || about.url === undefined) return [];
  return [{ type: 'content', content: { type: 'resource_link', name: about.title, uri: about.url } }];
}

/** Identifies the request for the rules of a call, which follows the request for the call. */
export function ruleCall(call: ToolCallUpdate, rules: string): ToolCallUpdate {
  return {
    ...call,
    toolCallId: `${call.toolCallId}-rule`,
    title: `Save the rule ${rules}?`,
    content: [{ type: 'content', content: { type: 'text', text: rules } }],
  };
}
