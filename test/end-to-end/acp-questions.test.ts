// How editors differ: some bind keys to kinds of options, some dismiss requests, some don't wait for answers.
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { PermissionOptionKind } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { newSession, openEditor, say, type Editor, openEditorOnAgent } from './acp-editor.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const write = 'call write {"path":"made.txt","content":"made\\n"}';
const writeOther = 'call write {"path":"other.txt","content":"other\\n"}';

/** An editor that binds one key to each kind, and presses them in this order. */
function pressKeys(editor: Editor, ...kinds: readonly PermissionOptionKind[]): void {
  const keys = [...kinds];
  editor.onPermission = async ({ options }) => {
    const byKind = new Map(options.map(({ kind, optionId }) => [kind, optionId]));
    expect(byKind.size).toBe(options.length);
    const key = keys.shift();
    return { outcome: { outcome: 'selected', optionId: byKind.get(key ?? 'reject_once') ?? 'no such key' } };
  };
}

const rulesIn = async (place: CliPlace) => (await place.rondo('policy', 'list')).out;

test('[C157] an editor with a key per kind saves no project rule by one key: always asks again, with the rule', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  pressKeys(editor, 'allow_always', 'allow_once');
  await say(editor, sessionId, write);
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
  const [, second] = editor.permissions;
  expect(second?.toolCall.title).toBe('Save the rule write(made.txt)?');
  expect(second?.options).toEqual([
    { optionId: 'allow-session', name: 'Allow for this session: write(made.txt)', kind: 'allow_once' },
    { optionId: 'allow-always', name: 'Always allow in this project: write(made.txt)', kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ]);
  // The session keeps the grant, and the project has no rule.
  await say(editor, sessionId, write);
  expect(editor.permissions).toHaveLength(2);
  expect(await rulesIn(place)).not.toContain('made.txt');
  pressKeys(editor, 'allow_always', 'allow_always');
  await say(editor, sessionId, writeOther);
  expect(await rulesIn(place)).toContain('other.txt');
  // Reject in the second request rejects the call.
  pressKeys(editor, 'allow_always', 'reject_once');
  await say(editor, sessionId, 'call write {"path":"third.txt","content":"x"}');
  expect(existsSync(path.join(place.project, 'third.txt'))).toBe(false);
});

test('[C157] a permission request stands alone: title, kind, place, and the diff of a write', async () => {
  await using place = await createCliPlace();
  await place.write('made.txt', 'before\n');
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, write);
  const file = path.join(place.project, 'made.txt');
  expect(editor.permissions.map(({ toolCall }) => toolCall)).toEqual([
    {
      toolCallId: expect.any(String),
      title: 'Allow write on made.txt?',
      name: 'write',
      kind: 'edit',
      status: 'pending',
      rawInput: { path: 'made.txt', content: 'made\n' },
      locations: [{ path: file }],
      content: [
        // CodeCompanion offers to view a diff that comes first.
        { type: 'diff', path: file, oldText: 'before\n', newText: 'made\n' },
        { type: 'content', content: { type: 'text', text: expect.stringContaining('Why: ') } },
      ],
    },
  ]);
  // The finished call still shows what it replaced.
  const last = editor.updates.findLast((update) => update.sessionUpdate === 'tool_call_update');
  expect(last?.sessionUpdate === 'tool_call_update' && last.content?.[0]).toEqual({
    type: 'diff',
    path: file,
    oldText: 'before\n',
    newText: 'made\n',
  });
});

test('[S14] a request for a command of several parts names the most dangerous one first', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  pressKeys(editor, 'reject_once');
  await say(editor, sessionId, 'call shell {"command":"echo fine > a.txt && rm -rf important && ls"}');
  const [asked] = editor.permissions;
  expect(asked?.toolCall).toMatchObject({
    title: expect.stringMatching(/^Allow shell: rm -rf important \(1 of 4 parts\)\?/),
    kind: 'execute',
  });
  expect(JSON.stringify(asked?.toolCall.content)).toContain('4 parts, a yes runs all of them');
});

