import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createFileCheckpoints } from '../../assembly/sessions/file-checkpoints.ts';
import { step as kernelStep, type Step } from '../../kernel/decide/step.ts';
import type { Tool } from '../../ports/tool.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { watchedModel } from '../../testing/watched-model.ts';

async function setUp({
  inRepository,
  step = kernelStep,
}: {
  readonly inRepository: boolean;
  readonly step?: Step;
}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'rondo-rewind-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cwd = path.join(home, 'project');
  execFileSync('mkdir', [cwd]);
  const file = path.join(cwd, 'pot.txt');
  writeFileSync(file, 'clay\n');
  if (inRepository) {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'clay');
  }
  const { model, messages } = watchedModel();
  const rondo = await rondoOfTest({
    store: 'memory:',
    agents: { a: {} },
    models: { m: model },
    tools: [paint(file), testTool('look', () => 'seen')],
    approve: 'all',
    step,
    checkpoints: createFileCheckpoints({ home }),
  });
  const session = await rondo.sessions.create({ cwd });
  return {
    rondo,
    home,
    cwd,
    session,
    file,
    content: () => readFileSync(file, 'utf8'),
    messages,
  };
}

/** Writes a color into the file. */
function paint(file: string): Tool {
  return {
    ...testTool('paint', (args) => {
      writeFileSync(file, `${(args as { color: string }).color}\n`);
      return 'painted';
    }),
    describe: () => ({
      access: 'write',
      repeat: 'never',
      order: 'exclusive',
      runs: 'tool',
      paths: [{ path: file, access: 'write', inside: true }],
    }),
  };
}

/** The number of stored checkpoints or copies for a folder. */
function keptIn(home: string, cwd: string, inRepository: boolean): number {
  if (!inRepository)
    return existsSync(path.join(home, 'checkpoints')) ? readdirSync(path.join(home, 'checkpoints')).length : 0;
  const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)', 'refs/rondo'], {
    cwd,
    encoding: 'utf8',
  });
  return refs.split('\n').length - 1;
}

const painting = (color: string) => `call paint {"color":"${color}"}\nsay it is ${color}`;

test.each([true, false])(
  '[C120] a session that is deleted takes what was kept of its files with it (repository: %s)',
  async (inRepository) => {
    const { rondo, home, cwd, session, content } = await setUp({ inRepository });
    await session.chat(painting('blue'));
    expect(keptIn(home, cwd, inRepository)).toBe(1);
    await rondo.sessions.delete(session.id);
    expect([keptIn(home, cwd, inRepository), content()]).toEqual([0, 'blue\n']);
  },
);

