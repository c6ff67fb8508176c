import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createFileCheckpoints, type FileCheckpoints } from '../../assembly/sessions/file-checkpoints.ts';
import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { watchedModel } from '../../testing/watched-model.ts';

/** Files in a folder, and a session there whose second turn changed them. */
async function setUp({ inRepository, store }: { readonly inRepository: boolean; readonly store: MemoryStore }) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'rondo-restore-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cwd = path.join(home, 'project');
  const at = (name: string) => path.join(cwd, name);
  mkdirSync(cwd);
  writeFileSync(at('pot.txt'), 'clay\n');
  writeFileSync(at('cup.txt'), 'clay\n');
  if (inRepository) execFileSync('git', ['init', '-q'], { cwd, stdio: 'pipe' });
  const names = ['cup.txt', 'lid.txt', 'pot.txt'];
  const files = () =>
    Object.fromEntries(
      names.filter((name) => existsSync(at(name))).map((name) => [name, readFileSync(at(name), 'utf8')]),
    );
  const paint = {
    ...testTool('paint', () => {
      writeFileSync(at('pot.txt'), 'red\n');
      rmSync(at('cup.txt'));
      writeFileSync(at('lid.txt'), 'red\n');
      return 'painted';
    }),
    describe: () =>
      ({
        access: 'write',
        repeat: 'never',
        order: 'exclusive',
        runs: 'tool',
        paths: names.map((name) => ({ path: at(name), access: 'write', inside: true }) as const),
      }) as const,
  };
  const { model, messages } = watchedModel();
  const kept = createFileCheckpoints({ home });
  const open = (of: MemoryStore, checkpoints: Partial<FileCheckpoints> = {}) =>
    rondoOfTest({
      store: of,
      agents: { a: {} },
      models: { m: model },
      tools: [paint],
      approve: 'all',
      checkpoints: { ...kept, ...checkpoints },
    });
  const begin = async (checkpoints: Partial<FileCheckpoints> = {}) => {
    const session = await (await open(store, checkpoints)).sessions.create({ cwd });
    await session.chat('say one');
    const { seq } = await session.status();
    await session.chat('call paint {}\nsay painted');
    expect(files()).toEqual(painted);
    return { session, seq };
  };
  return { at, files, kept, open, begin, messages };
}

const clay = { 'cup.txt': 'clay\n', 'pot.txt': 'clay\n' };
const painted = { 'lid.txt': 'red\n', 'pot.txt': 'red\n' };
const restored = { type: 'restored', restored: ['cup.txt', 'pot.txt'], removed: ['lid.txt'], blocked: [] };

const moments = [
  'after the intent',
  'once the files are kept',
  'once that is recorded',
  'in the middle of the restore',
  'before the settlement',
] as const;

describe.each(moments)('a rewind whose process dies %s', (moment) => {
  test.each([true, false])(
    '[C119][P1][P2] is finished once by the next opener, and undo restores the files (repository: %s)',
    async (inRepository) => {
      const store = createMemoryStore();
      const { at, files, kept, open, begin } = await setUp({ inRepository, store });
      const dead = Promise.withResolvers<void>();
      const die = (): Promise<never> => {
        store.crash();
        dead.resolve();
        return new Promise(() => {});
      };
      const { session, seq } = await begin({
        async takeBefore(...given) {
          if (moment === 'after the intent') return die();
          const before = await kept.takeBefore(...given);
          return moment === 'once the files are kept' ? die() : before;
        },
        async restore(...given) {
          if (moment === 'in the middle of the restore') {
            writeFileSync(at('cup.txt'), 'clay\n');
            rmSync(at('lid.txt'));
          }
          if (moment === 'before the settlement') await kept.restore(...given);
          return die();
        },
      });
      void session.rewind({ to: seq, key: 'k' }).catch(() => undefined);
      await dead.promise;

      let restores = 0;
      const second = await open(store.another(), {
        restore(...given) {
          restores += 1;
          return kept.restore(...given);
        },
      });
      const reopened = await second.sessions.open(session.id);
      expect(await reopened.rewind({ to: seq, key: 'k' })).toEqual({
        type: 'rewound',
        conversation: seq,
        files: { type: 'restored-before' },
      });
      expect([files(), restores]).toEqual([clay, 1]);
      const { events } = await reopened.events({ after: 0 });
      const of = (type: string) => events.filter(({ event }) => event.type === type);
      expect(of('restore-intended').length).toBe(1);
      expect(of('rewound').length).toBe(1);
      // One checkpoint for the turn that painted, and one before the restore.
      expect(of('checkpoint-taken').length).toBe(2);
      expect(of('files-restored')).toMatchObject([
        {
          event: {
            changed: JSON.stringify({ restored: ['cup.txt', 'pot.txt'], removed: ['lid.txt'], blocked: [] }),
          },
        },
      ]);

      expect(await reopened.rewind({ to: 'undo' })).toMatchObject({
        type: 'rewound',
        files: { type: 'restored' },
      });
      expect(files()).toEqual(painted);
    },
  );
});

