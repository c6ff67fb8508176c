// Editors that answer questions wrongly, twice, or not at all.
import { existsSync } from 'node:fs';
import path from 'node:path';

import { methods, RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { newSession, openEditor, say } from './acp-editor.ts';
import { createCliPlace } from './cli-process.ts';

const write = 'call write {"path":"made.txt","content":"made\\n"}';

test.for([
  ['an error', undefined],
  ['nothing', {}],
  ['null', null],
])('[C157] an editor that answers a permission with %s gets it as text', async ([, answer]) => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  editor.onPermission = async () => {
    if (answer === undefined) throw RequestError.internalError(undefined, 'boom');
    return answer as RequestPermissionResponse;
  };
  expect(await say(editor, sessionId, write)).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('Allow write on made.txt?');
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
  // The next prompt is its answer.
  expect(await say(editor, sessionId, 'y')).toEqual({ stopReason: 'end_turn' });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
});

test('[C157] an editor whose form fails gets the question as text', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place, { capabilities: { elicitation: { form: {} } } });
  const sessionId = await newSession(editor, place);
  editor.onForm = () => {
    throw RequestError.internalError(undefined, 'boom');
  };
  await say(editor, sessionId, 'call ask_user {"question":"Which color?","options":["red","blue"]}');
  expect(editor.said()).toContain('1. red');
  await say(editor, sessionId, '2');
  expect(editor.said()).toContain('ask_user (success): blue');
});

test.for([{ outcome: 'selected' }, { outcome: 'selected', optionId: 5 }, { outcome: 'perhaps' }, 'selected'])(
  '[C157] the outcome %j allows nothing and ends the turn as cancelled',
  async (outcome) => {
    await using place = await createCliPlace();
    await using editor = await openEditor(place);
    const sessionId = await newSession(editor, place);
    editor.onPermission = async () => ({ outcome }) as RequestPermissionResponse;
    expect(await say(editor, sessionId, write)).toEqual({ stopReason: 'cancelled' });
    expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
    expect(await say(editor, sessionId, 'say still here')).toEqual({ stopReason: 'end_turn' });
  },
);

test('[C157][P3] an editor that goes during a permission leaves it open, and the next one is asked', async () => {
  await using place = await createCliPlace();
  let sessionId = '';
  {
    await using editor = await openEditor(place);
    sessionId = await newSession(editor, place);
    const asked = Promise.withResolvers<void>();
    editor.onPermission = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    void say(editor, sessionId, write).catch(() => undefined);
    await asked.promise;
    const ended = new Promise((resolve) => editor.child.once('exit', resolve));
    editor.child.stdin?.end();
    expect(await ended).toBe(0);
  }
  await using editor = await openEditor(place);
  const asked = Promise.withResolvers<void>();
  editor.onPermission = async () => {
    asked.resolve();
    return { outcome: { outcome: 'selected', optionId: 'allow-once' } };
  };
  const params = { sessionId, cwd: place.project, mcpServers: [] };
  await editor.agent.request(methods.agent.session.load, params);
  await asked.promise;
  await expect.poll(() => existsSync(path.join(place.project, 'made.txt')), { timeout: 10_000 }).toBe(true);
});

test('[C157] an editor that cancels its prompt request ends the turn as cancelled', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  const cancelling = new AbortController();
  editor.onPermission = () => {
    cancelling.abort();
    return new Promise(() => undefined);
  };
  const params = { sessionId, prompt: [{ type: 'text' as const, text: write }] };
  const options = { cancellationSignal: cancelling.signal };
  expect(await editor.agent.request(methods.agent.session.prompt, params, options)).toEqual({
    stopReason: 'cancelled',
  });
  expect((await place.rondo('show', sessionId, '--events')).out).toMatch(/turn-ended\t.*"cancelled"/);
});
