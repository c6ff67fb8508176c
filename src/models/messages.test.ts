import { describe, expect, it } from 'vitest';

import type { BlobHash, CallId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import { toPrompt } from './messages.ts';

const blob = { blob: 'h1' as BlobHash, length: 5000, preview: 'The opening' };
const read = async () => 'The whole text';

function prompt(messages: readonly Message[], system = '') {
  return toPrompt({ system, messages, read });
}

function call(id: string, args = '{"path":"a"}') {
  return { id: id as CallId, tool: 'look', args };
}

function result(
  id: string,
  text: Message['text'],
  outcome: 'success' | 'error' | 'cancelled' | 'refused' = 'success',
): Message {
  return { role: 'tool', call: id as CallId, tool: 'look', outcome, text };
}

function notice(text: string) {
  return { role: 'user', content: [{ type: 'text', text: `<notice>${text}</notice>` }] };
}

function resultPart(id: string, output: object) {
  return { type: 'tool-result', toolCallId: id, toolName: 'look', output };
}

describe('the prompt', () => {
  it('has the system prompt first and reads what was said whole', async () => {
    expect(
      await prompt(
        [
          { role: 'user', text: blob },
          { role: 'assistant', text: 'Sure. \n', reasoning: 'hm', calls: [] },
        ],
        'Be brief.',
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'The whole text' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Sure.' }] },
    ]);
  });

  it('puts results after their calls, in the order of the calls, before anything in between', async () => {
    const messages: Message[] = [
      { role: 'user', text: 'go' },
      { role: 'assistant', text: 'Looking', calls: [call('1'), call('2')] },
      result('2', 'second'),
      { role: 'notice', text: 'Worker w1 completed' },
      result('1', 'no file', 'error'),
    ];
    expect((await prompt(messages)).slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking' },
          { type: 'tool-call', toolCallId: '1', toolName: 'look', input: { path: 'a' } },
          { type: 'tool-call', toolCallId: '2', toolName: 'look', input: { path: 'a' } },
        ],
      },
      {
        role: 'tool',
        content: [
          resultPart('1', { type: 'error-text', value: 'no file' }),
          resultPart('2', { type: 'text', value: 'second' }),
        ],
      },
      notice('Worker w1 completed'),
    ]);
  });

  it('reports a missing result, and turns a result without its call into a notice', async () => {
    const messages: Message[] = [
      result('9', 'late'),
      { role: 'user', text: 'go' },
      { role: 'assistant', text: '', calls: [call('1')] },
      result('8', 'other'),
    ];
    expect(await prompt(messages)).toEqual([
      notice('The tool look, called earlier, gave (success): late'),
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'look', input: { path: 'a' } }],
      },
      {
        role: 'tool',
        content: [
          resultPart('1', {
            type: 'error-text',
            value: 'No result: the call was not carried out or its result is lost.',
          }),
        ],
      },
      notice('The tool look, called earlier, gave (success): other'),
    ]);
  });

  it.each([
    [result('1', ''), { type: 'text', value: '(no output)' }],
    [result('1', 'half', 'cancelled'), { type: 'error-text', value: 'Cancelled. half' }],
    [result('1', 'rule 3', 'refused'), { type: 'error-text', value: 'Not allowed, and not run. rule 3' }],
    [result('1', blob), { type: 'text', value: 'The whole text' }],
    [
      result('1', `${'a'.repeat(20_000)}${'b'.repeat(7)}${'c'.repeat(10_000)}`),
      {
        type: 'text',
        value: `${'a'.repeat(20_000)}\n[7 characters are left out here; ask for the part you need]\n${'c'.repeat(10_000)}`,
      },
    ],
  ])('tells an outcome as the model can use it (%#)', async (message, output) => {
    const messages = await prompt([
      { role: 'user', text: 'go' },
      { role: 'assistant', text: '', calls: [call('1')] },
      message,
    ]);
    expect(messages.at(-1)).toEqual({ role: 'tool', content: [resultPart('1', output)] });
  });

  it('opens with a notice where the conversation opens with the assistant, and leaves out empty replies', async () => {
    const messages: Message[] = [
      { role: 'assistant', text: 'As I said', calls: [] },
      { role: 'assistant', text: '', calls: [] },
      { role: 'user', text: '' },
    ];
    expect(await prompt(messages)).toEqual([
      notice('The conversation before this is not shown.'),
      { role: 'assistant', content: [{ type: 'text', text: 'As I said' }] },
      { role: 'user', content: [{ type: 'text', text: '(empty message)' }] },
    ]);
  });

  it('sends images as data and text files as text', async () => {
    const attachments = [
      { name: 'a.png', mediaType: 'image/png', content: 'data:image/png;base64,AAAA' },
      { name: 'b.pdf', mediaType: 'application/pdf', content: 'BBBB' },
      { name: 'c "d".json', mediaType: 'application/json', content: '{"a":1}' },
    ];
    expect(await prompt([{ role: 'user', text: '', attachments }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', filename: 'a.png', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'file', filename: 'b.pdf', mediaType: 'application/pdf', data: { type: 'data', data: 'BBBB' } },
          { type: 'text', text: '<attachment name="c \\"d\\".json">\n{"a":1}\n</attachment>' },
        ],
      },
    ]);
  });

  it('sends ids and arguments that every provider takes', async () => {
    const strange = [call('call|1/ü', ''), call('x'.repeat(80), '[1]'), call('3', '{"cut')];
    const [, spoken] = await prompt([
      { role: 'user', text: 'go' },
      { role: 'assistant', text: '', calls: strange },
    ]);
    expect(spoken?.content).toEqual([
      { type: 'tool-call', toolCallId: 'call_1__', toolName: 'look', input: {} },
      { type: 'tool-call', toolCallId: 'x'.repeat(64), toolName: 'look', input: { value: [1] } },
      { type: 'tool-call', toolCallId: '3', toolName: 'look', input: { unreadable: '{"cut' } },
    ]);
  });

  it('marks both ends of the stable prefix for the cache', async () => {
    const hint = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const messages: Message[] = [
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 'two', calls: [] },
      { role: 'user', text: 'three' },
    ];
    const marked = await toPrompt({ system: 'Be brief.', messages, read }, hint);
    expect(marked.map(({ providerOptions }) => providerOptions)).toEqual([hint, undefined, undefined, hint]);
  });
});

describe('what a provider wants back', () => {
  it('returns signed thinking blocks and marked calls, but no other thinking', async () => {
    const signature = { anthropic: { signature: 's1' } };
    const mark = { google: { thoughtSignature: 't1' } };
    const messages = await prompt([
      { role: 'user', text: 'go' },
      {
        role: 'assistant',
        text: 'Looking.',
        reasoning: 'unsignedsigned',
        calls: [call('1')],
        carry: { reasoning: [{ length: 8 }, { length: 6, data: signature }], calls: { 1: mark } },
      },
      result('1', 'seen'),
    ]);
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'signed', providerOptions: signature },
        { type: 'text', text: 'Looking.' },
        expect.objectContaining({ type: 'tool-call', toolCallId: '1', providerOptions: mark }),
      ],
    });
  });
});
