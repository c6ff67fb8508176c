// [C157] An editor that lends its files: unsaved changes are read and edited, and rules still judge.
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