test("[C157][S16] a hosted agent's request stands alone too, with its diff", async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorOnAgent(place);
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'edit new.txt hello there\nask touch x.txt');
  const file = path.join(place.project, 'new.txt');
  expect(editor.permissions.map(({ toolCall, options }) => [toolCall, options.map(({ kind }) => kind)])).toEqual([
    [
      {
        toolCallId: expect.any(String),
        title: 'Allow write on new.txt?',
        kind: 'edit',
        status: 'pending',
        locations: [{ path: file }],
        content: [
          { type: 'diff', path: file, newText: 'hello there' },
          { type: 'content', content: { type: 'text', text: expect.stringContaining('Write new.txt') } },
        ],
      },
      ['allow_once', 'allow_always', 'reject_once'],
    ],
    [
      {
        toolCallId: expect.any(String),
        title: 'Allow shell: touch x.txt?',
        kind: 'execute',
        status: 'pending',
        locations: [],
        content: [
          { type: 'content', content: { type: 'text', text: expect.stringContaining('Run touch x.txt') } },
        ],
      },
      ['allow_once', 'allow_always', 'reject_once'],
    ],
  ]);
});

test('[C157] an editor that dismisses a permission or a form ends the turn as cancelled', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place, { capabilities: { elicitation: { form: {} } } });
  const sessionId = await newSession(editor, place);
  editor.onPermission = async () => ({ outcome: { outcome: 'cancelled' } });
  expect(await say(editor, sessionId, write)).toEqual({ stopReason: 'cancelled' });
  editor.onPermission = async () => ({ outcome: { outcome: 'selected', optionId: 'made up' } });
  expect(await say(editor, sessionId, write)).toEqual({ stopReason: 'cancelled' });
  editor.onForm = () => ({ action: 'cancel' });
  const asking = 'call ask_user {"question":"Which color?","options":["red","blue"]}';
  expect(await say(editor, sessionId, asking)).toEqual({ stopReason: 'cancelled' });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
  expect(await say(editor, sessionId, 'say still here')).toEqual({ stopReason: 'end_turn' });
});

test('[C157] a clarification is a form where the editor shows forms', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place, { capabilities: { elicitation: { form: {} } } });
  const sessionId = await newSession(editor, place);
  const asking = 'call ask_user {"question":"Which color?","options":["red","blue"]}';
  editor.onForm = () => ({ action: 'accept', content: { choice: 'blue' } });
  await say(editor, sessionId, asking);
  expect(editor.said()).toContain('ask_user (success): blue');
  editor.onForm = () => ({ action: 'accept', content: { choice: 'red', answer: 'rather green' } });
  await say(editor, sessionId, asking);
  expect(editor.said()).toContain('ask_user (success): rather green');
  editor.onForm = () => ({ action: 'accept', content: { answer: 'in a form' } });
  await say(editor, sessionId, 'call ask_user {"question":"What is its name?"}');
  expect(editor.said()).toContain('ask_user (success): in a form');
  expect(editor.forms).toEqual(['Which color?', 'Which color?', 'What is its name?']);
  expect(editor.permissions).toEqual([]);
});

test('[C157] without forms, a clarification is text in the chat and the next prompt answers it', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  const asking = 'call ask_user {"question":"Which color?","options":["red","blue"]}';
  expect(await say(editor, sessionId, asking)).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toBe(
    'Which color?\n\n1. red\n\n2. blue\n\nReply with a number, an option or your own answer.',
  );
  expect(await say(editor, sessionId, '2')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('ask_user (success): blue');
  await say(editor, sessionId, 'call ask_user {"question":"What is its name?"}');
  expect(await say(editor, sessionId, 'Rosalind')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('ask_user (success): Rosalind');
  expect(editor.permissions).toEqual([]);
});

test('[C157] an editor that sends session/new without waiting for the answer to initialize gets its session', async () => {
  await using place = await createCliPlace();
  const lines = [
    { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
    { id: 2, method: 'session/new', params: { cwd: place.project, mcpServers: [] } },
  ].map((line) => JSON.stringify({ jsonrpc: '2.0', ...line }));
  const stdin = `${lines.join('\n')}\n`;
  const { child, ended, saw } = place.start(['acp', '--agent', 'testing'], { stdin, keepsInput: true });
  await Promise.all([saw('"id":2'), saw('available_commands_update')]);
  child.stdin?.end();
  const { out, code } = await ended;
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: number; method?: string; result?: { sessionId?: string } });
  const [, second] = [1, 2].map((id) => answers.find((answer) => answer.id === id));
  expect([code, second?.result?.sessionId]).toEqual([0, expect.stringMatching(/^ses_/)]);
  // No update may precede the response that introduces its session.
  const opened = answers.indexOf(second ?? {});
  expect(answers.slice(0, opened).filter(({ method }) => method === 'session/update')).toEqual([]);
});
