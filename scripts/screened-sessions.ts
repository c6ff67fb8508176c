// Sessions in every state, for pictures of the web app.

import type { ServedApp } from '../test/browser/served-app.ts';

export const cart = `export function total(items: readonly Item[]) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export function discount(items: readonly Item[], rate: number) {
  return total(items) - total(items) * rate;
}
`;
const fixedCart = cart
  .replace('sum + item.price, 0', 'sum + toCents(item.price), 0')
  .replace('total(items) * rate', 'roundCents(total(items) * rate)');

/** Ids of the sessions that pictures show. */
export interface ScreenedSessions {
  readonly talk: string;
  readonly team: string;
  readonly external: string;
  readonly failed: string;
  readonly stopped: string;
  readonly empty: string;
  readonly share: string;
}

export async function fillStore(served: ServedApp): Promise<ScreenedSessions> {
  // From the first look at the list on, finished turns are unread.
  await served.call('GET', '/sessions/overview');
  const begin = async (title: string, text: string, options: Record<string, unknown> = {}) => {
    const id = await served.create({ agent: 'testing', title, ...options });
    if (text !== '') await served.chat(id, text);
    return id;
  };
  const reach = (id: string, lifecycle: string) =>
    until(
      async () => (await served.call<{ lifecycle: string }>('GET', `/sessions/${id}`)).lifecycle === lifecycle,
    );
  const done = async (title: string, text: string, options?: Record<string, unknown>) => {
    const id = await begin(title, text, options);
    await reach(id, 'idle');
    return id;
  };

  await done('Dark mode for invoices', 'say Both themes pass the contrast check. 3 screenshots attached.');
  await done('Document the webhooks API', 'say 12 endpoints documented, 1 without an example.');
  await done('مراجعة رسائل الخطأ', 'say تم تحديث 14 رسالة خطأ.');
  const failed = await done('Nightly dependency bump', 'fail Provider rate limit reached after 3 retries');
  const empty = await begin('Plan the next release', '');
  await begin('Write the 2.4 release notes', 'hang');
  const stopped = await begin('Try a virtual list for orders', 'hang');
  await reach(stopped, 'running');
  await served.call('POST', `/sessions/${stopped}/inputs`, { type: 'interrupt' });
  await reach(stopped, 'idle');
  await begin(
    'Clear out old builds',
    'call shell {"command":"du -sh dist && rm -rf dist/old && du -sh dist | tee clean.log"}\nsay done',
  );
  const edit = { path: 'src/cart.ts', edits: [{ old_text: 'item.price, 0', new_text: 'toCents(item.price), 0' }] };
  await begin('Move ingest to batched writes', `call edit ${JSON.stringify(edit)}\nsay done`);
  await begin('Install a package', 'call shell {"command":"npm install pg-copy-streams@6"}\nsay done');
  const question = {
    question: 'Which database should the audit log use?',
    options: ['SQLite', 'PostgreSQL', 'A file'],
  };
  await begin('Choose a store', `call ask_user ${JSON.stringify(question)}\nsay done`);
  const external = await begin(
    'Batched writes, second try',
    'plan Read the writer|Batch the writes|Run the tests\nsay I read the writer.\nedit notes.txt',
    {
      agent: 'codex',
    },
  );

  const ask = {
    question: 'How should totals of old orders be rounded?',
    options: ['Leave as they are', 'Recalculate all'],
  };
  const workers = [
    { name: 'migrations', objective: `call ask_user ${JSON.stringify(ask)}`, agent: 'testing' },
    { name: 'tests', objective: 'hang', agent: 'testing' },
    { name: 'docs', objective: 'say 1 page updated.', agent: 'testing' },
  ];
  const team = await begin(
    'Round the totals of old orders',
    `call read {"path":"src/cart.ts"}\ncall delegate ${JSON.stringify({ workers })}\nsay done`,
  );

  const talk = await done(
    'Cart total is off by a cent',
    'call read {"path":"src/cart.ts"}\ncall grep {"pattern":"total"}\ncall read {"path":"README.md"}\nsay `total` adds prices as floating-point numbers. Adding cents as integers is exact.',
    { worktree: true },
  );
  await served.chat(
    talk,
    `call write ${JSON.stringify({ path: 'src/cart.ts', content: fixedCart })}\ncall write ${JSON.stringify({ path: 'docs/cart.md', content: '# Cart\n\nTotals are counted in cents.\n' })}\nsay Done. All carts add up now.`,
  );
  await until(async () => {
    for (const id of await questionsOf(served, talk))
      await served.call('POST', `/questions/${id}/answer`, { choice: 'allow-once' });
    const { lifecycle } = await served.call<{ lifecycle: string }>('GET', `/sessions/${talk}`);
    return lifecycle === 'idle';
  });
  const { path: share } = await served.call<{ path: string }>('POST', `/sessions/${talk}/shares`, {});
  return { talk, team, external, failed, stopped, empty, share };
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
