// [C156] Model, mode and agent in an editor, with those of a hosted agent.
import { methods, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { newSession, openEditor, say, type Editor, openEditorOnAgent } from './acp-editor.ts';
import { createCliPlace } from './cli-process.ts';

const patience = { timeout: 30_000 };

function shown(options: readonly SessionConfigOption[] | null | undefined) {
  return options?.map(({ id, category, currentValue }) => [id, category, currentValue]);
}

function valuesOf(options: readonly SessionConfigOption[] | null | undefined, id: string): readonly string[] {
  const option = options?.find((one) => one.id === id);
  return option?.type === 'select' ? option.options.map((one) => ('value' in one ? one.value : one.name)) : [];
}

const set = (editor: Editor, sessionId: string, configId: string, value: string) =>
  editor.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });

test('[C156][C157] configured models are offered, an invented one is refused with the nearest name', async () => {
  await using place = await createCliPlace();
  await place.write('../.rondo/config.json', {
    endpoints: { local: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } },
    models: { quick: { endpoint: 'local', model: 'small-1' } },
  });
  await using editor = await openEditor(place);
  const { sessionId, configOptions } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });
  expect(valuesOf(configOptions, 'model')).toContain('quick');
  const after = await set(editor, sessionId, 'model', 'quick');
  expect(shown(after.configOptions)).toContainEqual(['model', 'model', 'quick']);
  await expect(set(editor, sessionId, 'model', 'quikc')).rejects.toThrow(
    '"quikc" isn\'t one of the values of Model. Did you mean quick?',
  );
  await expect(set(editor, sessionId, 'color', 'red')).rejects.toThrow('Unknown option color');
  await set(editor, sessionId, 'mode', 'supervised');
  expect(await place.json('show', sessionId)).toMatchObject({ status: { mode: 'supervised', model: 'quick' } });
});

test("[C156][C157] a hosted agent's modes and models are shown once it reports them, and set", async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorOnAgent(place, '--modes', '--options');
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'say hello');
  const newest = () =>
    editor.updates.findLast((update) => update.sessionUpdate === 'config_option_update')?.configOptions;
  await expect
    .poll(() => shown(newest()), patience)
    .toEqual([
      ['mode', 'mode', 'interactive'],
      ['agent', undefined, 'inner'],
      ['agent:mode', undefined, 'ask'],
      ['agent:option:model', 'model', 'small'],
      ['agent:option:fast', undefined, 'off'],
    ]);
  expect(valuesOf(newest(), 'agent:mode')).toEqual(['ask', 'code', 'locked']);
  await set(editor, sessionId, 'agent:mode', 'code');
  await set(editor, sessionId, 'agent:option:model', 'large');
  await set(editor, sessionId, 'agent:option:fast', 'on');
  await expect(set(editor, sessionId, 'agent:option:model', 'huge')).rejects.toThrow("isn't one of the values");
  await say(editor, sessionId, 'mode\noptions');
  expect(editor.said()).toContain('code{"model":"large","fast":true}');
});

test('[C157] a session that nobody used is not listed', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const used = await newSession(editor, place);
  await newSession(editor, place);
  await say(editor, used, 'say hello');
  const { sessions } = await editor.agent.request(methods.agent.session.list, {});
  expect(sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual([[used, expect.stringMatching(/./)]]);
});

test('[C131][C157] an editor learns each command once, with those from files', async () => {
  await using place = await createCliPlace();
  await place.write('../.rondo/commands/review.md', '---\ndescription: Review as we do\n---\nReview it.');
  await place.write('../.rondo/skills/deploy/SKILL.md', '---\ndescription: How to deploy\n---\nPush it.');
  await using editor = await openEditor(place);
  await newSession(editor, place);
  const told = () =>
    editor.updates.findLast((update) => update.sessionUpdate === 'available_commands_update')?.availableCommands ??
    [];
  await expect.poll(() => told().length, patience).toBeGreaterThan(0);
  const named = (name: string) => told().filter((command) => command.name === name);
  expect([...named('review'), ...named('deploy')].map(({ description }) => description)).toEqual([
    'review code without changing it',
    'How to deploy (user)',
  ]);
});
