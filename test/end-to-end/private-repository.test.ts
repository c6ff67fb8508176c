// A private repository: the credentials of this machine's helper reach git, and nothing else that is kept or shown.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { branchesOf, createBareRemote, git } from '../fixtures/bare-remote.ts';
import { servePrivately } from '../fixtures/private-remote.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const user = 'rondo-robot';
const password = 'marker-9f2c7d-of-a-password';
const words = 'call write {"path":"b.txt","content":"two\\n"}\nsay Wrote it';

/** A home whose git settings are those of a person. */
function personsHome(place: CliPlace, settings: string): Readonly<Record<string, string>> {
  writeFileSync(path.join(place.home, '.gitconfig'), settings);
  return { HOME: place.home, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
}

/** Files below a folder that contain the text. */
function holders(folder: string, text: string, isLeftOut: (file: string) => boolean): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !isLeftOut(file) && readFileSync(file).includes(text));
}

/** Command lines of processes that contain the text, looked at until `until` ends. */
async function shownInProcesses(text: string, until: Promise<unknown>): Promise<readonly string[]> {
  let isOver = false;
  void until.finally(() => (isOver = true));
  const seen = new Set<string>();
  while (!isOver) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        if (line.includes(text)) seen.add(line.replaceAll('\0', ' '));
      } catch {
        // It ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return [...seen];
}

test('[C154] [S21] a private repository is cloned and pushed with the credential helper, and the password is nowhere', async () => {
  await using place = await createCliPlace();
  const { remote } = createBareRemote();
  await using served = await servePrivately(remote, { user, password });
  const kept = path.join(place.home, '.git-credentials');
  const { host } = new URL(served.url);
  writeFileSync(kept, `http://${user}:${password}@${host}\n`, { mode: 0o600 });
  const env = personsHome(place, '[credential]\n\thelper = store\n');
  const run = place.start(
    ['run', '--json', '--agent', 'testing', '--allow', 'write', '--repo', served.url, words],
    { env },
  );
  const seen = await shownInProcesses(password, run.ended);
  const { code, out, err } = await run.ended;
  const [, branch = ''] = branchesOf(remote);
  const [, session = ''] = /(ses_[a-z0-9]+)/.exec(out) ?? [];
  const exported = await place.start(['export', session, '-o', 'it.rondo'], { env }).ended;
  expect({ code, exported: exported.code, pushed: git(remote, 'show', `${branch}:b.txt`) }).toEqual({
    code: 0,
    exported: 0,
    pushed: 'two',
  });
  expect(served.refused()).toBeGreaterThan(0);
  expect({
    seen,
    shown: [out, err, exported.out, exported.err].filter((text) => text.includes(password)),
    files: holders(place.home, password, (file) => file === kept),
  }).toEqual({ seen: [], shown: [], files: [] });
});

test('[C154] [S21] a password that git inserts into addresses is neither shown nor kept when the repository refuses it', async () => {
  await using place = await createCliPlace();
  const { remote } = createBareRemote();
  await using served = await servePrivately(remote, { user, password: 'another one' });
  const { host } = new URL(served.url);
  const settings = path.join(place.home, '.gitconfig');
  const env = personsHome(place, `[url "http://${user}:${password}@${host}/"]\n\tinsteadOf = http://${host}/\n`);
  const run = await place.start(['run', '--agent', 'testing', '--allow', 'write', '--repo', served.url, words], {
    env,
  }).ended;
  expect({ code: run.code, isNamed: run.err.includes(`Can't reach repository ${served.url}`) }).toEqual({
    code: 1,
    isNamed: true,
  });
  expect([run.out, run.err].filter((text) => text.includes(password))).toEqual([]);
  expect(holders(place.home, password, (file) => file === settings)).toEqual([]);
});
