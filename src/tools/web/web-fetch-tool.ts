import { z } from 'zod';

import type { ToolResult } from '../../kernel/outcome.ts';
import type { Tool } from '../../ports/tool.ts';
import { builtinTool, problemFacts } from '../define/builtin-tool.ts';
import { htmlToText } from './html-to-text.ts';
import { type HttpAnswer, httpGet, httpTarget } from './http-get.ts';
import { failure } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    url: z.string().min(1).max(4_000).describe('An http or https address.'),
    offset: z.int().min(0).optional().describe('The first character to show, to read on in a long page.'),
  });

export interface WebFetchOptions {
  readonly timeoutMs?: number;
  /** The maximum number of characters shown of a page. */
  readonly maxCharacters?: number;
  /** Whether this machine and the local network may be reached. Default: refused. */
  readonly privateHosts?: 'refused' | 'allowed';
}

const TIMEOUT = 10_000;
const SHOWN = 10_000;
const MOST_BYTES = 5_000_000;

/** Fetches a page as text. */
export function createWebFetchTool(options: WebFetchOptions = {}): Tool {
  const { timeoutMs = TIMEOUT, maxCharacters = SHOWN, privateHosts = 'refused' } = options;
  return builtinTool({
    name: 'web_fetch',
    description: `Fetches a web page and gives its text, ${maxCharacters} characters at a time. Local addresses are refused.`,
    schema,
    describe: (args) => {
      const target = httpTarget(args.url, { privateHosts });
      if (target.type === 'failed' && target.code === 'bad-url')
        return problemFacts(target.code, `${target.message}.`);
      const { href, origin } = new URL(args.url);
      return {
        access: 'network',
        urls: [href],
        ...(target.type === 'failed' && {
          dangers: [{ rule: target.code, severity: 'deny' as const, reason: `${target.message}.` }],
        }),
        grants: target.type === 'failed' ? [] : [`web_fetch(${origin}/*)`],
        repeat: 'safe',
        order: 'parallel',
        runs: 'tool',
      };
    },
    run: async (args, context) => {
      const answer = await httpGet({
        url: args.url,
        signal: context.signal,
        timeoutMs,
        maxBytes: MOST_BYTES,
        privateHosts,
      });
      return fetchResult(answer, args.offset ?? 0, maxCharacters);
    },
  });
}

function fetchResult(answer: HttpAnswer, offset: number, length: number): ToolResult {
  switch (answer.type) {
    case 'cancelled':
      return { type: 'cancelled' };
    case 'failed':
      return failure(answer.code, `${answer.message}.`, {
        retryable: answer.code === 'timed-out' || answer.code === 'unreachable',
      });
    case 'redirected':
      return failure(
        'redirected',
        `The page redirects to another host: ${answer.to}. Fetch that URL if it is the right one.`,
      );
    case 'answered': {
      const kind = answer.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
      const text = textOf(answer.body, kind, answer.contentType);
      if (text === undefined)
        return failure(
          'not-text',
          `${answer.url} is ${kind === '' ? 'not text' : kind} (${answer.body.length} bytes), not text.`,
        );
      if (answer.status >= 400) {
        return failure('http-error', `${answer.url} returned status ${answer.status}. ${text.slice(0, 500)}`, {
          retryable: answer.status === 429 || answer.status >= 500,
        });
      }
      const part = text.slice(offset, offset + length);
      const more = text.length > offset + length;
      const note = more
        ? `\n\n[Characters ${offset}–${offset + part.length} of ${text.length}. Read on with offset ${offset + part.length}.]`
        : '';
      return {
        type: 'success',
        output: `${part === '' ? '[Empty]' : part}${note}`,
        data: {
          url: answer.url,
          status: answer.status,
          contentType: kind,
          characters: text.length,
          truncated: more || answer.truncated,
        },
      };
    }
  }
}

function textOf(body: Buffer, kind: string, contentType: string): string | undefined {
  const isText =
    kind === ''
      ? !body.includes(0)
      : /^text\/|[/+](?:json|xml|javascript|yaml|x-yaml|toml|x-sh|graphql)$/.test(kind);
  if (!isText) return undefined;
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const text = decoderFor(charset).decode(body);
  return kind === 'text/html' ||
    kind === 'application/xhtml+xml' ||
    (kind === '' && /^\s*<(?:!doctype|html)/i.test(text))
    ? htmlToText(text)
    : text;
}

function decoderFor(charset: string): { decode(body: Buffer): string } {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder('utf-8');
  }
}
