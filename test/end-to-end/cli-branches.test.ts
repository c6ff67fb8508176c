// Fork and rewind through the real binary, in a repository and outside of one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

async function session(place: CliPlace, ...prompts: readonly string[]): Promise<string> {
  let id = '';
  for (const prompt of prompts) {
    const going = id === '' ? [] : ['--session', id];
    const { out } = await place.rondo('run', '--agent', 'testing', '--auto-approve', '--json', ...going, prompt);
    id = (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { session: string }).session;
  }
  return id;
}

const writing = (color: string, ...more: readonly string[]) =>
  [`call write {"path":"pot.txt","content":"${color}"}`, ...more, `say it is ${color}`].join('\n');

test.each([true, false])(
  '[C119] rewind brings conversation and files back, --undo brings them again (repository: %s)',
  async (inRepository) => {
    await using place = await createCliPlace();
    const pot = path.join(place.project, 'pot.txt');
    const fresh = path.join(place.project, 'new.txt');
    if (inRepository) execFileSync('git', ['init', '-q'], { cwd: place.project });
    const id = await session(
      place,
      writing('blue'),
      writing('red', 'call write {"path":"new.txt","content":"x"}'),
      'say last',
    );
    const [blue, red] = ['blue', 'red'];
    expect(readFileSync(pot, 'utf8')).toBe(red);

    expect(await place.rondo('rewind', id, '--turn', '1')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Rewound to the end of turn 1\.\n1 file restored: pot\.txt\n1 file removed: new\.txt\nRondo saved what they held, .+\nUndo: rondo rewind ses_\w+ --undo\n$/,
      ),
    });
    expect([readFileSync(pot, 'utf8'), existsSync(fresh)]).toEqual([blue, false]);
    const context = await place.rondo('run', '--session', id, '/context');
    expect(context.out).toContain('tool results');

    expect(await place.rondo('rewind', id, '--undo')).toMatchObject({ code: 0 });
    const { findings } = (await place.json('doctor')) as {
      readonly findings: readonly { readonly what: string }[];
    };
    expect(findings.find(({ what }) => what === 'leases')).toMatchObject({ health: 'good' });
    expect([readFileSync(pot, 'utf8'), existsSync(fresh)]).toEqual([red, true]);
    await delay(50);
    writeFileSync(pot, 'mine');
    const { out: back } = await place.rondo('rewind', id, '--turn', '1', '--files');
    expect(back).toContain('Changed outside this session since its last turn: pot.txt\n');
    expect(await place.rondo('rewind', id, '--undo', '--files')).toMatchObject({ code: 0 });
    expect(readFileSync(pot, 'utf8')).toBe('mine');
    writeFileSync(pot, red);
    expect(await place.rondo('rewind', id, '--turn', '1', '--conversation')).toMatchObject({ code: 0 });
    expect(readFileSync(pot, 'utf8')).toBe(red);
    const { out } = await place.rondo('show', id);
    for (const said of ['it is blue', 'it is red', 'last', 'Rewound to event']) {
      expect(out).toContain(said);
    }
  },
);

test('[C119][P1] a rewind that is killed while it restores files is finished by the next command, and can be undone', async () => {
  await using place = await createCliPlace();
  const pot = path.join(place.project, 'pot.txt');
  const fresh = path.join(place.project, 'new.txt');
  execFileSync('git', ['init', '-q'], { cwd: place.project });
  const id = await session(place, writing('blue'), writing('red', 'call write {"path":"new.txt","content":"x"}'));
  const shims = path.join(place.home, 'shims');
  await mkdir(shims);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const shim = `#!/bin/sh\ncase " $* " in *" checkout-index "*) kill -9 $PPID; exit 1;; esac\nexec ${git} "$@"\n`;
  await writeFile(path.join(shims, 'git'), shim, { mode: 0o755 });
  const env = { PATH: `${shims}:${process.env['PATH'] ?? ''}` };
  const killed = await place.start(['rewind', id, '--turn', '1'], { env }).ended;
  expect(killed.code).toBe(null);
  // The file that was added since is already gone; the other isn't restored yet.
  expect([readFileSync(pot, 'utf8'), existsSync(fresh)]).toEqual(['red', false]);

  expect(await place.rondo('rewind', id, '--undo')).toMatchObject({
    code: 1,
    err: `rondo rewind: session ${id} has just finished restoring files; check them, then rewind again\n`,
  });
  expect([readFileSync(pot, 'utf8'), existsSync(fresh)]).toEqual(['blue', false]);
  const shown = (await place.rondo('show', id)).out;
  expect(shown).toContain('Files restored to event');
  expect(shown).toContain('Rewound to event');
  expect(await place.rondo('rewind', id, '--undo')).toMatchObject({ code: 0 });
  expect([readFileSync(pot, 'utf8'), existsSync(fresh)]).toEqual(['red', true]);
});

