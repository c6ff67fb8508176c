import { expect, test } from 'vitest';

import { blobHashOf } from '../../journal/blob-hash.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import { externalise } from './externalise.ts';

const call = (args: string) => ({ id: 'call_1', tool: 'write', args });

/** Every place in an input that may hold long content, filled with it. */
const places: Readonly<Record<string, (long: string) => object>> = {
  'the text of a prompt': (text) => ({ type: 'prompt-received', text }),
  'an attachment': (content) => ({ type: 'prompt-received', text: 'see', attachments: [{ name: 'a', content }] }),
  'an edited prompt': (text) => ({ type: 'queue-changed', change: { type: 'edited', prompt: 1, text } }),
  'a call of a task': (args) => ({ type: 'task-received', calls: [call('{}'), call(args)] }),
  'what a compaction keeps': (keep) => ({ type: 'compaction-requested', keep }),
  'a summary': (summary) => ({ type: 'summary-settled', outcome: { type: 'completed', summary } }),
  'what a model said': (text) => ({ type: 'model-settled', outcome: { type: 'completed', text, calls: [] } }),
  'what a model thought': (reasoning) => ({
    type: 'model-settled',
    outcome: { type: 'completed', text: '', reasoning, calls: [] },
  }),
  'what a model calls': (args) => ({
    type: 'model-settled',
    outcome: { type: 'completed', text: '', calls: [call(args)] },
  }),
  'what a model said before it failed': (partial) => ({
    type: 'model-settled',
    outcome: { type: 'failed', message: 'down', partial },
  }),
  'what a tool gave': (output) => ({ type: 'tool-settled', result: { type: 'success', output } }),
  'the error of a tool': (message) => ({ type: 'tool-settled', result: { type: 'error', message } }),
  'what a cancelled job gave': (output) => ({ type: 'job-settled', result: { type: 'cancelled', output } }),
  'a message of an agent': (text) => ({ type: 'agent-reported', report: { type: 'message', text } }),
  'a thought of an agent': (text) => ({ type: 'agent-reported', report: { type: 'thought', text } }),
  'the output of an agent’s tool': (content) => ({
    type: 'agent-reported',
    report: { type: 'tool-call', content },
  }),
  'a file before an agent’s change': (before) => ({
    type: 'agent-reported',
    report: { type: 'tool-call', diffs: [{ path: 'a', before, after: '' }] },
  }),
  'a file after an agent’s change': (after) => ({
    type: 'agent-reported',
    report: { type: 'tool-call', diffs: [{ path: 'a', after }] },
  }),
  'a call that an agent asks for': (args) => ({
    type: 'agent-asked',
    request: { type: 'permission', call: call(args) },
  }),
};

test.each(Object.entries(places))('[P10] %s is kept as a blob where it is long', async (_, inputWith) => {
  const kept = new Map<BlobHash, string>();
  const put = async (content: string) => {
    const hash = blobHashOf(content);
    kept.set(hash, content);
    return hash;
  };
  const long = `${'long '.repeat(819)}!!`;
  const given = inputWith(long) as InputBody;
  const reference = { blob: blobHashOf(long), length: 4097, preview: long.slice(0, 1024) };
  expect(JSON.stringify(await externalise(given, put))).toBe(
    JSON.stringify(inputWith(reference as unknown as string)),
  );
  expect([...kept.values()]).toEqual([long]);
});

test.each(Object.entries(places))(
  '%s stays in its event where it is short, and costs no promise',
  (_, inputWith) => {
    const given = inputWith('s'.repeat(4096)) as InputBody;
    const put = () => Promise.reject(new Error('Nothing is long.'));
    expect(externalise(given, put)).toBe(given);
  },
);

test('[P10] stores a long list of restored files as a blob beside the outcome', async () => {
  const changed = 'a/file\n'.repeat(1000);
  const outcome = { type: 'restored', changed, restored: 1000, removed: 0 };
  const input = { type: 'restore-settled', outcome } as unknown as InputBody;
  const put = async (content: string) => blobHashOf(content);
  expect(await externalise(input, put)).toEqual({
    type: 'restore-settled',
    outcome: {
      ...outcome,
      changed: { blob: blobHashOf(changed), length: changed.length, preview: changed.slice(0, 1024) },
    },
  });
});
