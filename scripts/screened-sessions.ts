// Sessions in every state, for pictures of the web app.

import path from 'node:path';

import type { ServedApp } from '../test/browser/served-app.ts';
import type { FakeReply } from '../test/fixtures/fake-provider/fake-reply.ts';

export const cart = `export function total(items: readonly Item[]) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export function discount(items: readonly Item[], rate: number) {
  return total(items) - total(items) * rate;
}
`;
const fixes = [
  { old_text: 'sum + item.price, 0', new_text: 'sum + toCents(item.price), 0' },
  { old_text: 'total(items) * rate', new_text: 'roundCents(total(items) * rate)' },
];

/** Two priced models and two agents. The provider of the tests answers for both. */
export const screenedConfig = {
  endpoints: { local: { type: 'openai-compatible', baseUrl: '${OPENAI_BASE_URL}', apiKey: 'test' } },
  models: {
    'claude-sonnet-4-5': priced(3, 15),
    'gpt-5': priced(1.25, 10),
  },
  agents: {
    rondo: { description: 'Reads, changes and runs things in your project', model: 'claude-sonnet-4-5' },
    reviewer: { description: 'Reads only', model: 'gpt-5', tools: { only: ['read', 'grep', 'glob'] } },
  },
  defaultAgent: 'rondo',
};

function priced(input: number, output: number) {
  return {
    endpoint: 'local',
    model: 'gpt-test',
    contextTokens: 200_000,
    price: { input, output, cachedInput: input / 10 },
  };
}

/** Ids of the sessions that pictures show. */
export interface ScreenedSessions {
  readonly talk: string;
  readonly asking: string;
  readonly team: string;
  readonly external: string;
  readonly failed: string;
  readonly stopped: string;
  readonly empty: string;
  readonly undone: string;
  readonly share: string;
}

const used = (input: number, output: number, cached = input * 0.8) => ({ input, output, cached });
const call = (name: string, args: unknown) => ({ name, args });

