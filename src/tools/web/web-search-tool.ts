import { z } from 'zod';

import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';
import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { httpGet } from './http-get.ts';
import { failure } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    query: z.string().min(1).max(400).describe('What to look for.'),
    count: z.int().min(1).max(20).optional().describe('How many results. Default 8.'),
  });

/** A search service that answers a GET with JSON, such as SearXNG, Brave, Google or Bing. */
export interface SearchProvider {
  /** `{query}` and `{count}` are placeholders, for example `https://searx.example/search?format=json&q={query}`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT = 10_000;

/** Searches the web through the configured provider. */
export function createWebSearchTool(
  options: { readonly provider?: SearchProvider; readonly timeoutMs?: number } = {},
): Tool {
  const { provider, timeoutMs = TIMEOUT } = options;
  return builtinTool({
    name: 'web_search',
    description: 'Searches the web and gives titles, addresses and short extracts. Use web_fetch to read a page.',
    schema,
    describe: () => ({
      access: 'network',
      // Without query and key, which no rule needs and which may be secret.
      ...(provider !== undefined && { urls: [plainAddress(provider.url)] }),
      grants: ['web_search'],
      repeat: 'safe',
      order: 'parallel',
      runs: 'tool',
    }),
    run: async (args, context) => {
      if (provider === undefined) return failure('not-configured', NOT_CONFIGURED);
      const count = args.count ?? 8;
      const url = provider.url
        .replaceAll('{query}', encodeURIComponent(args.query))
        .replaceAll('{count}', String(count));
      const answer = await httpGet({
        url,
        headers: { accept: 'application/json', ...provider.headers },
        signal: context.signal,
        timeoutMs,
        maxBytes: 2_000_000,
        // The user chose this URL, not the model.
        privateHosts: 'allowed',
      });
      if (answer.type === 'cancelled') return { type: 'cancelled' };
      if (answer.type === 'redirected')
        return failure(
          'redirected',
          'The search provider redirects to another host. Correct its URL (tools.webSearch) in the configuration.',
        );
      if (answer.type === 'failed')
        return failure(answer.code, `Can't reach the search provider: ${answer.message}.`, {
          retryable: true,
        });
      if (answer.status !== 200) {
        return failure('http-error', `The search provider returned status ${answer.status}.`, {
          retryable: answer.status === 429 || answer.status >= 500,
        });
      }
      const results = resultsIn(answer.body.toString('utf8')).slice(0, count);
      const lines = results.map(
        ({ title, url: address, extract }, index) =>
          `${index + 1}. ${title}\n   ${address}${extract === '' ? '' : `\n   ${extract}`}`,
      );
      return {
        type: 'success',
        output: lines.length === 0 ? '[No results]' : lines.join('\n'),
        data: { results },
      };
    },
  });
}

const NOT_CONFIGURED =
  'No search provider is configured. The user can set one in rondo.json as tools.webSearch: { "url": "https://…?q={query}", "headers": { … } } ' +
  '(SearXNG, Brave or another that returns JSON). Until then, use web_fetch with a known URL.';

interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly extract: string;
}

const entry = z.looseObject({
  title: z.string().catch(''),
  name: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  link: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  snippet: z.string().optional().catch(undefined),
  content: z.string().optional().catch(undefined),
});
const entries = z.array(entry);
// Where the known services put their results.
const lists = [
  ['results'],
  ['web', 'results'],
  ['items'],
  ['organic'],
  ['organic_results'],
  ['webPages', 'value'],
  ['data'],
];

function resultsIn(text: string): readonly SearchResult[] {
  const answer = jsonIn(text);
  for (const keys of lists) {
    const list = keys.reduce<unknown>((value, key) => fieldsOf(value)[key], answer);
    const checked = entries.safeParse(list);
    if (!checked.success) continue;
    return checked.data.flatMap((one) => {
      const url = one.url ?? one.link;
      if (url === undefined) return [];
      const extract = (one.description ?? one.snippet ?? one.content ?? '')
        .replaceAll(/(?:<[^>]*>|\s)+/g, ' ')
        .trim();
      return [{ title: one.title === '' ? (one.name ?? url) : one.title, url, extract: extract.slice(0, 500) }];
    });
  }
  return [];
}

function plainAddress(url: string): string {
  const bare = url.replace(/[?#].*$/s, '');
  return URL.canParse(bare) ? new URL(bare).href : bare;
}