test('[C119][P2] a prompt that comes during a restore gets its turn afterwards, and a second rewind is refused', async () => {
  const { kept, begin, files, messages } = await setUp({ inRepository: true, store: createMemoryStore() });
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { session, seq } = await begin({
    async restore(...given) {
      begun.resolve();
      await go.promise;
      return kept.restore(...given);
    },
  });
  const rewound = session.rewind({ to: seq });
  await begun.promise;
  const replied = session.chat('say on');
  await expect.poll(async () => (await session.status()).queue.prompts.length).toBe(1);
  expect(await session.status()).toMatchObject({ lifecycle: 'running', doing: [{ words: 'restoring files' }] });
  expect((await session.status()).turn).toBeUndefined();
  expect(await session.send({ type: 'rewind', to: seq })).toMatchObject({ refusal: { code: 'conflict' } });
  const second = session.rewind({ to: seq });
  go.resolve();

  expect(await second).toMatchObject({ refusal: { code: 'conflict' } });
  expect(await rewound).toEqual({ type: 'rewound', conversation: seq, files: restored });
  expect(await replied).toMatchObject({ outcome: 'completed', text: 'on' });
  expect(files()).toEqual(clay);
  expect(messages().map(({ role, ...rest }) => [role, 'text' in rest ? rest.text : ''])).toEqual([
    ['user', 'say one'],
    ['assistant', 'one'],
    ['user', 'say on'],
  ]);
});

test('[C119][P4][O1] a rewind from another process runs in the owner; if that dies, in the process that waits', async () => {
  const store = createMemoryStore();
  const { kept, begin, open, files } = await setUp({ inRepository: true, store });
  const ran: string[] = [];
  let isDying = false;
  const { session, seq } = await begin({
    restore(...given) {
      ran.push('owner');
      if (!isDying) return kept.restore(...given);
      store.crash();
      return new Promise(() => {});
    },
  });
  const remote = await open(store.another(), {
    restore(...given) {
      ran.push('remote');
      return kept.restore(...given);
    },
  });
  const far = await remote.sessions.open(session.id);
  expect(await far.rewind({ to: seq })).toEqual({ type: 'rewound', conversation: seq, files: restored });
  expect([ran, files()]).toEqual([['owner'], clay]);

  isDying = true;
  expect(await far.rewind({ to: 'undo' })).toMatchObject({ type: 'rewound', files: { type: 'restored' } });
  expect([ran, files()]).toEqual([['owner', 'owner', 'remote'], painted]);
});

test('[C119][P2] a restore that fails is recorded and leaves conversation and files, and the same key hears it again', async () => {
  const { begin, files } = await setUp({ inRepository: true, store: createMemoryStore() });
  const { session, seq } = await begin({ restore: () => Promise.resolve('there is no space left on the disk') });
  const refused = {
    type: 'refused',
    refusal: { code: 'conflict', message: 'there is no space left on the disk' },
  };
  expect(await session.rewind({ to: seq, key: 'k' })).toEqual(refused);
  expect(await session.rewind({ to: seq, key: 'k' })).toEqual(refused);
  expect(files()).toEqual(painted);
  const { items } = await session.transcript();
  expect(items.at(-1)).toMatchObject({
    type: 'notice',
    about: { type: 'restore-failed', message: 'there is no space left on the disk' },
  });
  expect(await session.chat('say on')).toMatchObject({ outcome: 'completed' });
});

test('[C119][O7][P4] a session that is handed over during a restore is restored by its next owner, once', async () => {
  const store = createMemoryStore();
  const { kept, begin, open, files } = await setUp({ inRepository: true, store });
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const ran: string[] = [];
  const { session, seq } = await begin({
    async takeBefore(...given) {
      begun.resolve();
      await go.promise;
      return kept.takeBefore(...given);
    },
    restore(...given) {
      ran.push('first');
      return kept.restore(...given);
    },
  });
  const seat = store.another();
  const next = await open(seat, {
    restore(...given) {
      ran.push('next');
      return kept.restore(...given);
    },
  });
  const far = await next.sessions.open(session.id);
  const rewound = far.rewind({ to: seq });
  await begun.promise;
  const released: string[] = [];
  seat.leases.onReleased((id) => released.push(id));
  await seat.leases.requestHandOver(session.id, { withinMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(released).toEqual([]);
  go.resolve();
  await expect.poll(() => released).toEqual([session.id]);
  expect(await rewound).toEqual({ type: 'rewound', conversation: seq, files: restored });
  expect([ran, files()]).toEqual([['next'], clay]);
});
