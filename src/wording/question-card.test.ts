import { expect, test } from 'vitest';

import type { BlobHash, CallId, QuestionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { questionCard, type CardOptions } from './question-card.ts';

const question = (about: QuestionSubject, more: Partial<OpenQuestion> = {}): OpenQuestion => ({
  id: 'q_1' as QuestionId,
  openedAt: 0,
  about,
  ...more,
});

const approval = (tool: string, grants: readonly string[], unit?: string): QuestionSubject => ({
  type: 'approval',
  call: 'c1' as CallId,
  tool,
  rule: 'default',
  reason: 'No rule covers it.',
  grants,
  ...optional({ unit }),
});

const text = (asked: OpenQuestion, options: CardOptions = {}, answerBy: 'key' | 'command' = 'key') =>
  questionCard(asked, { answerBy, ...options })
    .map((line) => line.text)
    .join('\n');

test('[P8][C158] a command shows every part, what each does, and the exact rules that each answer saves', () => {
  const command = 'du -sh dist && rm -rf dist/old | tee clean.log';
  const segments = [
    { text: 'du -sh dist', effect: 'look' },
    { text: 'rm -rf dist/old', effect: 'delete' },
    { text: 'tee clean.log', effect: 'edit' },
  ] as const;
  const asked = question(approval('shell', ['shell(rm -rf dist/old)', 'shell(tee clean.log)'], 'du -sh dist'), {
    args: JSON.stringify({ command }),
    facts: { segments },
  });
  expect(text(asked)).toBe(`Allow shell: rm -rf dist/old (1 of 3 parts)?  (q_1)
  $ du -sh dist && rm -rf dist/old | tee clean.log
  3 parts, a yes runs all of them:
     1  du -sh dist
  !! 2  rm -rf dist/old  deletes files
  !  3  tee clean.log    changes files in this folder
  Why: No rule covers it. (default)
  y  Allow once          saves no rule
  s  Allow this session  saves shell(rm -rf dist/old); shell(tee clean.log) until the session ends
  n  Deny                tells the agent no`);
  // What can't be undone gets no permanent rule, and the flag without which the command is refused.
  const [, ways = ''] = text(asked, {}, 'command').split('Answer with:\n');
  expect(ways).toBe(`    rondo answer q_1 allow-once --yes-delete     saves no rule
    rondo answer q_1 allow-session --yes-delete  saves shell(rm -rf dist/old); shell(tee clean.log) until the session ends
    rondo answer q_1 reject                      tells the agent no`);
});

test('[P8][C158] an edit shows its diff with the lines of the file', () => {
  const edits = [{ old_text: 'globals: true', new_text: 'globals: false' }];
  const asked = question(approval('edit', ['edit(vitest.config.ts)'], 'vitest.config.ts'), {
    args: JSON.stringify({ path: 'vitest.config.ts', edits }),
    facts: { paths: [{ path: 'vitest.config.ts', access: 'write', inside: true }] },
  });
  const before = 'export default {\n  globals: true,\n};\n';
  expect(text(asked, { before }, 'command')).toBe(`Allow edit on vitest.config.ts?  (q_1)
  vitest.config.ts  +1 −1
     1   export default {
     2 -   globals: true,
     2 +   globals: false,
     3   };
  Why: No rule covers it. (default)
  Answer with:
    rondo answer q_1 allow-once     saves no rule
    rondo answer q_1 allow-session  saves edit(vitest.config.ts) until the session ends
    rondo answer q_1 allow-always   saves edit(vitest.config.ts) for this project
    rondo answer q_1 reject         tells the agent no`);
});

test('offers no wider answer if no rule can be saved', () => {
  const asked = question(approval('shell', [], 'eval x'), {
    args: '{"command":"eval x"}',
    facts: {
      segments: [{ text: 'eval x', opaque: true }],
      dangers: [{ rule: 'opaque', severity: 'ask', reason: "runs code that can't be analyzed", unit: 'eval x' }],
    },
  });
  expect(text(asked)).toBe(`Allow shell: eval x?  (q_1)
  !! runs code that can't be analyzed
  Why: No rule covers it. (default)
  y  Allow once  saves no rule
  n  Deny        tells the agent no`);
});

test('[P8] a third-party tool shows all its arguments, with all their lines', () => {
  const asked = question(approval('mcp__mail__send', ['mcp__mail__send']), {
    args: JSON.stringify({ to: 'a@example.org', body: 'one\ntwo\u200B', copies: 2 }),
  });
  expect(text(asked).split('\n').slice(0, 6)).toEqual([
    'Allow mcp__mail__send?  (q_1)',
    '  to: a@example.org',
    '  body: one',
    '    two‹U+200B›',
    '  copies: 2',
    '  Why: No rule covers it. (default)',
  ]);
});

test('arguments that could not be read whole say how long they are', () => {
  const args = { blob: 'b' as BlobHash, length: 9000, preview: '{"command":"ls; ec' };
  expect(text(question(approval('shell', [], 'ls'), { args }))).toContain(
    '{"command":"ls; ec… (9000 characters in all)',
  );
});

test('a long diff says how much of it is left out', () => {
  const content = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  const asked = question(approval('write', [], 'a.txt'), { args: JSON.stringify({ path: 'a.txt', content }) });
  const lines = text(asked, { most: 10 }).split('\n');
  expect(lines.filter((line) => / \+ line/.test(line))).toHaveLength(10);
  expect(lines).toContain('  … 20 more lines; `rondo inbox QUESTION` shows all');
});

test('a question with options lists them by number', () => {
  const about = { type: 'clarification', text: 'Which?\nBoth work.', options: ['Red', 'Blue'] } as const;
  expect(text(question(about))).toBe(
    'Which?  (q_1)\n  Both work.\n  1  Red\n  2  Blue\n  Or type another answer.',
  );
  expect(text(question(about), {}, 'command')).toBe(`Which?  (q_1)
  Both work.
  Answer with:
    rondo answer q_1 --option "Red"
    rondo answer q_1 --option "Blue"
    rondo answer q_1 --text "…"`);
});

test('a form names its fields', () => {
  const schema = { properties: { name: { type: 'string', description: 'Your name' } }, required: ['name'] };
  expect(text(question({ type: 'form', title: 'Who?', schema }))).toBe(
    'Who?  (q_1)\n  name (string, required) Your name\n  Type your answer.',
  );
});

test('[C140] fields have their titles, and choices their values', () => {
  const schema = {
    properties: {
      place: { type: 'string', title: 'Where to', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      note: { type: 'string', title: 'Note', description: 'why' },
    },
  };
  expect(text(question({ type: 'form', title: 'Deploy', schema }))).toContain(
    '  place ("a" | "b") Where to\n  note (string) Note: why\n',
  );
});

test('[C143] a form with one choice shows its options as keys', () => {
  const oneOf = [
    { const: 'a', title: 'In the browser' },
    { const: 'b', title: 'With a code' },
  ];
  const schema = { properties: { method: { type: 'string', oneOf } } };
  expect(text(question({ type: 'form', title: 'Log in', schema }))).toBe(
    'Log in  (q_1)\n  1  In the browser\n  2  With a code',
  );
});
