/**
 * A tool call in words: a verb, an object and a result, such as "Edited src/cart/total.ts +6 −3". Calls of one kind
 * merge into a count: "Read 4 files, searched 2".
 */
import type { CallFacts } from '../kernel/call.ts';
import type { RefusalCode } from '../kernel/event.ts';
import { argumentsOf } from '../views/call-arguments.ts';
import { hasCreated, linesChanged } from '../views/call-changes.ts';
import type { CallItem } from '../views/transcript-item.ts';
import { mainArgument } from '../views/main-argument.ts';
import { visibleLine } from '../views/visible-text.ts';
import { counted } from './counted.ts';

type CallKind = 'read' | 'search' | 'list' | 'fetch' | 'edit' | 'delete' | 'run' | 'delegate' | 'other';

interface KindWords {
  readonly done: string;
  readonly doing: string;
  /** Of a call that did nothing. Default: `done`. */
  readonly failed?: string;
  /** Completes a count, lower case: "searched 2". */
  readonly several: (count: number) => string;
}

const kinds: Readonly<Record<CallKind, KindWords>> = {
  read: {
    done: 'Read',
    doing: 'Reading',
    failed: "Couldn't read",
    several: (count) => `read ${counted(count, 'file')}`,
  },
  search: {
    done: 'Searched',
    doing: 'Searching',
    failed: "Couldn't search",
    several: (count) => `searched ${count}`,
  },
  list: {
    done: 'Listed',
    doing: 'Listing',
    failed: "Couldn't list",
    several: (count) => `listed ${counted(count, 'folder')}`,
  },
  fetch: {
    done: 'Fetched',
    doing: 'Fetching',
    failed: "Couldn't fetch",
    several: (count) => `fetched ${counted(count, 'page')}`,
  },
  edit: {
    done: 'Edited',
    doing: 'Editing',
    failed: "Couldn't edit",
    several: (count) => `edited ${counted(count, 'file')}`,
  },
  delete: {
    done: 'Deleted',
    doing: 'Deleting',
    failed: "Couldn't delete",
    several: (count) => `deleted ${counted(count, 'file')}`,
  },
  run: { done: 'Ran', doing: 'Running', several: (count) => `ran ${counted(count, 'command')}` },
  delegate: { done: 'Started workers', doing: 'Starting workers', several: () => 'started workers' },
  other: { done: 'Called', doing: 'Calling', several: (count) => `made ${counted(count, 'call')}` },
};

const kindOf: Readonly<Record<string, CallKind>> = {
  read: 'read',
  recall: 'read',
  grep: 'search',
  glob: 'search',
  web_search: 'search',
  list: 'list',
  web_fetch: 'fetch',
  edit: 'edit',
  write: 'edit',
  delete: 'delete',
  shell: 'run',
  run_tests: 'run',
  git_status: 'run',
  git_log: 'run',
  git_diff: 'run',
  git_commit: 'run',
  delegate: 'delegate',
};

/** A look at a file that isn't there is an answer, often before the file is written. */
export function isMissingFile({ tool, state }: Pick<CallItem, 'tool' | 'state'>): boolean {
  return state.type === 'failed' && state.code === 'not-found' && (tool === 'read' || tool === 'list');
}

/** The question and its answer already show what such a call did. */
export function isQuestionCall({ tool, state }: Pick<CallItem, 'tool' | 'state'>): boolean {
  return tool === 'ask_user' && state.type !== 'failed' && state.type !== 'refused';
}

/** A call that the end of its turn left out was refused by nobody. */
export function refusedVerb(code: RefusalCode): string {
  return code === 'limit' || code === 'interrupted' ? 'Left out' : 'Refused';
}

/** Around the name of a missing file. */
export const missingWords = { verb: 'Looked for', result: "doesn't exist" } as const;

/** Kinds that only look. Consecutive ones are one line. */
const lookups: ReadonlySet<CallKind> = new Set(['read', 'search', 'list', 'fetch']);

export function callKind(tool: string): CallKind {
  return kindOf[tool] ?? 'other';
}

export function isLookup(tool: string): boolean {
  return lookups.has(callKind(tool));
}

export interface CallWords {
  readonly kind: CallKind;
  readonly done: string;
  readonly doing: string;
  /** For a call that failed: it did nothing, or ran and failed. */
  readonly failed: string;
  /** The command, path, pattern or address. Whole, with hidden characters visible. */
  readonly object: string;
  readonly added: number;
  readonly removed: number;
}

type CallToWord = Pick<CallItem, 'tool' | 'state'> & { readonly facts?: Pick<CallFacts, 'segments'> };

/** `args`: the call's arguments as text, as far as they are known. */
export function callWords({ tool, state, facts }: CallToWord, args: string): CallWords {
  const kind = callKind(tool);
  const { added, removed } = linesChanged({ tool, state }, argumentsOf(args));
  return {
    kind,
    done: hasCreated({ tool, state }) ? 'Created' : kinds[kind].done,
    doing: kinds[kind].doing,
    failed: kinds[kind].failed ?? kinds[kind].done,
    object: objectOf(kind, tool, args, facts),
    added,
    removed,
  };
}

/** "Read 4 files, searched 2": each kind once, in the order of its first call. */
export function mergedWords(tools: readonly string[]): string {
  const counts = new Map<CallKind, number>();
  for (const tool of tools) counts.set(callKind(tool), (counts.get(callKind(tool)) ?? 0) + 1);
  const text = [...counts].map(([kind, count]) => kinds[kind].several(count)).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The result of a command in a few words: its exit code if that isn't 0, and what a test runner counted. */
export function commandResult(
  output: string,
  data: unknown,
): { readonly text: string; readonly isFailed: boolean } {
  const { exitCode, signal } = (data ?? {}) as { readonly exitCode?: number | null; readonly signal?: string };
  const isFailed = signal !== undefined || (typeof exitCode === 'number' && exitCode !== 0);
  const exit = signal === undefined ? `exit ${exitCode}` : `ended by ${signal}`;
  const tests = isFailed ? testCount(output, 'failed') : testCount(output, 'passed');
  return { text: [...(isFailed ? [exit] : []), ...(tests === undefined ? [] : [tests])].join(', '), isFailed };
}

/** The last count in the output: runners print their summary at the end. */
function testCount(output: string, word: 'passed' | 'failed'): string | undefined {
  const count = [...output.slice(-4000).matchAll(new RegExp(`\\b(\\d+) ${word}\\b`, 'g'))].at(-1)?.[1];
  return count === undefined || count === '0' ? undefined : `${count} ${word}`;
}

function objectOf(kind: CallKind, tool: string, args: string, facts?: Pick<CallFacts, 'segments'>): string {
  const given = argumentsOf(args);
  if (kind === 'delegate') return '';
  if (tool.startsWith('git_')) return visibleLine(tool.replace('_', ' '));
  if (tool === 'run_tests') return 'the tests';
  if (kind === 'list' && given !== undefined)
    return typeof given['path'] === 'string' ? visibleLine(given['path']) : '';
  const pattern = kind === 'search' ? given?.['pattern'] : undefined;
  const main = typeof pattern === 'string' ? pattern : mainArgument(args);
  const command =
    kind === 'run' && main === '' ? (facts?.segments ?? []).map(({ text }) => text).join(' && ') : main;
  const where =
    kind === 'search' && typeof given?.['path'] === 'string' && main !== given['path']
      ? ` in ${given['path']}`
      : '';
  const text = visibleLine(`${command}${where}`);
  return kind === 'other' ? `${tool} ${text}`.trimEnd() : text;
}
