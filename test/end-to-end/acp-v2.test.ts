import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import {
  methods,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk/experimental/v2';
import { expect, test } from 'vitest';

import { newSessionV2, openEditorV2, promptV2, statesIn, type EditorV2 } from './acp-editor-v2.ts';
import { createCliPlace } from './cli-process.ts';

const patience = { timeout: 30_000 };
const write = 'call write {"path":"made.txt","content":"made\\n"}';
const idles = (editor: EditorV2) => statesIn(editor).filter((state) => state.startsWith('idle')).length;
async function untilIdle(editor: EditorV2, count: number): Promise<void> {
  await expect.poll(() => idles(editor), patience).toBeGreaterThanOrEqual(count);
}

/** A tool call's fields so far: updates change only the fields that they carry. */
function callIn(editor: EditorV2, index = 0): Partial<ToolCallUpdate> {
  const updates = editor.wire.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' ? [update as ToolCallUpdate] : [],
  );
  const id = [...new Set(updates.map(({ toolCallId }) => toolCallId))][index];
  const own = updates.filter(({ toolCallId }) => toolCallId === id);
  return Object.assign({}, ...own) as Partial<ToolCallUpdate>;
}

/** The text of each message, by its id: chunks add to it, and a whole message replaces it. */
function messagesIn({ wire }: EditorV2): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const update of wire) {
    const { sessionUpdate, messageId, content } = update as {
      readonly sessionUpdate: string;
      readonly messageId?: string;
      readonly content?: { readonly text: string } | readonly { readonly text: string }[];
    };
    if (messageId === undefined || content === undefined) continue;
    const kind = sessionUpdate.replace('_chunk', '').replace('_message', '');
    const name = `${kind} ${messageId}`;
    if (Array.isArray(content)) texts[name] = content.map(({ text }) => text).join('');
    else texts[name] = (texts[name] ?? '') + (content as { readonly text: string }).text;
  }
  return texts;
}

