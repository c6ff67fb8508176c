/** Everything the offline model uses from a request. */
import { previewOf } from '../kernel/content.ts';
import type { Message, MessageCall } from '../kernel/message.ts';
import { type ModelRequest } from '../ports/model.ts';
import { textOf } from '../runtime/text-of.ts';
import type { ToolSpec } from '../ports/tool.ts';
import type { CallResult } from './plan.ts';
import type { Round } from './replay.ts';

export interface Facts {
  readonly prompt: string;
  /** Earlier prompts, oldest first. */
  readonly earlier: readonly string[];
  /** What people wrote in a history that was imported from a file, oldest first. It is only quoted. */
  readonly imported: readonly string[];
  /** Calls since the newest prompt. */
  readonly rounds: readonly Round[];
  /** Calls for earlier prompts. */
  readonly deeds: readonly Deed[];
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** As `YYYY-MM-DD`. */
  readonly today: string;
  /** A reviewer rejected the reply to the newest prompt. */
  readonly turnedDown: boolean;
}

/** An earlier call of the session. */
export interface Deed {
  /** The index of its prompt, from 0. */
  readonly prompt: number;
  readonly tool: string;
  /** Its path or command, if any. */
  readonly about: string;
  readonly outcome: CallResult['outcome'] | 'open';
  /** Its arguments as JSON and its result, cut if long. */
  readonly args: string;
  readonly result: string;
}

const earlierPrompts = 20;
const longestResult = 400_000;

export async function readFacts(request: ModelRequest, now: () => number): Promise<Facts> {
  const { messages, read, tools, system } = request;
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const users = messages.filter((message) => message.role === 'user');
  const prompts = await Promise.all(users.slice(-earlierPrompts).map(({ text }) => textOf(text, read)));
  const since = messages.slice(at + 1);
  return {
    prompt: clarified(prompts.at(-1) ?? '', since),
    earlier: prompts.slice(0, -1),
    imported: messages.flatMap((message) =>
      message.role === 'quoted' && message.from === 'user' ? [previewOf(message.text)] : [],
    ),
    rounds: await roundsOf(since, read),
    deeds: deedsOf(messages.slice(0, at + 1)),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    today: /^Date: (\d{4}-\d\d-\d\d)$/m.exec(system)?.[1] ?? new Date(now()).toISOString().slice(0, 10),
    turnedDown: since.some(
      (message) => message.role === 'notice' && message.text.startsWith('The user turned this reply down'),
    ),
  };
}

/** The prompt with the person's clarification: a verb before it, a file in it, or their own words. */
function clarified(prompt: string, since: readonly Message[]): string {
  for (const message of since) {
    if (message.role !== 'notice') continue;
    const match = /^The user was asked: (.*?\?) The answer: ([\s\S]+)$/.exec(message.text);
    if (match === null) continue;
    const [, question = '', answer = ''] = match;
    const verb = /^(\S+)(?: and \S+)* \(changes (?:files|nothing)\)$/.exec(answer)?.[1];
    if (verb !== undefined) return `/${verb} ${prompt}`;
    if (answer.endsWith(', as I wrote it')) return prompt;
    const named = /^(?:Which (.+?) do you mean|There is no (.+?)\. Which file do you mean)\?$/.exec(question);
    const file = named?.[1] ?? named?.[2];
    return file !== undefined && prompt.includes(file) ? prompt.replace(file, answer) : answer;
  }
  return prompt;
}

async function roundsOf(since: readonly Message[], read: ModelRequest['read']): Promise<readonly Round[]> {
  const replies = since.filter((message) => message.role === 'assistant').filter(({ calls }) => calls.length > 0);
  return Promise.all(
    replies.map(async ({ calls }) => ({
      tools: calls.map(({ tool }) => tool),
      results: await Promise.all(calls.map((call) => resultOf(call, since, read))),
    })),
  );
}

async function resultOf(
  { id, tool }: MessageCall,
  since: readonly Message[],
  read: ModelRequest['read'],
): Promise<CallResult> {
  const match = since.find((message) => message.role === 'tool' && message.call === id);
  if (match?.role !== 'tool') return { tool, outcome: 'cancelled', text: 'It ended without a result.' };
  return { tool, outcome: match.outcome, text: (await textOf(match.text, read)).slice(0, longestResult) };
}

function deedsOf(messages: readonly Message[]): readonly Deed[] {
  const settled = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.call, message] as const] : [])),
  );
  let prompt = -1;
  return messages.flatMap((message) => {
    if (message.role === 'user') prompt += 1;
    if (message.role !== 'assistant') return [];
    return message.calls.map(({ id, tool, args }) => ({
      prompt,
      tool,
      about: subjectOf(previewOf(args)),
      outcome: settled.get(id)?.outcome ?? ('open' as const),
      args: previewOf(args),
      result: previewOf(settled.get(id)?.text ?? ''),
    }));
  });
}

/** Uses only the start: the full arguments may be a blob, and paths come first. */
function subjectOf(args: string): string {
  const match = /"(?:path|command|pattern)":\s*("(?:[^"\\]|\\.)*")/.exec(args)?.[1];
  return match === undefined ? '' : (JSON.parse(match) as string);
}
