import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { openDriver } from '../../journal/sqlite/driver.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readClaudeTranscript } from './claude-transcript.ts';
import { readCodexTranscript } from './codex-transcript.ts';
import { findTranscripts, type OtherTool } from './find-transcripts.ts';
import { recordedSteps } from './recorded-steps.ts';

/** Recorded with Claude Code 2.1.326, Codex 0.169.0 and Gemini CLI 0.61.0, shortened. */
const recordings = path.resolve(import.meta.dirname, '../../../test/fixtures/other-tools');

async function onlyOne(tool: OtherTool, home = recordings) {
  const [first, ...others] = await findTranscripts(tool, home);
  expect(others).toEqual([]);
  return first?.read();
}

const look = { type: 'text', text: 'Let me look.' };
const first = { type: 'text', text: 'First answer.' };

test('[C144] a conversation of Claude Code: sub-agents left out, a torn line skipped, unknown parts kept as text', async () => {
  expect(await onlyOne('claude')).toEqual({
    id: '0a852960-8af0-43e6-9e54-1a05d45b96db',
    cwd: '/home/me/shop',
    turns: [
      {
        at: Date.parse('2026-11-18T03:30:35.611Z'),
        prompt: 'say hi',
        parts: [
          look,
          { type: 'call', tool: 'Bash', args: { command: 'echo hi', description: 'Say hi' }, output: 'hi' },
          first,
        ],
      },
      {
        at: Date.parse('2026-11-18T03:30:36.779Z'),
        prompt: 'and again',
        parts: [
          { type: 'text', text: 'Second answer.' },
          { type: 'text', text: '[not understood on import] {"type":"hologram","beam":1}' },
        ],
      },
    ],
    unknown: 1,
  });
});

test('[C144] a conversation of Codex, without what it writes in the person’s name', async () => {
  expect(await onlyOne('codex')).toEqual({
    id: 'rollout-2026-11-18T03-32-08-01a1ecb6-3d45-7cf0-9b8e-f14988231a98',
    cwd: '/home/me/shop',
    turns: [
      {
        at: Date.parse('2026-11-18T03:32:08.940Z'),
        prompt: 'say hi',
        parts: [
          look,
          {
            type: 'call',
            tool: 'exec_command',
            args: { cmd: 'echo hi' },
            output: expect.stringContaining('hi\n') as string,
          },
          first,
        ],
      },
    ],
    unknown: 0,
  });
});

test('[C144] a conversation of Gemini CLI: a repeated line replaces the earlier one', async () => {
  expect(await onlyOne('gemini')).toEqual({
    id: 'session-2026-11-18T03-33-2735e46d',
    turns: [
      {
        at: Date.parse('2026-11-18T03:33:22.982Z'),
        prompt: 'say hi',
        parts: [
          look,
          {
            type: 'call',
            tool: 'list_directory',
            args: { dir_path: '.' },
            output: 'Directory listing for /home/me/shop:\n\n\n(1 ignored)',
          },
          first,
        ],
      },
    ],
    unknown: 0,
  });
});

test('[C144] a conversation of OpenCode 1.18.34, from its database', async () => {
  await using place = await temporaryFolder({ '.local/share/opencode/': '' });
  const db = openDriver(place.at('.local/share/opencode/opencode.db'), { busyTimeoutMs: 1000 });
  db.exec(`
    CREATE TABLE session (id TEXT, parent_id TEXT, title TEXT, directory TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
    INSERT INTO session VALUES ('ses_1', NULL, 'A title', '/home/me/shop', 1), ('ses_2', 'ses_1', 'child', '/', 2);
    INSERT INTO message VALUES ('m1', 'ses_1', 1, '{"role":"user","time":{"created":1794972743281}}'),
      ('m2', 'ses_1', 2, '{"role":"assistant"}');
    INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"say hi"}'),
      ('p2', 'm2', 'ses_1', '{"type":"step-start"}'), ('p3', 'm2', 'ses_1', '{"type":"text","text":"Let me look."}'),
      ('p4', 'm2', 'ses_1', '{"type":"tool","tool":"bash","callID":"c","state":{"input":{"command":"echo hi"},"output":"hi"}}'),
      ('p5', 'm2', 'ses_1', 'not JSON');
  `);
  db.close();
  expect(await onlyOne('opencode', place.folder)).toEqual({
    id: 'ses_1',
    title: 'A title',
    cwd: '/home/me/shop',
    turns: [
      {
        at: 1794972743281,
        prompt: 'say hi',
        parts: [
          look,
          { type: 'call', tool: 'bash', args: { command: 'echo hi' }, output: 'hi' },
          { type: 'text', text: '[not understood on import] {}' },
        ],
      },
    ],
    unknown: 1,
  });
});

