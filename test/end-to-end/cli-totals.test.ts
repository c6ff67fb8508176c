// Usage of a session and its sub-agent, through the real binary: the same sum everywhere.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace } from './cli-process.ts';

interface Used {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly children?: Used;
}

const figures = ({ inputTokens, outputTokens, cost, children }: Used) => ({
  tokens: inputTokens + outputTokens,
  cost,
  children: children === undefined ? 0 : children.inputTokens + children.outputTokens,
});

test('[C138] a parent of 500 tokens and a child of 500 are 1,000 in run, ls, show, /usage and over HTTP', async () => {
  await using provider = await startFakeProvider({ strict: true });
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    endpoints: { fake: { type: 'openai-compatible', baseUrl: `${provider.url}/v1` } },
    models: { priced: { endpoint: 'fake', model: 'fake-model', price: { input: 1000, output: 1000 } } },
    agents: { main: { model: 'priced' } },
    defaultAgent: 'main',
  });
  expect((await place.rondo('trust', '--yes')).code).toBe(0);
  const workers = [{ name: 'child', objective: 'say ok' }];
  provider.reply(
    { calls: [{ name: 'delegate', args: { workers } }], usage: { input: 200, output: 50 } },
    { text: 'ok', usage: { input: 400, output: 100 } },
    { text: 'done', usage: { input: 200, output: 50 } },
  );
  const ended = await place.rondo('run', '--json', '--allow', 'delegate', 'delegate it');
  expect({ code: ended.code, unused: provider.unused }).toEqual({ code: 0, unused: 0 });
  const result = JSON.parse(ended.out.trimEnd().split('\n').at(-1) ?? '') as { session: string; usage: Used };
  const all = { tokens: 1000, cost: 1, children: 500 };
  expect(figures(result.usage)).toEqual(all);

  const { sessions } = (await place.json('ls')) as { sessions: readonly (Used & { session: string })[] };
  expect(sessions.map(figures).toSorted((a, b) => b.tokens - a.tokens)).toEqual([
    all,
    { tokens: 500, cost: 0.5, children: 0 },
  ]);
  expect((await place.rondo('ls')).out).toContain('$1.00 (sub-agents $0.50)');

  const shown = (await place.json('show', result.session)) as { status: { usage: Used } };
  expect(figures(shown.status.usage)).toEqual(all);
  const usage = (await place.json('show', result.session, '--usage')) as Report;
  expect(reported(usage)).toEqual({ all: 1000, own: 500, below: [{ name: 'child', tokens: 500 }] });
  const table = (await place.rondo('run', '--session', result.session, '/usage')).out;
  expect(
    table
      .split('\n')
      .map((line) => line.split('\t').slice(0, 5))
      .slice(0, 3),
  ).toEqual([
    ['session', '800', '200', '0', '$1.00'],
    ['itself', '400', '100', '0', '$0.50'],
    [expect.stringMatching(/^sub-agent child \(.*s\)$/), '400', '100', '0', '$0.50'],
  ]);

  const server = place.start(['serve', '--port', '0']);
  await server.saw('#token=');
  const { origin } = new URL(((await place.json('token', 'link')) as { url: string }).url);
  const token = (await readFile(path.join(place.home, '.rondo/token'), 'utf8')).trim();
  const get = async (route: string): Promise<unknown> => {
    const answer = await fetch(`${origin}/api/v1${route}`, { headers: { authorization: `Bearer ${token}` } });
    return answer.json();
  };
  const status = (await get(`/sessions/${result.session}`)) as { usage: Used };
  expect(figures(status.usage)).toEqual(all);
  expect(reported((await get(`/usage?session=${result.session}`)) as Report)).toEqual(reported(usage));
  const bySession = (await get('/usage?by=session')) as { totals: Used; rows: readonly { totals: Used }[] };
  expect(figures(bySession.totals)).toEqual({ ...all, children: 0 });
  expect(bySession.rows.map(({ totals }) => figures(totals))).toEqual([all]);
});

interface Report {
  readonly totals: Used;
  readonly own: Used;
  readonly workers: readonly { readonly name: string; readonly totals: Used }[];
}

function reported({ totals, own, workers }: Report) {
  const below = workers.map(({ name, totals: used }) => ({ name, tokens: figures(used).tokens }));
  return { all: figures(totals).tokens, own: figures(own).tokens, below };
}
