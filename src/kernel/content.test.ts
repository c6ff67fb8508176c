import { describe, expect, test } from 'vitest';

import { effect, given, type GivenInput } from '../testing/given.ts';
import { call, chat, created, interrupted, replied, toolSettled } from '../testing/inputs.ts';
import { estimateTokens, isBlobRef, lengthOf, previewOf, type BlobRef } from './content.ts';
import type { BlobHash } from './ids.ts';

const blob: BlobRef = { blob: 'sha256-1' as BlobHash, length: 41, preview: 'Once' };

describe('a body', () => {
  test.for([
    { body: '', length: 0, tokens: 0, preview: '' },
    { body: 'abcde', length: 5, tokens: 2, preview: 'abcde' },
    { body: blob, length: 41, tokens: 11, preview: 'Once' },
  ])('[L4] has a length, an estimate of tokens and a preview: $length', ({ body, length, tokens, preview }) => {
    expect({ length: lengthOf(body), tokens: estimateTokens(body), preview: previewOf(body) }).toEqual({
      length,
      tokens,
      preview,
    });
    expect(isBlobRef(body)).toBe(body === blob);
  });
});

describe('the context', () => {
  const external = { name: 'o', runs: 'external' } as const;
  const reported = (report: object) =>
    ({ type: 'agent-reported', effect: effect(4), attempt: 1, report }) as unknown as GivenInput;

  test.for<{ name: string; inputs: readonly GivenInput[]; messages: number; tokens: number }>([
    { name: 'nothing yet', inputs: [created()], messages: 0, tokens: 0 },
    { name: 'a prompt that waits', inputs: [created(), chat('abcd'), chat('abcd')], messages: 1, tokens: 1 },
    { name: 'a prompt kept as a blob', inputs: [created(), { ...chat(''), text: blob }], messages: 1, tokens: 11 },
    {
      name: 'a reply with a call, and its result',
      inputs: [
        created(),
        chat('abcd'),
        replied('ses_1.4', 'abcdefgh', [call('a')]),
        toolSettled('ses_1.6', 'abcd'),
      ],
      messages: 3,
      tokens: 5,
    },
    {
      name: 'what a cancelled reply had said',
      inputs: [created(), chat('abcd'), interrupted, replied('ses_1.4', 'abcdefgh')],
      messages: 2,
      tokens: 3,
    },
    {
      name: 'the words of an external agent',
      inputs: [created({ agent: external }), chat('abcd'), reported({ type: 'message', text: 'abcd' })],
      messages: 2,
      tokens: 2,
    },
    {
      name: 'but not its thoughts',
      inputs: [created({ agent: external }), chat('abcd'), reported({ type: 'thought', text: 'abcd' })],
      messages: 1,
      tokens: 1,
    },
  ])('[L4][P10] is known by its size, not its content: $name', ({ inputs, messages, tokens }) => {
    expect(given(...inputs).state.context).toEqual({ from: 1, messages, tokens });
  });
});
