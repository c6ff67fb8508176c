/**
 * Why a turn failed, for people: a heading, and one sentence with the cause and the next step. A provider's JSON is
 * never shown. The full record stays in the journal.
 */
import type { FailureCode } from '../kernel/outcome.ts';
import { capital } from './capital.ts';
import { dollarsText } from './cost.ts';
import { grouped } from './counted.ts';

export interface FailureWords {
  readonly heading: string;
  readonly text: string;
}

interface FailureRecord {
  /** Undefined for a timeout. */
  readonly code: FailureCode | undefined;
  readonly message: string;
}

export function failureWords({ code, message }: FailureRecord): FailureWords {
  const limit = /^The turn reached its limit: [\w-]+ ([\d.]+)\.$/.exec(message)?.[1];
  if (limit !== undefined && code?.startsWith('limit-') === true) {
    const amount = code === 'limit-cost' ? dollarsText(Number(limit)) : grouped(Number(limit));
    return { heading: `${headingOf(code, message)}: ${amount}`, text: '' };
  }
  const heading = headingOf(code, message);
  const text = plainMessage(message);
  return { heading, text: text === heading ? '' : text };
}

function headingOf(code: FailureCode | undefined, message: string): string {
  switch (code) {
    case undefined:
      return 'Timed out';
    case 'model-auth':
      return 'The provider refused the key';
    case 'model-rate-limited':
      return /no credit/i.test(message) ? 'No credit left' : 'Rate limit reached';
    case 'model-unavailable':
    case 'errors-in-row':
      return `${providerIn(message)} isn't answering`;
    case 'model-invalid':
      return 'The provider refused the request';
    case 'model-refused':
      return 'The model refused';
    case 'model-context-full':
      return "The conversation doesn't fit the model";
    case 'agent-unavailable':
    case 'agent-failed':
    case 'agent-timeout':
      return 'The agent failed';
    case 'limit-cost':
      return 'Cost limit reached';
    case 'limit-tokens':
      return 'Token limit reached';
    case 'limit-steps':
      return 'Step limit reached';
    case 'limit-tool-calls':
      return 'Tool call limit reached';
    case 'limit-wall-time':
      return 'Time limit reached';
    case 'limit-rejections':
    case 'limit-denials':
    case 'limit-children':
      return 'Limit reached';
    case 'looping':
    case 'stuck':
      return 'Going in circles';
    case 'crash-loop':
      return 'Stopped after several crashes';
    case 'compaction-failed':
      return 'The summary failed';
    case 'task-failed':
    case 'task-refused':
    case 'tool-only':
    case 'job-failed':
    case 'reply-rejected':
    case 'fault':
      return 'Failed';
  }
}

/** `Anthropic answered 529: Overloaded. Retry later.` for what models, retries and breakers record about a call. */
function plainMessage(message: string): string {
  // The message of repeated calls ends with the last failure.
  const cause = message.replace(/^.*(?:Last failure|the last|Whole reply): /s, '');
  const call = /^Calling \S+ at (\S+) failed: (?:(\d{3})\b)?(.*)$/s.exec(cause);
  if (call === null) return joined(withoutJson(cause));
  const [, address = '', status, rest = ''] = call;
  const who = providerIn(cause);
  const detail = joined(withoutJson(rest));
  if (status === undefined) return `${who} can't be reached at ${hostOf(address)}: ${detail}`;
  return `${who} answered ${status}${detail === '' ? '.' : `: ${detail}`}`;
}

/** The provider of the model that a message names. */
function providerIn(message: string): string {
  const [, name] = /(?:^|[\s(])([\w.-]+)\/[\w.:-]+(?: |$)/.exec(message.replaceAll(/https?:\S+/g, '')) ?? [];
  if (name === undefined) return 'The provider';
  return { openai: 'OpenAI', 'openai-compatible': 'The model server' }[name] ?? capital(name);
}

const longest = 400;

function joined(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** An error body is replaced by its message. */
function withoutJson(text: string): string {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return text;
  try {
    const inner = messageIn(JSON.parse(text.slice(from, to + 1)));
    return `${text.slice(0, from)}${inner}${text.slice(to + 1)}`.replace(/\s+([.:])/g, '$1');
  } catch {
    return text;
  }
}

function messageIn(body: unknown): string {
  if (typeof body === 'string') return body;
  const { error, message } = (body ?? {}) as { readonly error?: unknown; readonly message?: unknown };
  if (typeof message === 'string') return withoutJson(message);
  return error === undefined ? '' : messageIn(error);
}