/** Replies to each prompt, in order. */
const replies: Readonly<Record<string, readonly FakeReply[]>> = {
  'Add a dark theme for invoices.': [
    { text: 'Both themes pass the contrast check. 3 screenshots attached.', usage: used(61_000, 4_100) },
  ],
  'Document every endpoint of the webhooks API.': [
    { text: '12 endpoints documented, 1 without an example.', usage: used(88_000, 9_200) },
  ],
  'راجع رسائل الخطأ': [{ text: 'تم تحديث 14 رسالة خطأ.', usage: used(12_000, 900) }],
  'Update all dependencies.': [{ trouble: { type: 'status', status: 401, message: 'The API key has expired' } }],
  'Note the steps of a release.': [
    {
      calls: [call('write', { path: 'docs/release.md', content: '# Release\n\n1. Tag it.\n' })],
      usage: used(8_000, 200),
    },
    { text: 'The steps are in docs/release.md.', usage: used(9_000, 60) },
  ],
  'Check the rounding.': [
    {
      calls: [call('read', { path: 'src/cart.ts' }), call('shell', { command: 'echo " Tests  45 passed (45)"' })],
      usage: used(5_000, 90),
    },
    { text: 'All 45 tests pass.', usage: used(5_100, 30) },
  ],
  'Write the release notes of 2.4.': [
    { text: 'Reading 61 commits since 2.3. '.repeat(40), chunkMs: 900, usage: used(30_000, 900) },
  ],
  'Show orders in a virtual list.': [
    { text: 'I am replacing the order table with a virtual list. '.repeat(40), chunkMs: 900 },
  ],
  'Old builds fill the disk. Remove them.': [
    {
      text: 'The deploy step copies all of `dist`. Old bundles make it 1.2 GB.',
      calls: [call('shell', { command: 'du -sh dist && rm -rf dist/old && du -sh dist | tee clean.log' })],
      usage: used(9_000, 300),
    },
  ],
  'Count the cart in cents.': [
    {
      text: 'Adding cents as integers is exact.',
      calls: [
        call('edit', {
          path: 'src/cart.ts',
          edits: [{ old_text: 'sum + item.price, 0', new_text: 'sum + toCents(item.price), 0' }],
        }),
      ],
      usage: used(41_000, 2_000),
    },
  ],
  'Load rows with COPY.': [
    {
      text: 'COPY is about 8× faster than batched INSERT for this table.',
      calls: [call('shell', { command: 'npm install pg-copy-streams@6' })],
      usage: used(22_000, 700),
    },
  ],
  'Add an audit log.': [
    {
      calls: [
        call('ask_user', {
          question: 'Which database should the audit log use?',
          options: ['SQLite', 'PostgreSQL', 'A file'],
        }),
      ],
      usage: used(14_000, 500),
    },
  ],
  'Round the totals of old orders. Split it: migrations, tests and docs at once.': [
    {
      text: "Three parts don't depend on each other, so three workers take them.",
      calls: [
        call('read', { path: 'src/cart.ts' }),
        call('delegate', {
          workers: [
            { name: 'migrations', objective: 'Plan the migration of stored totals.' },
            { name: 'tests', objective: 'Test old carts.' },
            { name: 'docs', objective: 'Document the rounding.' },
          ],
        }),
      ],
      usage: used(52_000, 1_900),
    },
  ],
  'Plan the migration of stored totals.': [
    {
      calls: [
        call('ask_user', {
          question: 'How should totals of old orders be rounded?',
          options: ['Leave as they are', 'Recalculate all 318', 'Open orders only'],
        }),
      ],
      usage: used(36_000, 900),
    },
  ],
  'Test old carts.': [{ text: 'Running 214 tests. '.repeat(60), chunkMs: 900, usage: used(60_000, 1_000) }],
  'Document the rounding.': [{ text: '1 page updated.', usage: used(18_000, 400) }],
  'The total of a cart is off by a cent now and then. Find out why.': [
    {
      calls: [
        call('read', { path: 'src/cart.ts' }),
        call('grep', { pattern: 'total' }),
        call('read', { path: 'README.md' }),
      ],
      usage: used(31_000, 600),
    },
    {
      text: `\`total\` adds prices as floating-point numbers. \`0.1 + 0.2\` gives \`0.30000000000000004\`, so a cart with three items can show one cent too much. The fix:

- add cents as integers and divide once, at the end
- round discounts with the same helper
- cover both with a table of 14 carts

| prices | today | in cents |
|---|---:|---:|
| 0.10, 0.20 | 0.30000000000000004 | 0.30 |
| 19.99 × 3 | 59.97 | 59.97 |`,
      usage: used(33_000, 1_400),
    },
  ],
  'Fix it and document it.': [
    {
      text: 'I change both functions and add a page.',
      calls: [
        call('edit', { path: 'src/cart.ts', edits: fixes }),
        call('write', { path: 'docs/cart.md', content: '# Cart\n\nTotals are counted in cents.\n' }),
      ],
      usage: used(38_000, 1_200),
    },
    {
      text: `Done. All carts add up now:

\`\`\`ts
export function total(items: readonly Item[]) {
  return items.reduce((sum, item) => sum + toCents(item.price), 0);
}
\`\`\``,
      usage: used(41_000, 800),
    },
  ],
};