test('[C144] what is torn, unknown or said before the first prompt is kept and counted; times that cannot be are left out', () => {
  const lines = [
    { type: 'assistant', message: { content: [{ type: 'text', text: 'Said before.' }] } },
    '{"type":"assistant","mess',
    {
      type: 'user',
      timestamp: 1e300,
      message: { content: ['one', 'two'].map((text) => ({ type: 'text', text })) },
    },
    { type: 'hologram', beam: 1 },
    { type: 'file-history-snapshot' },
    '{"type":"user","mes',
  ];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const unknown = (entry: object) => ({
    type: 'text',
    text: `[not understood on import] ${JSON.stringify(entry)}`,
  });
  expect(readClaudeTranscript(text, 'id')).toEqual({
    id: 'id',
    turns: [
      {
        at: 0,
        prompt: '',
        parts: [
          { type: 'text', text: 'Said before.' },
          unknown({ type: 'broken-line', line: '{"type":"assistant","mess' }),
        ],
      },
      { at: 0, prompt: 'one\ntwo', parts: [unknown({ type: 'hologram', beam: 1 })] },
    ],
    unknown: 2,
  });
});

test('[C144] odd answers of a file that is not what it seems: nested deep, without results, in words alone', () => {
  const deep = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":';
  const lines = [
    JSON.stringify({ type: 'user', message: { content: 'go' } }),
    `${deep}${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]}}`,
    JSON.stringify({ type: 'assistant', message: { content: 'In words.' } }),
    JSON.stringify({ type: 'assistant', message: { content: [['nested'], 7] } }),
    JSON.stringify({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: '2', name: 'Bash', input: { command: 'rm -rf /' } }] },
    }),
  ];
  const { turns, unknown } = readClaudeTranscript(lines.join('\n'), 'id');
  expect([turns.map(({ parts }) => parts), unknown]).toEqual([
    [
      [
        { type: 'text', text: expect.stringMatching(/^\[not understood on import\] \{"type":"broken-line"/) },
        { type: 'text', text: 'In words.' },
        { type: 'text', text: '[not understood on import] {"type":"assistant","part":["nested"]}' },
        { type: 'text', text: '[not understood on import] {"type":"assistant","part":7}' },
        { type: 'call', tool: 'Bash', args: { command: 'rm -rf /' }, output: '[No result was recorded.]' },
      ],
    ],
    3,
  ]);
});

test('[C144] a link, a pipe, a folder or a file that is no database is reported and keeps none of the others out', async () => {
  const prompt = '{"type":"user","message":{"content":"hi"}}';
  await using place = await temporaryFolder({
    '.claude/projects/p/good.jsonl': prompt,
    '.claude/projects/p/folder.jsonl/': '',
    'elsewhere.jsonl': prompt,
    '.local/share/opencode/opencode.db': 'this is no database, and never was one',
  });
  await symlink(place.at('elsewhere.jsonl'), place.at('.claude/projects/p/link.jsonl'));
  await symlink('/nowhere', place.at('.claude/projects/p/dangling.jsonl'));
  execFileSync('mkfifo', [place.at('.claude/projects/p/pipe.jsonl')]);
  const read = async (tool: OtherTool) =>
    Promise.all(
      (await findTranscripts(tool, place.folder)).map(async (found) => [
        path.basename(found.place),
        await found.read().then(
          ({ turns }) => turns.length,
          (error: Error) => error.message,
        ),
      ]),
    );
  expect(Object.fromEntries(await read('claude'))).toEqual({
    'good.jsonl': 1,
    'folder.jsonl': "it isn't a plain file",
    'link.jsonl': "it isn't a plain file",
    'dangling.jsonl': "it isn't a plain file",
    'pipe.jsonl': "it isn't a plain file",
  });
  expect(await read('opencode')).toEqual([['opencode.db', 'file is not a database']]);
});

test('[C144] a tool that was never used has no conversations', async () => {
  await using place = await temporaryFolder();
  for (const tool of ['claude', 'codex', 'gemini', 'opencode'] as const) {
    expect(await findTranscripts(tool, place.folder)).toEqual([]);
  }
});

test('[C144] a command that Codex recorded in words is one line', () => {
  const call = (args: object) =>
    JSON.stringify({
      type: 'response_item',
      payload: { type: 'function_call', call_id: 'c1', name: 'shell', arguments: JSON.stringify(args) },
    });
  const prompt = JSON.stringify({
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ text: 'look' }] },
  });
  const argsOf = (args: object) =>
    readCodexTranscript([prompt, call(args)].join('\n'), 'id').turns[0]?.parts.map(
      (part) => 'args' in part && part.args,
    );
  expect([
    argsOf({ command: ['bash', '-lc', 'ls | wc'], workdir: 'src' }),
    argsOf({ command: ['git', 'status'] }),
    argsOf({ command: 'ls' }),
  ]).toEqual([[{ command: 'ls | wc', workdir: 'src' }], [{ command: 'git status' }], [{ command: 'ls' }]]);
});

test('[C144] calls follow the text before them, and a turn that ends with a call gets an answer', () => {
  const call = (tool: string) => ({ type: 'call', tool, args: { a: 1 }, output: 'out' }) as const;
  const step = (tool: string) => ({ tool, args: '{"a":1}', output: 'out' });
  expect(
    recordedSteps([{ type: 'text', text: 'a' }, call('x y'), call('z'), { type: 'text', text: 'b' }, call('w')]),
  ).toEqual([
    { text: 'a', calls: [step('x_y'), step('z')] },
    { text: 'b', calls: [step('w')] },
    { text: '[No answer was recorded.]', calls: [] },
  ]);
});
