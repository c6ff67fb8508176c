import { expect, test } from 'vitest';

import type { InputBody } from '../../kernel/input.ts';
import { question } from '../../testing/given.ts';
import { answered, chat } from '../../testing/inputs.ts';
import { completeInput } from './complete-input.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

const put = () => Promise.reject(new Error('Nothing is long.'));
const meaning = { intent: 'look', rules: [] };

/** A session whose turn waits for an answer to this question about its prompt. */
const clarifying = (asked: string | undefined) =>
  ({
    state: {
      phase: {
        type: 'turn',
        turn: {
          activity: asked === undefined ? { type: 'calling-model' } : { type: 'clarifying', question: asked },
        },
      },
    },
  }) as unknown as EffectHost;

const complete = (body: InputBody, asked: string | undefined, clarified?: () => Promise<unknown>) =>
  completeInput(body, clarifying(asked), {
    put,
    interpreter: (clarified === undefined ? {} : { clarified }) as never,
  });

test('[U1] an answer about the prompt brings what the prompt means with it', async () => {
  const body = answered(question(5), 'allow-once');
  expect(await complete(body, question(5), async () => meaning)).toEqual({ ...body, meaning });
  expect(await complete(body, question(5), async () => undefined)).toBe(body);
});

test('[U1] every other input passes unchanged, at once', () => {
  const body = answered(question(5), 'allow-once');
  const never = () => Promise.reject(new Error('Nobody asks what it means.'));
  expect(complete(body, question(6), never)).toBe(body);
  expect(complete(body, undefined, never)).toBe(body);
  expect(complete(body, question(5))).toBe(body);
  const given = { ...body, meaning } as InputBody;
  expect(complete(given, question(5), never)).toBe(given);
  expect(complete(chat('hi'), question(5), never)).toEqual(chat('hi'));
});
