/**
 * Parses an agent's `session/update`. Reads field by field: updates are most of an agent's traffic, and one
 * malformed field must not invalidate the rest.
 */
import { isJsonObject } from '../../kernel/json-object.ts';
import type { AgentChoice, AgentDiff, AgentOption, AgentReport } from '../../kernel/report.ts';
import { claimedTitle } from './claimed-title.ts';
import type { SessionState } from './wire-schema.ts';
import { optional } from '../../kernel/optional.ts';

export type AgentUpdate =
  | {
      readonly type: 'text';
      readonly kind: 'message' | 'thought';
      readonly text: string;
      readonly message?: string;
    }
  | { readonly type: 'tool-call'; readonly change: ToolCallChange }
  | { readonly type: 'usage'; readonly used?: number; readonly cost?: number }
  | {
      readonly type: 'report';
      readonly report: Exclude<AgentReport, { type: 'message' | 'thought' | 'tool-call' }>;
    };

type ToolReport = Extract<AgentReport, { type: 'tool-call' }>;
export type ToolCallChange = Pick<ToolReport, 'call'> &
  Partial<Omit<ToolReport, 'type' | 'call' | 'content'>> & {
    readonly content?: string;
    /** Terminals whose output belongs to the call. */
    readonly terminals?: readonly string[];
  };

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for updates without information, such as the echo of a prompt. */
export function readUpdate(agent: string, update: unknown): AgentUpdate | undefined {
  if (!isJsonObject(update)) return undefined;
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return textOf('message', update);
    case 'agent_thought_chunk':
      return textOf('thought', update);
    case 'tool_call':
    case 'tool_call_update':
      return toolCallOf(agent, update);
    case 'plan':
      return { type: 'report', report: { type: 'plan', entries: listed(update['entries']).map(planEntry) } };
    case 'available_commands_update': {
      const commands = listed(update['availableCommands']).map((command) => ({
        name: shortWords(command['name']) ?? '',
        description: shortWords(command['description']) ?? '',
      }));
      return { type: 'report', report: { type: 'commands', commands } };
    }
    case 'current_mode_update': {
      const mode = shortWords(update['currentModeId']);
      return mode === undefined ? undefined : { type: 'report', report: { type: 'mode', mode } };
    }
    case 'config_option_update':
      return {
        type: 'report',
        report: { type: 'options', options: listed(update['configOptions']).map(optionOf) },
      };
    case 'usage_update':
      return usageOf(update);
    case 'notice': {
      const text = [shortWords(update['title']), shortWords(update['description'])].filter(Boolean).join(': ');
      const given = update['severity'];
      const severity = given === 'warning' || given === 'error' ? given : 'info';
      return text === '' ? undefined : { type: 'report', report: { type: 'notice', severity, text } };
    }
    case 'compaction_update': {
      const text = `The agent summarized its context (${words(update['status']) ?? 'unknown'}).`;
      return { type: 'report', report: { type: 'notice', severity: 'info', text } };
    }
    default:
      return undefined;
  }
}

/** The modes and options of a newly opened session. */
export function* openingReports({ modes, configOptions }: SessionState): Generator<AgentReport> {
  if (modes !== undefined && modes !== null) {
    yield {
      type: 'mode',
      mode: modes.currentModeId,
      ...(modes.availableModes.length > 0 && {
        modes: modes.availableModes.slice(0, MOST_LISTED).map(({ id, name }) => ({ id, name: name ?? id })),
      }),
    };
  }
  if (configOptions !== undefined && configOptions !== null && configOptions.length > 0) {
    yield { type: 'options', options: listed(configOptions).map(optionOf) };
  }
}

function textOf(kind: 'message' | 'thought', update: Fields): AgentUpdate | undefined {
  const text = contentText(update['content']);
  const message = words(update['messageId']);
  if (text === undefined || text === '') return undefined;
  return { type: 'text', kind, text, ...optional({ message }) };
}

/** A content block as text: text itself, anything else by its name. */
function contentText(content: unknown): string | undefined {
  if (!isJsonObject(content)) return undefined;
  switch (content['type']) {
    case 'text':
      return words(content['text']);
    case 'resource_link':
      return `[${words(content['name']) ?? 'resource'}](${words(content['uri']) ?? ''})`;
    case 'resource':
      return isJsonObject(content['resource'])
        ? (words(content['resource']['text']) ?? '[resource]')
        : '[resource]';
    case 'image':
    case 'audio':
      return `[${content['type']} ${words(content['mimeType']) ?? ''}]`;
    default:
      return undefined;
  }
}

