import { describe, expect, test } from 'vitest';

import { answeredIntent, questionAbout } from './clarify.ts';
import type { Intent } from '../words/intent.ts';
import { shippedVerbs } from './shipped-verbs.ts';
import { understand } from './transducer.ts';

const fixToo = [{ verb: 'fix', category: 'mutation', score: 60 }] as const;
const unclear: Intent = { ...understand('review it'), ambiguity: fixToo };
const about = (intent: Intent, ...rest: [Parameters<typeof questionAbout>[2]?]) =>
  questionAbout(intent, shippedVerbs, ...rest);

describe('what was meant is asked', () => {
  test('[C104] where two close verbs differ in what they change', () => {
    expect(about(unclear)).toEqual({
      text: 'Shall I review or fix?',
      choices: [
        { label: 'review (changes nothing)', verb: 'review' },
        { label: 'fix (changes files)', verb: 'fix' },
      ],
    });
  });

  test('[C104] where nothing was recognised', () => {
    expect(about(understand('hm, the parser'))).toEqual({
      text: 'What should I do?',
      choices: [
        { label: 'explain (changes nothing)', verb: 'explain' },
        { label: 'fix (changes files)', verb: 'fix' },
        { label: 'implement (changes files)', verb: 'implement' },
        { label: 'review (changes nothing)', verb: 'review' },
        { label: 'test (changes files)', verb: 'test' },
      ],
    });
  });

  test('[C104] where a verb is one that nobody serves', () => {
    expect(about({ ...understand('fix it'), verb: 'juggle' })?.text).toBe('What should I do?');
  });

  test('[C104] where a model is under .7 sure, with its reading first', () => {
    expect(about({ ...understand('fix it'), by: 'model', confidence: 0.2 })).toEqual({
      text: 'Shall I fix, or do something else?',
      choices: [
        { label: 'fix (changes files)', verb: 'fix' },
        { label: 'explain (changes nothing)', verb: 'explain' },
        { label: 'implement (changes files)', verb: 'implement' },
        { label: 'review (changes nothing)', verb: 'review' },
        { label: 'test (changes files)', verb: 'test' },
      ],
    });
  });

  test('[C104] where several files fit the named one, or none does well', () => {
    const intent = understand('explain index.ts');
    const candidates = ['a/index.ts', 'b/index.ts'];
    const choices = [
      { label: 'a/index.ts', target: 'a/index.ts' },
      { label: 'b/index.ts', target: 'b/index.ts' },
      { label: 'index.ts, as I wrote it' },
    ];
    expect(about(intent, { type: 'unsure', why: 'several', candidates })).toEqual({
      text: 'Which index.ts do you mean?',
      choices,
    });
    expect(about(intent, { type: 'unsure', why: 'unlike', candidates })).toEqual({
      text: 'There is no index.ts. Which file do you mean?',
      choices,
    });
  });
});

test.each<[string, Intent]>([
  ['both readings change nothing', { ...unclear, ambiguity: [{ verb: 'audit', category: 'query', score: 60 }] }],
  ['the verb was typed', { ...unclear, by: 'typed' }],
  ['a model is sure', { ...understand('fix it'), by: 'model', confidence: 0.7 }],
  ['the rules found a verb', understand('fix the parser')],
])('[C104] nothing is asked where %s', (_, intent) => {
  expect(about(intent)).toBeUndefined();
});

describe('an answer', () => {
  const choices = about(unclear)?.choices ?? [];
  const asked: Intent = { ...unclear, choices };

  test.each(['fix (changes files)', 'fix', 'Fix'])('[C104] %s picks what was offered', (answer) => {
    const { matched: _, ...rest } = unclear;
    expect(answeredIntent(asked, answer, shippedVerbs)).toEqual({
      ...rest,
      verb: 'fix',
      category: 'mutation',
      ambiguity: [],
      confidence: 1,
      by: 'person',
    });
  });

  test("[C104] in the person's own words says what to do, to what, and whether to change anything", () => {
    const intent = answeredIntent(asked, "run the tests in src/a.test.ts, don't change anything", shippedVerbs);
    expect(intent).toMatchObject({
      verb: 'test',
      target: { text: 'src/a.test.ts' },
      readOnly: true,
      by: 'person',
    });
  });

  test('[C104] that names no verb leaves the one that was understood', () => {
    expect(answeredIntent(asked, 'the second one', shippedVerbs)).toMatchObject({ verb: 'review', by: 'person' });
  });

  test('[C102] never lifts what was read-only', () => {
    expect(answeredIntent({ ...asked, readOnly: true }, 'fix', shippedVerbs).readOnly).toBe(true);
  });
});
