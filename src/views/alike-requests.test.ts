import { expect, test } from 'vitest';

import type { QuestionSubject } from '../kernel/question.ts';
import { alikeRequests } from './alike-requests.ts';
import type { OpenQuestion } from './open-question.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

const request = (id: string, about: Partial<Approval> = {}): OpenQuestion =>
  ({
    id,
    openedAt: 0,
    about: {
      type: 'approval',
      call: id,
      tool: 'edit',
      rule: 'default',
      reason: '',
      effect: 'edit',
      grants: ['edits [edit]'],
      ...about,
    },
  }) as OpenQuestion;

const ids = (open: readonly OpenQuestion[], isDangerous: (one: OpenQuestion) => boolean = () => false) =>
  alikeRequests(request('a'), open, isDangerous).map(({ id }) => id);

test('[C128] requests are equal if the same rule would cover them and the same rule asked', () => {
  const others = [
    request('a'),
    request('b'),
    request('other tool', { tool: 'write' }),
    request('other rule', { rule: 'ask edit(*)' }),
    request('other grant', { grants: ['edit(src/**)'] }),
    request('more effect', { effect: 'outside' }),
    request('c'),
  ];
  expect(ids(others)).toEqual(['b', 'c']);
  expect(ids(others.map((one) => ({ ...one, about: { ...one.about, grants: [] } as Approval })))).toEqual([]);
});

test('[C128] what can’t be undone is never answered with others', () => {
  const open = [request('b'), request('c')];
  expect(ids(open, ({ id }) => id === 'b')).toEqual(['c']);
  expect(ids(open, ({ id }) => id === 'a')).toEqual([]);
});