function toolCallOf(agent: string, update: Fields): AgentUpdate | undefined {
  const call = shortWords(update['toolCallId']);
  if (call === undefined) return undefined;
  const title = shortWords(update['title']);
  const kind = shortWords(update['kind']);
  const state = states.get(words(update['status']) ?? '');
  const pieces = recordsIn(update['content']);
  const texts = pieces.flatMap((piece) =>
    piece['type'] === 'content' ? (contentText(piece['content']) ?? []) : [],
  );
  const raw = texts.length === 0 ? rawText(update['rawOutput']) : undefined;
  const content = texts.length > 0 ? texts.join('\n') : raw;
  const diffs = diffsIn(update['content']);
  const terminals = pieces.flatMap((piece) =>
    piece['type'] === 'terminal' ? (words(piece['terminalId']) ?? []) : [],
  );
  const paths = pathsIn(update['locations']).slice(0, MOST_LISTED);
  return {
    type: 'tool-call',
    change: {
      call,
      ...(title !== undefined && { title: claimedTitle(agent, title) }),
      ...optional({ kind, state }),
      ...(update['sessionUpdate'] === 'tool_call' && state === undefined && { state: 'pending' as const }),
      ...optional({ content }),
      ...(diffs.length > 0 && { diffs }),
      ...(terminals.length > 0 && { terminals }),
      ...(paths.length > 0 && { paths }),
    },
  };
}

const states: ReadonlyMap<string, ToolReport['state']> = new Map([
  ['pending', 'pending'],
  ['in_progress', 'in-progress'],
  ['completed', 'completed'],
  ['failed', 'failed'],
]);

export function diffsIn(content: unknown): readonly AgentDiff[] {
  return recordsIn(content).flatMap((piece): readonly AgentDiff[] => {
    const path = words(piece['path']);
    const after = words(piece['newText']);
    if (piece['type'] !== 'diff' || path === undefined || after === undefined) return [];
    const before = words(piece['oldText']);
    return [{ path, ...optional({ before }), after }];
  });
}

export function pathsIn(locations: unknown): readonly string[] {
  return recordsIn(locations).flatMap((location) => words(location['path']) ?? []);
}

function rawText(output: unknown): string | undefined {
  if (typeof output === 'string') return output;
  return isJsonObject(output) ? words(output['output']) : undefined;
}

function planEntry(entry: Fields): { readonly text: string; readonly state: string } {
  return { text: shortWords(entry['content']) ?? '', state: shortWords(entry['status']) ?? 'pending' };
}

/** The cost is the session's total. The tokens are those currently in its context. */
function usageOf(update: Fields): AgentUpdate {
  const { used, cost } = update;
  const amount = isJsonObject(cost) && cost['currency'] === 'USD' ? cost['amount'] : undefined;
  return {
    type: 'usage',
    ...(isCount(used) && { used }),
    ...(isCount(amount) && { cost: amount }),
  };
}

function optionOf(option: Fields): AgentOption {
  const id = shortWords(option['id']) ?? '';
  const value = option['currentValue'];
  const category = shortWords(option['category']);
  const choices = recordsIn(option['options']).flatMap(choicesOf).slice(0, MOST_CHOICES);
  return {
    id,
    name: shortWords(option['name']) ?? id,
    ...optional({ category }),
    value: typeof value === 'boolean' ? value : (shortWords(value) ?? ''),
    ...(choices.length > 0 && { choices }),
  };
}

/** Choices may be grouped. */
function choicesOf(option: Fields): readonly AgentChoice[] {
  const group = recordsIn(option['options']);
  return (group.length > 0 ? group : [option]).flatMap((choice) => {
    const id = shortWords(choice['value']);
    return id === undefined ? [] : [{ id, name: shortWords(choice['name']) ?? id }];
  });
}

function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A list that the session's state keeps. */
function listed(value: unknown): readonly Fields[] {
  return recordsIn(value).slice(0, MOST_LISTED);
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A name or a line, unlike the text of a message or a result. */
function shortWords(value: unknown): string | undefined {
  return words(value)?.slice(0, LONGEST_LINE);
}

const MOST_LISTED = 500;
/** Some agents offer every model of a gateway. */
const MOST_CHOICES = 2000;
const LONGEST_LINE = 2000;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