test('[C119] fork continues from an earlier turn, shows what it shares, and the tree shows them all', async () => {
  await using place = await createCliPlace();
  const id = await session(place, 'say one', 'say two');
  const { code, out } = await place.rondo('fork', id, '--turn', '1', '--title', 'Another way');
  const fork = out.trim();
  expect({ code, fork }).toEqual({ code: 0, fork: expect.stringMatching(/^ses_\w+$/) as string });
  await place.rondo('run', '--session', fork, 'say three');

  const shown = (await place.rondo('show', fork)).out;
  expect(['one', 'two', 'three'].map((said) => shown.includes(`  ${said}\n`))).toEqual([true, false, true]);
  await place.rondo('rewind', id, '--turn', '1');
  const tree = (await place.rondo('show', fork, '--tree')).out;
  expect(place.masked(tree).replaceAll(/\d+/g, 'N')).toBe(
    [
      'ses_X  say one  N events',
      '├─ forked at N: ses_X  Another way  N events  <- this one',
      '└─ at N rewound the conversation to N',
      '',
    ].join('\n'),
  );
});

test('[C119] what cannot be done is refused, and says what to do', async () => {
  await using place = await createCliPlace();
  const id = await session(place, 'say one');
  expect(await place.rondo('rewind', id, '--undo')).toEqual({
    code: 1,
    out: '',
    err: `rondo rewind: session ${id} has no rewind to undo\n`,
  });
  expect(await place.rondo('rewind', id)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--turn N') as string,
  });
  expect(await place.rondo('fork', id, '--turn', '9')).toEqual({
    code: 2,
    out: '',
    err: `rondo fork: Can't find turn 9 of session ${id}. Use 0 to 1, the turns that have ended, or an event.\n`,
  });
  expect(await place.rondo('fork', 'ses_none')).toMatchObject({ code: 2 });
  const { out } = await place.rondo('run', '--agent', 'testing', '--json', 'call shell {"command":"touch x"}');
  const waiting = (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { session: string }).session;
  expect(await place.rondo('rewind', waiting, '--at', '1')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`rondo cancel ${waiting}`) as string,
  });
});

test('[C119] with "checkpoints": false no files are kept before a change, and a rewind leaves them as they are', async () => {
  await using place = await createCliPlace();
  const write = 'call write {"path":"made.txt","content":"x"}';
  const kinds = async () => {
    const made = await place.rondo('run', '--agent', 'testing', '--auto-approve', '--json', write);
    const { session } = JSON.parse(made.out.trim().split('\n').at(-1) ?? '') as { session: string };
    const { out } = await place.rondo('show', session, '--events', '--json');
    return out.split('\n').filter((line) => line.includes('"type":"checkpoint-taken"')).length;
  };
  expect(await kinds()).toBe(1);
  await mkdir(path.join(place.home, '.rondo'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(place.home, '.rondo/config.json'), '{ "checkpoints": false }', { mode: 0o600 });
  expect(await kinds()).toBe(0);
  expect(await place.rondo('rewind', 'latest', '--turn', '0')).toMatchObject({ code: 0, err: '' });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
});