describe('going back', () => {
  test.each([true, false])(
    '[C119][V10][V12] brings the conversation and the files to an earlier turn, and undo brings them back (repository: %s)',
    async (inRepository) => {
      const { session, content, messages } = await setUp({ inRepository });
      await session.chat(painting('blue'));
      const { seq } = await session.status();
      await session.chat(painting('red'));
      await session.chat(painting('green'));

      expect(await session.rewind({ to: seq })).toMatchObject({
        type: 'rewound',
        conversation: seq,
        files: { type: 'restored', restored: ['pot.txt'], removed: [], blocked: [] },
      });
      expect(content()).toBe('blue\n');
      await session.chat('say on');
      expect(
        messages()
          .filter(({ role }) => role === 'user')
          .map(({ text }) => text),
      ).toEqual([painting('blue'), 'say on']);

      expect(await session.rewind({ to: 'undo' })).toMatchObject({ type: 'rewound', files: { type: 'restored' } });
      expect(content()).toBe('green\n');
      await session.chat('say and on');
      expect(
        messages()
          .filter(({ role }) => role === 'user')
          .map(({ text }) => text),
      ).toEqual([painting('blue'), painting('red'), painting('green'), 'say and on']);
    },
  );

  test('[C119] is recorded under the name of the person who asked for it, files and conversation', async () => {
    const { session } = await setUp({ inRepository: false });
    const by = { type: 'person', name: 'ada' } as const;
    await session.chat(painting('blue'));
    const { seq } = await session.status();
    await session.chat(painting('red'));
    const { seq: after } = await session.status();
    await session.rewind({ to: seq, by });
    const { events } = await session.events({ after });
    expect(events.map((recorded) => [recorded.event.type, recorded.by])).toEqual([
      ['restore-intended', by],
      ['checkpoint-taken', { type: 'system', name: 'rondo' }],
      ['files-restored', { type: 'system', name: 'rondo' }],
      ['rewound', { type: 'system', name: 'rondo' }],
    ]);
  });

  test('[C119] on one axis leaves the other alone', async () => {
    const { session, content, messages } = await setUp({ inRepository: true });
    await session.chat(painting('blue'));
    const { seq } = await session.status();
    await session.chat(painting('red'));

    expect(await session.rewind({ to: seq, axes: 'conversation' })).toEqual({
      type: 'rewound',
      conversation: seq,
      files: { type: 'left' },
    });
    expect(content()).toBe('red\n');
    await session.rewind({ to: 'undo' });
    expect(await session.rewind({ to: seq, axes: 'files' })).toMatchObject({ files: { type: 'restored' } });
    expect(content()).toBe('blue\n');
    await session.chat('say on');
    expect(messages().map(({ text }) => text)).toContain(painting('red'));
  });

  test('[C119] keeps the files once a turn, before its first change, and not for a turn that only looks', async () => {
    const { session } = await setUp({ inRepository: true });
    await session.chat('call look\nsay looked');
    await session.chat('call paint {"color":"a"}\ncall paint {"color":"b"}\nsay done');
    const { events } = await session.events({ after: 0 });
    const kept = events.filter(({ event }) => event.type === 'checkpoint-taken');
    expect(kept.map(({ event }) => event)).toMatchObject([
      { checkpoint: { kept: { type: 'git', ref: expect.stringContaining('refs/') as string } } },
    ]);
  });

  test('[C119] to a point after the last change leaves the files as they are', async () => {
    const { session, content } = await setUp({ inRepository: true });
    await session.chat('say one');
    const { seq } = await session.status();
    await session.chat('say two');
    expect(await session.rewind({ to: seq })).toEqual({
      type: 'rewound',
      conversation: seq,
      files: { type: 'unchanged' },
    });
    expect(content()).toBe('clay\n');
  });

  test('[C119] never shortens the journal: all of it is still in the transcript, and a file that came since is gone', async () => {
    const { session, file } = await setUp({ inRepository: true });
    await session.chat('say one');
    const { seq } = await session.status();
    await session.chat('call paint {"color":"red"}\nsay two');
    rmSync(file);
    await session.rewind({ to: seq });
    expect(existsSync(file)).toBe(true);
    const { items } = await session.transcript();
    expect(items.flatMap((item) => (item.type === 'message' ? [item.text] : []))).toEqual(['one', 'two']);
    expect(items.at(-1)).toMatchObject({ type: 'notice', about: { type: 'rewound', to: seq } });
  });

  test('[C119] is refused in the middle of a turn, when there is nothing to undo and to an event that is not there', async () => {
    const { session } = await setUp({ inRepository: false });
    await session.chat('say one');
    expect(await session.rewind({ to: 'undo' })).toMatchObject({ refusal: { code: 'not-found' } });
    expect(await session.rewind({ to: 99 })).toMatchObject({ refusal: { code: 'invalid' } });
    await session.send({ type: 'chat', text: 'hang' });
    expect(await session.rewind({ to: 1 })).toMatchObject({
      refusal: {
        code: 'conflict',
        message: expect.stringContaining('wait for its end or interrupt it') as string,
      },
    });
  });

  test.each(['both', 'files', 'conversation'] as const)(
    '[C119][P2] undone twice with one key is undone once (%s)',
    async (axes) => {
      const { session, content } = await setUp({ inRepository: true });
      await session.chat(painting('blue'));
      const { seq } = await session.status();
      await session.chat(painting('red'));
      await session.rewind({ to: seq, axes });
      const first = await session.rewind({ to: 'undo', axes, key: 'k' });
      const after = await session.status();

      const again = await session.rewind({ to: 'undo', axes, key: 'k' });
      expect(again).toEqual(axes === 'conversation' ? first : { ...first, files: { type: 'restored-before' } });
      expect((await session.status()).seq).toBe(after.seq);
      expect(content()).toBe('red\n');
      expect(await session.rewind({ to: seq, axes, key: 'k' })).toMatchObject({ refusal: { code: 'conflict' } });
    },
  );

  test('[C119][P2] whose session is suspended before it is settled is finished when it is opened again', async () => {
    let isBroken = true;
    const { session, content } = await setUp({
      inRepository: true,
      step(state, input) {
        if (!isBroken || input.type !== 'restore-settled') return kernelStep(state, input);
        isBroken = false;
        throw new Error('the power went');
      },
    });
    await session.chat(painting('blue'));
    const { seq } = await session.status();
    await session.chat(painting('red'));

    expect(await session.rewind({ to: seq, key: 'k' })).toEqual({
      type: 'rewound',
      conversation: seq,
      files: { type: 'restored', restored: ['pot.txt'], removed: [], blocked: [] },
    });
    expect(content()).toBe('blue\n');
    const { events } = await session.events({ after: 0 });
    expect(events.map(({ event }) => event.type).slice(-6)).toEqual([
      'restore-intended',
      'checkpoint-taken',
      'session-recovered',
      'effect-repeated',
      'files-restored',
      'rewound',
    ]);
  });
});
