import { expect, test } from 'vitest';

import type { CallFacts } from '../kernel/call.ts';
import { createBubblewrap } from '../security/bubblewrap.ts';
import type { CommandSandbox } from '../security/command-sandbox.ts';
import { createNoSandbox } from '../security/sandbox.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { confinedFacts } from './confined-facts.ts';
import { sandboxHints } from './sandbox-hints.ts';

const danger = (rule: string, severity: 'ask' | 'deny') => ({ rule, severity, reason: rule });
const facts: CallFacts = {
  access: 'execute',
  segments: [{ text: 'x', opaque: true }],
  dangers: [danger('opaque', 'ask'), danger('git-discard', 'ask'), danger('fork-bomb', 'deny')],
  repeat: 'never',
  order: 'exclusive',
  runs: 'tool',
};

test('safety S8e: inside, only losing work, rewriting history and sending stay dangers', async () => {
  await using place = await temporaryFolder();
  const port = createBubblewrap({ probe: async () => undefined });
  const inside = await confinedFacts(facts, [place.folder], { port, level: 'auto' });
  expect(inside).toEqual({
    ...facts,
    dangers: [danger('git-discard', 'ask'), danger('fork-bomb', 'deny')],
    confined: true,
  });
});

test('safety S8d: without a sandbox the facts stay as they are', async () => {
  const sandbox: CommandSandbox = { port: createNoSandbox('no', 'get one'), level: 'auto' };
  expect(await confinedFacts(facts, ['/nowhere'], sandbox)).toEqual(facts);
  expect(await confinedFacts(facts, ['/nowhere'], undefined)).toEqual(facts);
});

test('a command that fails at the walls of the sandbox is told the way', () => {
  const output = (text: string) => ({ text, bytes: text.length, truncated: false });
  const ended = (code: number, stderr: string) =>
    sandboxHints({ outcome: { type: 'exited', code }, stdout: output(''), stderr: output(stderr) });
  expect(ended(1, 'fatal: .git/index.lock: Read-only file system')).toEqual([
    'The sandbox lets git write only where the whole command line consists of plain git commands.',
  ]);
  expect(ended(1, 'getaddrinfo EAI_AGAIN registry')).toEqual([
    'The sandbox has no network. Set unconfined if the command needs one; a person decides.',
  ]);
  expect([ended(0, 'ENOTFOUND'), ended(1, 'another failure')]).toEqual([[], []]);
});