test.for([
  [1, 1],
  [2, 2],
  [3, 2],
] as const)('[C157] an editor that offers version %i of the protocol gets version %i', async ([offered, got]) => {
  await using place = await createCliPlace();
  const stdin = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: offered, info: { name: 'editor', version: '1' } },
  })}\n`;
  const { out, code } = await place.start(['acp'], { stdin }).ended;
  const answer = JSON.parse(out.trim()) as { readonly result: { readonly protocolVersion: number } };
  expect([code, answer.result.protocolVersion]).toEqual([0, got]);
});

test('[C157] in version 2, a prompt is answered when a turn takes it, and a state ends the turn', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorV2(place);
  const sessionId = await newSessionV2(editor, place);
  const { messageId } = await promptV2(editor, sessionId, `${write}\nsay after`);
  await untilIdle(editor, 1);
  expect(await readFile(path.join(place.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(statesIn(editor)).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);
  // Its own prompt comes back under the id of the answer, within the turn.
  const order = editor.wire.map((update) =>
    update.sessionUpdate === '_answer'
      ? `answer ${String(update.method)}`
      : 'state' in update
        ? String(update.state)
        : update.sessionUpdate,
  );
  expect(order.indexOf('running')).toBeLessThan(order.indexOf('user_message'));
  expect(order.indexOf('user_message')).toBeLessThan(order.indexOf('answer session/prompt'));
  expect(order.indexOf('answer session/prompt')).toBeLessThan(order.indexOf('idle'));
  expect(Object.entries(messagesIn(editor))).toEqual([
    [`user ${messageId}`, `${write}\nsay after`],
    [expect.stringMatching(/^agent /), 'after'],
  ]);
  // The finished message replaces the streamed one.
  expect(order.filter((name) => name === 'agent_message').length).toBeGreaterThan(0);
});

test('[C157] in version 2, a permission has its own title and the patch of a write; commands are terminals', async () => {
  await using place = await createCliPlace();
  await writeFile(path.join(place.project, 'made.txt'), 'old\n');
  await using editor = await openEditorV2(place);
  const sessionId = await newSessionV2(editor, place);
  await promptV2(editor, sessionId, `${write}\ncall shell {"command":"echo hi"}`);
  await untilIdle(editor, 1);
  const file = path.join(place.project, 'made.txt');
  const [asked] = editor.permissions;
  expect(asked).toMatchObject({
    sessionId,
    title: 'Allow write on made.txt?',
    subject: {
      type: 'tool_call',
      toolCall: {
        kind: 'edit',
        locations: [{ path: file }],
        content: [
          {
            type: 'diff',
            changes: [{ operation: 'modify', path: file, fileType: 'text' }],
            patch: {
              format: 'git_patch',
              text: [
                `diff --git a${file} b${file}`,
                `--- a${file}`,
                `+++ b${file}`,
                '@@ -1,1 +1,1 @@',
                '-old',
                '+made',
                '',
              ].join('\n'),
            },
          },
        ],
      },
    },
  });
  expect(asked?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
  // The request's title isn't the call's.
  expect(callIn(editor)).toMatchObject({ title: 'write made.txt', status: 'completed' });
  const shell = callIn(editor, 1);
  expect(shell).toMatchObject({ kind: 'execute', status: 'completed', content: [{ type: 'terminal' }] });
  const [terminal] = shell.content ?? [];
  const id = terminal !== undefined && 'terminalId' in terminal ? terminal.terminalId : '';
  const drawn = editor.wire.flatMap((update) =>
    'terminalId' in update && update.terminalId === id ? [update] : [],
  );
  expect(drawn).toEqual([
    { sessionUpdate: 'terminal_update', terminalId: id, cwd: place.project },
    { sessionUpdate: 'terminal_output_chunk', terminalId: id, data: Buffer.from('hi\n').toString('base64') },
    { sessionUpdate: 'terminal_update', terminalId: id, exitStatus: { exitCode: 0 } },
  ]);
});

test('[C157] in version 2, prompts wait until a turn takes them, and can be withdrawn or cancelled before', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorV2(place);
  const sessionId = await newSessionV2(editor, place);
  await promptV2(editor, sessionId, 'hang');
  const withdrawing = new AbortController();
  const withdrawn = promptV2(editor, sessionId, 'say withdrawn', withdrawing.signal);
  const held = promptV2(editor, sessionId, 'say held');
  await expect.poll(async () => (await place.rondo('show', sessionId)).out, patience).toMatch(/2 waiting/);
  withdrawing.abort();
  await expect(withdrawn).rejects.toMatchObject({ code: -32_800 });
  expect(statesIn(editor)).toEqual(['running']);
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  await expect(held).rejects.toMatchObject({ code: -32_800 });
  await untilIdle(editor, 1);
  expect(statesIn(editor)).toEqual(['running', 'idle cancelled']);
  await promptV2(editor, sessionId, 'fail because of rain');
  await untilIdle(editor, 2);
  expect(editor.wire.findLast((update) => update.sessionUpdate === 'state_update')).toEqual({
    sessionUpdate: 'state_update',
    state: 'idle',
    background: [],
    stopReason: 'error',
    error: { code: -32_603, message: expect.stringContaining('because of rain') },
  });
  expect(Object.keys(messagesIn(editor)).filter((name) => name.startsWith('user'))).toHaveLength(2);
});

test('[C157][P3] in version 2, a killed session is resumed with its history, its state, and its open question', async () => {
  await using place = await createCliPlace();
  await using first = await openEditorV2(place);
  const sessionId = await newSessionV2(first, place);
  const { messageId } = await promptV2(first, sessionId, 'say hello');
  await untilIdle(first, 1);
  const asked = Promise.withResolvers<void>();
  first.onPermission = () => {
    asked.resolve();
    return new Promise<RequestPermissionResponse>(() => {});
  };
  await promptV2(first, sessionId, write);
  await asked.promise;
  await first.kill();

  await using second = await openEditorV2(place);
  await second.agent.request(methods.agent.session.resume, {
    sessionId,
    cwd: place.project,
    replayFrom: { type: 'start' },
  });
  const answered = second.wire.findIndex(
    (update) => update.sessionUpdate === '_answer' && update['method'] === 'session/resume',
  );
  const replayed = second.wire.slice(0, answered);
  expect(Object.entries(messagesIn({ ...second, wire: replayed }))).toEqual([
    [`user ${messageId}`, 'say hello'],
    [expect.stringMatching(/^agent /), 'hello'],
    [expect.stringMatching(/^user /), write],
  ]);
  expect(replayed.at(-1)).toEqual({ sessionUpdate: 'state_update', state: 'requires_action', background: [] });
  await untilIdle(second, 1);
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
  await expect(
    second.agent.request(methods.agent.session.resume, {
      sessionId,
      cwd: place.project,
      replayFrom: { type: '_middle' },
    }),
  ).rejects.toMatchObject({ code: -32_602 });
});

test('[C157] in version 2: options, commands, questions as forms or text, fork, list, close and delete', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorV2(place, { elicitation: { form: {} } });
  const { sessionId, configOptions } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
  });
  expect(configOptions?.map(({ configId }) => configId)).toEqual(['mode', 'model', 'agent']);
  const set = await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'mode',
    type: 'id',
    value: 'batch',
  });
  expect(set.configOptions[0]).toMatchObject({ configId: 'mode', currentValue: 'batch' });
  await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'mode',
    type: 'id',
    value: 'interactive',
  });
  // A command without a turn has the same course as a turn.
  const { messageId } = await promptV2(editor, sessionId, '/mode');
  expect(statesIn(editor)).toEqual(['running', 'idle end_turn']);
  expect(messagesIn(editor)).toEqual({
    [`user ${messageId}`]: '/mode',
    [`agent ${messageId}`]: expect.stringContaining('interactive'),
  });
  const asking = 'call ask_user {"question":"Which color?","options":["red","blue"]}';
  await promptV2(editor, sessionId, asking);
  await untilIdle(editor, 2);
  expect(editor.forms.map(({ message }) => message)).toEqual(['Which color?']);
  expect(Object.values(messagesIn(editor)).at(-1)).toContain('ask_user (success): blue');
  const forked = await editor.agent.request<{ readonly sessionId: string }, object, 'session/fork'>(
    'session/fork',
    {
      sessionId,
      cwd: place.project,
    },
  );
  expect(forked.sessionId).not.toBe(sessionId);
  const listed = async () =>
    (await editor.agent.request(methods.agent.session.list, { cwd: place.project })).sessions.map(
      (session) => session.sessionId,
    );
  expect((await listed()).toSorted()).toEqual([forked.sessionId, sessionId].toSorted());
  await editor.agent.request(methods.agent.session.close, { sessionId: forked.sessionId });
  await editor.agent.request(methods.agent.session.delete, { sessionId: forked.sessionId });
  expect(await listed()).toEqual([sessionId]);

  await using plain = await openEditorV2(place);
  const other = await newSessionV2(plain, place);
  await promptV2(plain, other, asking);
  await expect.poll(() => statesIn(plain).at(-1), patience).toBe('requires_action');
  expect(Object.values(messagesIn(plain)).at(-1)).toContain('Which color?');
  const answer = await promptV2(plain, other, '1');
  await untilIdle(plain, 1);
  expect(statesIn(plain)).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);
  expect(messagesIn(plain)[`user ${answer.messageId}`]).toBe('1');
  expect(Object.values(messagesIn(plain)).at(-1)).toContain('ask_user (success): red');
});
