import { expect, test } from 'vitest';

import type { CallId } from '../../kernel/ids.ts';
import type { QuestionSubject } from '../../kernel/question.ts';
import { cardChoices } from '../../wording/card-choices.ts';
import { afterFrame, cardKey, newCardState, type CardFacts, type CardKey } from './card-state.ts';

const approval: QuestionSubject = {
  type: 'approval',
  call: 'c' as CallId,
  tool: 'shell',
  rule: 'default',
  reason: '',
  grants: ['shell(ls)'],
};

function pressed(about: QuestionSubject, keys: readonly (CardKey | string)[], given: Partial<CardFacts> = {}) {
  const facts: CardFacts = {
    choices: cardChoices({ about }, 'shop'),
    choicesSince: -1000,
    isDangerous: false,
    mustSee: 0,
    shown: { from: 0, to: 4 },
    files: 0,
    isSideBySide: false,
    canEdit: false,
    holdMs: 0,
    now: 0,
    ...given,
  };
  let state = newCardState('q_1', facts);
  for (const [index, key] of keys.entries()) {
    const press: CardKey = typeof key === 'string' ? { type: 'letter', letter: key } : key;
    // Each frame shows four lines of the body.
    const from = Math.min(state.scroll ?? 0, Math.max(0, facts.mustSee - 4));
    const shown = { from, to: Math.min(from + 4, Math.max(4, facts.mustSee)) };
    state = afterFrame(state, shown);
    const step = cardKey(state, press, { ...facts, shown, now: index * 1000 });
    ({ state } = step);
    if (step.isText === true) return 'text';
    if (step.act !== undefined) return step.act.type === 'answer' ? step.act.answer : step.act.type;
  }
  return 'nothing';
}

test('[C128] letters and digits answer what can be answered, in either case, and nothing else', () => {
  const meant = (about: QuestionSubject, keys: string) => keys.split('').map((key) => pressed(about, [key]));
  expect(meant(approval, 'ySan')).toEqual([
    { type: 'allow-once' },
    { type: 'allow-session' },
    { type: 'allow-always' },
    { type: 'reject' },
  ]);
  expect(meant(approval, 'r1249x')).toEqual([
    'reason',
    { type: 'allow-once' },
    { type: 'allow-session' },
    { type: 'reject' },
    'nothing',
    'text',
  ]);
  expect(meant({ ...approval, grants: [] }, 'sa')).toEqual(['text', 'text']);
  const choice: QuestionSubject = { type: 'clarification', text: 'Which?', options: ['red', 'blue'] };
  expect(meant(choice, '1230y')).toEqual([
    { type: 'option', option: 'red' },
    { type: 'option', option: 'blue' },
    'write',
    { type: 'text', text: 'You decide.' },
    'text',
  ]);
});

test("[C128] [P8] a prompt typed on a card answers nothing: its first letter isn't a choice", () => {
  expect(pressed(approval, 'delete'.split(''))).toBe('text');
  expect(pressed(approval, ['t'])).toBe('text');
});

test('[C128] arrows choose and Enter confirms; the first row is selected', () => {
  expect(pressed(approval, [{ type: 'enter' }])).toEqual({ type: 'allow-once' });
  expect(pressed(approval, [{ type: 'down' }, { type: 'enter' }])).toEqual({ type: 'allow-session' });
  expect(pressed(approval, [{ type: 'down' }, { type: 'up' }, { type: 'up' }, { type: 'enter' }])).toEqual({
    type: 'allow-once',
  });
});

test('[C128] what can’t be undone needs the same key twice within three seconds, and Enter does nothing', () => {
  const danger = { isDangerous: true };
  expect(pressed(approval, [{ type: 'enter' }], danger)).toBe('nothing');
  expect(pressed(approval, ['y'], danger)).toBe('nothing');
  expect(pressed(approval, ['y', 'y'], danger)).toEqual({ type: 'allow-once' });
  expect(pressed(approval, ['y', 's'], danger)).toBe('nothing');
  expect(pressed(approval, ['y', '9', '9', '9', 'y'], danger)).toBe('nothing');
  expect(pressed(approval, ['n'], danger)).toEqual({ type: 'reject' });
});

