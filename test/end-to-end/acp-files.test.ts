// [C157] What an editor lends: its files, with unsaved changes, more folders, and a terminal to draw output in.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { newSession, openEditor, say } from './acp-editor.ts';
import { createCliPlace } from './cli-process.ts';

const capabilities = { fs: { readTextFile: true, writeTextFile: true } };

test('[C157] read and edit see unsaved changes, and the editor writes the result', async () => {
  await using place = await createCliPlace();
  const file = await place.write('notes.txt', 'saved\n');
  await using editor = await openEditor(place, { capabilities });
  editor.buffers.set(file, 'unsaved\n');
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'call read {"path":"notes.txt"}');
  expect(editor.said()).toContain('1\tunsaved');
  const edit = { path: 'notes.txt', edits: [{ old_text: 'unsaved', new_text: 'edited' }] };
  await say(editor, sessionId, `call edit ${JSON.stringify(edit)}`);
  expect(editor.buffers.get(file)).toBe('edited\n');
  // The editor decides when to save.
  expect(await readFile(file, 'utf8')).toBe('saved\n');
  expect(editor.permissions.map(({ toolCall }) => toolCall.title)).toEqual(['Allow edit on notes.txt?']);
  await say(editor, sessionId, 'call write {"path":"notes.txt","content":"written\\n"}');
  expect(editor.buffers.get(file)).toBe('written\n');
  expect(editor.permissions[1]?.toolCall.content).toContainEqual({
    type: 'diff',
    path: file,
    oldText: 'edited\n',
    newText: 'written\n',
  });
  // A change that the agent hasn't seen isn't overwritten.
  editor.buffers.set(file, 'typed by a person\n');
  await say(editor, sessionId, 'call write {"path":"notes.txt","content":"lost?\\n"}');
  expect(editor.buffers.get(file)).toBe('typed by a person\n');
  expect(editor.said()).toContain('may have changed since you read it');
});

test('[C157] an editor that fails leaves the file on disk to Rondo, and a link out of the folder stays closed', async () => {
  await using place = await createCliPlace();
  const file = await place.write('notes.txt', 'saved\n');
  const outside = path.join(place.home, 'outside.txt');
  await writeFile(outside, 'secret\n');
  await symlink(outside, path.join(place.project, 'link.txt'));
  await using editor = await openEditor(place, { capabilities });
  editor.buffers.set(outside, 'secret buffer\n');
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'call write {"path":"notes.txt","content":"by Rondo\\n"}');
  expect(await readFile(file, 'utf8')).toBe('by Rondo\n');
  await say(editor, sessionId, 'call read {"path":"link.txt"}');
  expect(editor.said()).not.toContain('secret');
});

test('[C157] additional directories are part of the session, until it is opened without them', async () => {
  await using place = await createCliPlace();
  const shared = path.join(place.home, 'shared');
  await mkdir(shared);
  await writeFile(path.join(shared, 'a.txt'), 'shared text\n');
  const call = `call read {"path":${JSON.stringify(path.join(shared, 'a.txt'))}}`;
  await using editor = await openEditor(place);
  const opened = { cwd: place.project, mcpServers: [] };
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    ...opened,
    additionalDirectories: [shared],
  });
  editor.onPermission = async () => ({ outcome: { outcome: 'selected', optionId: 'reject' } });
  await say(editor, sessionId, call);
  expect(editor.said()).toContain('shared text');
  await editor.agent.request(methods.agent.session.resume, { ...opened, sessionId });
  const before = editor.said().length;
  await say(editor, sessionId, call);
  expect(editor.said().slice(before)).not.toContain('shared text');
  await expect(
    editor.agent.request(methods.agent.session.new, { ...opened, additionalDirectories: ['relative'] }),
  ).rejects.toThrow('Additional directory relative: it must be absolute.');
});

test('[C157] an editor that draws terminals shows a command as one, which Rondo runs', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place, { capabilities: { _meta: { terminal_output: true } } });
  const sessionId = await newSession(editor, place);
  const command = 'echo one; echo two >&2; exit 3';
  await say(editor, sessionId, `call shell ${JSON.stringify({ command })}\nsay over`);
  const updates = editor.updates.flatMap((update) =>
    (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') && update._meta
      ? [{ meta: update._meta, content: update.content }]
      : [],
  );
  const [first] = updates;
  const terminalId = (first?.meta['terminal_info'] as { terminal_id: string } | undefined)?.terminal_id ?? '';
  expect(first).toEqual({
    meta: { terminal_info: { terminal_id: terminalId, cwd: place.project } },
    content: [{ type: 'terminal', terminalId }],
  });
  const drawn = updates.map(({ meta }) => (meta['terminal_output'] as { data?: string } | undefined)?.data ?? '');
  expect(drawn.join('')).toContain('one\n');
  expect(updates.at(-1)).toMatchObject({
    meta: { terminal_exit: { terminal_id: terminalId, signal: null } },
    content: [{ type: 'terminal', terminalId }, ...(updates.at(-1)?.content ?? []).slice(1)],
  });
  // One that loads the session later gets the output as text.
  await using other = await openEditor(place, { capabilities: { _meta: { terminal_output: true } } });
  await other.agent.request(methods.agent.session.load, { sessionId, cwd: place.project, mcpServers: [] });
  expect(JSON.stringify(other.updates)).toContain('two');
  expect(JSON.stringify(other.updates)).not.toContain('terminalId');
});
