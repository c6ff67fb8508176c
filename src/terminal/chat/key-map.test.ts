import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { defaultKeys, keyMapFrom } from './key-map.ts';
import { queueKey } from './queue-selection.ts';
import { createSettingsFile } from './terminal-settings.ts';
import { escapeToNormal, insertMode, vimKey } from './vim-keys.ts';

test('[C129] the user can change every key but Esc and Ctrl+C; a mistake is named and keeps the usual key', () => {
  const { map, problems } = keyMapFrom({
    keys: { sessions: 'Alt+S', model: ['alt+x', 'alt+y'], leave: 'escape', steer: 'what?', sesions: 'alt+q' },
  });
  expect(map).toEqual({ ...defaultKeys, sessions: ['alt+s'], model: ['alt+x', 'alt+y'] });
  expect(problems).toEqual([
    "leave: escape can't be changed.",
    'steer: "what?" isn\'t a key.',
    'Unknown action "sesions". Did you mean "sessions"?',
  ]);
  expect(keyMapFrom({ keys: { model: 'ctrl+t' } }).problems).toEqual([
    'ctrl+t is set for panel and model; it does the first.',
  ]);
  const readline = keyMapFrom({ keymap: 'readline' }).map;
  expect([readline.sessions, readline.requests]).toEqual([['alt+p'], ['alt+n']]);
});

test('[C129] terminal settings keep what they do not know, and a broken file is reported', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-settings-'));
  try {
    const file = createSettingsFile(path.join(folder, 'home', 'terminal.json'));
    expect(await file.load()).toEqual({ settings: {} });
    await file.change({ vim: true });
    await writeFile(
      file.path,
      '{"vim":true,"theme":"no such","notifications":false,"mine":1,"keys":{"mode":"f2"}}',
    );
    await file.change({ theme: 'light-safe' });
    expect(await file.load()).toEqual({
      settings: { vim: true, notifications: false, theme: 'light-safe', keys: { mode: 'f2' } },
    });
    expect(JSON.parse(await readFile(file.path, 'utf8'))).toMatchObject({ mine: 1 });
    await writeFile(file.path, '[]');
    expect(await file.load()).toEqual({ settings: {}, problem: `Can't read ${file.path}: it isn't an object.` });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('[C129] vim keys: insert mode types, normal mode moves, deletes and changes', () => {
  expect(vimKey(insertMode, 'd')).toBeUndefined();
  const normal = escapeToNormal();
  const steps = (keys: string) =>
    keys.split('').reduce(
      ({ state, sent }, key) => {
        const step = vimKey(state, key);
        return step === undefined
          ? { state, sent: [...sent, key] }
          : { state: step.state, sent: [...sent, ...step.keys] };
      },
      { state: normal, sent: [] as readonly string[] },
    );
  expect(steps('dwx')).toEqual({ state: normal, sent: ['\u001Bd', '\u001B[3~'] });
  expect(steps('dd')).toEqual({ state: normal, sent: ['\u0001', '\u000B', '\u001B[3~'] });
  expect(steps('cwhi')).toEqual({ state: insertMode, sent: ['\u001Bd', 'h', 'i'] });
  expect(steps('Aend')).toEqual({ state: insertMode, sent: ['\u0005', 'e', 'n', 'd'] });
  // A second half that doesn't exist cancels the first. Control keys keep their meaning.
  expect(steps('dq')).toEqual({ state: normal, sent: [] });
  expect([vimKey(normal, '\r'), vimKey(normal, '\u001B[A'), vimKey(normal, '\u0007')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('[C129] within the queue, keys choose, edit, remove, steer and move', () => {
  const prompt = (seq: number, delivery: 'queue' | 'steer' = 'queue') => ({
    prompt: seq,
    delivery,
    preview: `${seq}`,
    by: { type: 'user', name: 'terminal' },
    at: 0,
  });
  const prompts = [prompt(1), prompt(2), prompt(3, 'steer')] as unknown as Parameters<typeof queueKey>[0];
  const step = (selected: number, key: Parameters<typeof queueKey>[2]) => queueKey(prompts, selected, key);
  expect(step(1, 'up')).toEqual({ selected: 3 });
  expect([step(3, 'down').selected, step(2, 'down').selected]).toEqual([1, undefined]);
  expect(step(2, 'remove')).toEqual({
    selected: 1,
    act: { type: 'change', change: { type: 'removed', prompt: 2 } },
  });
  expect(step(2, 'earlier').act).toEqual({ type: 'change', change: { type: 'moved', prompt: 2, to: 0 } });
  expect(step(1, 'earlier')).toEqual({ selected: 1 });
  expect(step(1, 'steer')).toEqual({ selected: undefined, act: { type: 'steer', prompt: 1 } });
  expect(step(1, 'edit')).toEqual({ selected: undefined, act: { type: 'edit', prompt: 1 } });
  // Taken in meanwhile: the selection falls to what is left.
  expect(step(99, 'edit')).toEqual({ selected: 2 });
});
