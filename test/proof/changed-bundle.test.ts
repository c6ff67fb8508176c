// A bundle that was edited and resealed is refused with a reason, or gives a session that can be read, exported,
// replayed, forked, compacted and continued.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, describe, expect, test, vi } from 'vitest';

import type { StoredRecord } from '../../src/ports/stored-record.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { storedTransitions } from '../../src/upkeep/journal-transitions.ts';
import { replay } from '../../src/upkeep/replay.ts';
import { openTalkingRondo } from './bad-input-places.ts';
import { bundleOfRecords, rewritings, rewritten } from './changed-bundle.ts';
import { createTriedInputs, patienceMs } from './tried-inputs.ts';

vi.setConfig({ testTimeout: patienceMs });

const tried = createTriedInputs();
const endings = { imported: 0, refused: 0 };
afterAll(
  () =>
    void process.stdout.write(
      `${tried.report()}; ${endings.imported} bundles imported and used, ${endings.refused} refused\n`,
    ),
);

const golden = path.resolve(import.meta.dirname, '../golden');
const journal = (name: string) =>
  readFileSync(path.join(golden, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as StoredRecord);

describe('a bundle that was changed and sealed again is refused, or makes a session that can be used', () => {
  test.each([
    ['of a short talk', talkedBundle],
    ['with every event there is', async () => bundleOfRecords([journal('v0.3')])],
    ['of a fork', async () => bundleOfRecords([journal('v0.3-fork'), journal('v0.3')])],
    ['of an older release', async () => bundleOfRecords([journal('v0.1')])],
  ])('[C120] [P10] %s', async (name, make) => {
    const bundle = await make();
    expect(await used(bundle)).toBe('imported');
    const crash = await tried.crashOf(
      `bundles ${name}`,
      rewritings,
      async (changes) => {
        endings[await used(rewritten(bundle, changes))] += 1;
        return true;
      },
      0.25,
    );
    expect(crash).toBeUndefined();
  });
});

async function talkedBundle(): Promise<string> {
  await using here = await openTalkingRondo();
  const talked = await here.rondo.sessions.create({ agent: 'testing' });
  await talked.chat('call look {}\nsay seen');
  await talked.chat('call touch {"path":"a"}\nsay done');
  const { pieces } = await here.rondo.sessions.export(talked.id);
  return (await Array.fromAsync(pieces)).join('');
}

/** Throws unless the bundle is imported or refused with a reason. */
async function used(bundle: string): Promise<'imported' | 'refused'> {
  await using there = await openTalkingRondo();
  const { rondo, store } = there;
  const { sessions } = rondo;
  let main: SessionId | undefined;
  try {
    const report = await sessions.import(async function* () {
      yield bundle;
    });
    main = report.sessions[0]?.session;
  } catch (error) {
    const { name, message } = error as Error;
    const isReasoned = name === 'Fault' && /^Can.t import a bundle: .*session \w+.*\./s.test(message);
    if (!isReasoned || (await store.upkeep.sessions()).length > 0) throw error;
    return 'refused';
  }
  if (main === undefined) throw new Error('An import without a session.');
  const session = await sessions.open(main);
  await session.status();
  await session.transcript();
  await session.events({ after: 0 });
  await session.result();
  for (const format of ['markdown', 'json', 'bundle'] as const) {
    const { pieces } = await sessions.export(main, { format });
    await Array.fromAsync(pieces);
  }
  await Array.fromAsync(replay(storedTransitions(store, main), { session: main }));
  await sessions.continue(main, { agent: 'testing' });
  const fork = await session.fork();
  await fork.send({ type: 'agent', agent: 'testing' });
  await fork.compact();
  await fork.chat('say on');
  await session.interrupt();
  return 'imported';
}