export async function fillStore(served: ServedApp): Promise<ScreenedSessions> {
  const given = new Map<string, number>();
  served.provider.respond(({ lastUserText }) => {
    const prompt = Object.keys(replies).find((one) => lastUserText.includes(one)) ?? '';
    const at = given.get(prompt) ?? 0;
    given.set(prompt, at + 1);
    return replies[prompt]?.[at] ?? { text: 'Done.', usage: used(1_000, 10) };
  });
  // From the first look at the list on, finished turns are unread.
  await served.call('GET', '/sessions/overview');
  const at = (name: string) => ({ cwd: path.join(path.dirname(served.project), name) });
  const begin = async (title: string, text: string, options: Record<string, unknown> = {}) => {
    const id = await served.create({ title, ...options });
    if (text !== '') await served.chat(id, text);
    return id;
  };
  const lifecycle = async (id: string) =>
    (await served.call<{ lifecycle: string }>('GET', `/sessions/${id}`)).lifecycle;
  const reach = (id: string, wanted: string) => until(async () => (await lifecycle(id)) === wanted);
  const done = async (title: string, text: string, options?: Record<string, unknown>) => {
    const id = await begin(title, text, options);
    await reach(id, 'idle');
    return id;
  };

  await done('Dark mode for invoices', 'Add a dark theme for invoices.');
  await done('Document the webhooks API', 'Document every endpoint of the webhooks API.', {
    model: 'gpt-5',
    ...at('harbor-docs'),
  });
  await done('مراجعة رسائل الخطأ', 'راجع رسائل الخطأ', { model: 'gpt-5' });
  const failed = await done('Nightly dependency bump', 'Update all dependencies.', at('kestrel'));
  const empty = await begin('Plan the next release', '');
  await begin('Write the 2.4 release notes', 'Write the release notes of 2.4.', { worktree: true });
  const stopped = await begin('Try a virtual list for orders', 'Show orders in a virtual list.');
  await reach(stopped, 'running');
  await served.call('POST', `/sessions/${stopped}/inputs`, { type: 'interrupt' });
  await reach(stopped, 'idle');
  await begin('Clear out old builds', 'Old builds fill the disk. Remove them.');
  const asking = await begin('Count the cart in cents', 'Count the cart in cents.', { mode: 'supervised' });
  await begin('Move ingest to batched writes', 'Load rows with COPY.', { model: 'gpt-5', ...at('tidepool') });
  await begin('Choose a store for the audit log', 'Add an audit log.');
  const external = await begin(
    'Batched writes, second try',
    'plan Read the writer|Batch the writes|Run the tests\nsay I read the writer.\nedit notes.md Writes are batched by 500 rows.',
    { agent: 'codex', ...at('tidepool') },
  );
  const team = await begin(
    'Round the totals of old orders',
    'Round the totals of old orders. Split it: migrations, tests and docs at once.',
  );
  const talk = await done(
    'Cart total is off by a cent',
    'The total of a cart is off by a cent now and then. Find out why.',
    { worktree: true },
  );
  await served.chat(talk, 'Fix it and document it.');
  const allow = (id: string, choice: 'allow-once' | 'allow-always') =>
    until(async () => {
      for (const question of await questionsOf(served, id))
        await served.call('POST', `/questions/${question}/answer`, { choice });
      return (await lifecycle(id)) === 'idle';
    });
  await allow(talk, 'allow-once');
  // Its saved rule is in the settings.
  await allow(
    await begin('Note the release steps', 'Note the steps of a release.', at('kestrel')),
    'allow-always',
  );
  const undone = await done('Check the rounding of discounts', 'Check the rounding.');
  const { seq } = await served.call<{ seq: number }>('GET', `/sessions/${undone}`);
  await served.chat(undone, 'Try another helper.');
  await until(async () => (await served.call<{ seq: number }>('GET', `/sessions/${undone}`)).seq > seq + 1);
  await reach(undone, 'idle');
  await served.call('POST', `/sessions/${undone}/rewind`, { to: seq });
  const { path: share } = await served.call<{ path: string }>('POST', `/sessions/${talk}/shares`, {});
  return { talk, asking, team, external, failed, stopped, empty, undone, share };
}

async function questionsOf(served: ServedApp, session: string): Promise<readonly string[]> {
  const { questions } = await served.call<{ questions: readonly { id: string; session: string }[] }>(
    'GET',
    '/questions',
  );
  return questions.filter((question) => question.session === session).map(({ id }) => id);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('A session did not reach its state within 15 s.');
}