test('[C128] a yes counts only after every part was on the screen', () => {
  expect(pressed(approval, ['y', 'y', 'y'], { isDangerous: true, mustSee: 9 })).toBe('nothing');
  expect(pressed(approval, ['y', 'y', 'y', 'y'], { isDangerous: true, mustSee: 9 })).toEqual({
    type: 'allow-once',
  });
  expect(pressed(approval, ['y', 'y'], { mustSee: 9 })).toBe('nothing');
  expect(pressed(approval, ['n'], { isDangerous: true, mustSee: 9 })).toEqual({ type: 'reject' });
});

test('[C128] where a held key can’t be told from a second press, one that comes as early as a repetition counts for nothing', () => {
  const facts: CardFacts = {
    choices: cardChoices({ about: approval }, 'shop'),
    choicesSince: -1000,
    isDangerous: true,
    mustSee: 0,
    shown: { from: 0, to: 4 },
    files: 0,
    isSideBySide: false,
    canEdit: false,
    holdMs: 1100,
    now: 0,
  };
  const pressedAt = (...times: readonly number[]) => {
    let state = newCardState('q_1', facts);
    return times.map((now) => {
      const step = cardKey(state, { type: 'letter', letter: 'y' }, { ...facts, now });
      ({ state } = step);
      return step.act === undefined ? 'nothing' : 'yes';
    });
  };
  // Let go after the first repetition, at the slowest and the fastest setting of a keyboard.
  expect([pressedAt(0, 1000), pressedAt(0, 250)]).toEqual([
    ['nothing', 'nothing'],
    ['nothing', 'nothing'],
  ]);
  expect([pressedAt(0, 500, 1500), pressedAt(0, 1200), pressedAt(0, 4000), pressedAt(0, 4200)]).toEqual([
    ['nothing', 'nothing', 'yes'],
    ['nothing', 'yes'],
    ['nothing', 'yes'],
    ['nothing', 'nothing'],
  ]);
});

test('[C128] a page that skipped lines hasn’t shown them: a yes goes back to them', () => {
  const facts = {
    choices: cardChoices({ about: approval }, 'shop'),
    choicesSince: 0,
    isDangerous: false,
    mustSee: 12,
    files: 0,
    holdMs: 0,
    now: 0,
  };
  const full = { ...facts, isSideBySide: false, canEdit: false, shown: { from: 8, to: 12 } };
  const seen = afterFrame(afterFrame(newCardState('q_1', facts), { from: 0, to: 4 }), full.shown);
  expect(cardKey(seen, { type: 'letter', letter: 'y' }, full).state.scroll).toBe(1);
});

test('[C128] L allows all equal requests; V and the brackets belong to a diff, elsewhere V begins a prompt', () => {
  const alike = { choices: cardChoices({ about: approval }, 'shop', [{ about: approval }]) };
  expect(pressed(approval, ['L'], alike)).toBe('answer-alike');
  expect(pressed(approval, ['l'])).toBe('text');
  expect(pressed(approval, ['v'])).toBe('text');
  expect(pressed(approval, ['v', { type: 'next-file' }, { type: 'previous-file' }], { files: 2 })).toBe('nothing');
});

test('[C128] the selected choice stays selected while others come, and a digit for the list before chooses nothing', () => {
  const before = { choices: cardChoices({ about: approval }, 'shop') };
  const after = { choices: cardChoices({ about: approval }, 'shop', [{ about: approval }]) };
  const facts = {
    isDangerous: false,
    choicesSince: 0,
    mustSee: 0,
    shown: { from: 0, to: 4 },
    files: 0,
    isSideBySide: false,
    canEdit: false,
    holdMs: 0,
    now: 1000,
  };
  let state = newCardState('q_1', { ...facts, ...before });
  for (let press = 0; press < 3; press += 1)
    ({ state } = cardKey(state, { type: 'down' }, { ...facts, ...before }));
  const rejects = { type: 'answer', answer: { type: 'reject' } };
  expect(cardKey(state, { type: 'enter' }, { ...facts, ...after }).act).toEqual(rejects);
  const four: CardKey = { type: 'letter', letter: '4' };
  expect(cardKey(state, four, { ...facts, ...before }).act).toEqual(rejects);
  expect(cardKey(state, four, { ...facts, ...after, choicesSince: 900 }).act).toBeUndefined();
  expect(cardKey(state, four, { ...facts, ...after, choicesSince: 700 }).act).toEqual({ type: 'answer-alike' });
});
