// `rondo run` on a terminal, stored as files. Change them only on purpose.
import { stripVTControlCharacters } from 'node:util';

import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { Event } from '../../kernel/event.ts';
import type { CallId, EffectId, SessionId } from '../../kernel/ids.ts';
import { call, reply } from '../../testing/inputs.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { noPaint } from '../../wording/terminal-style.ts';
import { askAnswer } from '../sessions/ask-answer.ts';
import { requestLines } from '../sessions/request-lines.ts';
import { answeredLine } from './inline-approver.ts';
import type { RunRecord } from './run-output.ts';
import { createTextOutput } from './text-output.ts';

const by = { type: 'system', name: 'rondo' } as const;
const second = 1000;

type Step = readonly [tool: string, args: object, ms: number, result?: object];

const read = (path: string): Step => ['read', { path }, 100];
const change = (path: string, old: string, next: string): Step => [
  'edit',
  { path, edits: [{ old_text: old, new_text: next }] },
  100,
];
const before: readonly Step[] = [
  ...['package.json', 'a.ts', 'b.ts', 'c.ts'].map(read),
  ['grep', { pattern: 'globals' }, 100],
  ['grep', { pattern: 'expect' }, 100],
  change('package.json', '"vitest": "^3"', '"vitest": "^4"'),
  [
    'shell',
    { command: 'npx vitest run' },
    11_800,
    { type: 'success', output: 'Tests  3 failed | 211 passed (214)', data: { exitCode: 1 } },
  ],
  change('test/請求書.test.ts', 'one', 'two'),
];
const after: readonly Step[] = [
  [
    'shell',
    { command: 'npx vitest run' },
    11_200,
    { type: 'success', output: 'Tests  214 passed (214)', data: { exitCode: 0 } },
  ],
];
const answerText =
  'Vitest 4 no longer injects globals by default. I turned the option off and imported `expect` and `it` in the two files that relied on it. All 214 tests pass.';

const question = {
  id: 'q_2hwre',
  openedAt: 0,
  about: {
    type: 'approval',
    call: 'c99',
    tool: 'edit',
    rule: 'default',
    reason: 'No rule covers it, so it needs your approval.',
    grants: ['edit(vitest.config.ts)'],
  },
  args: JSON.stringify({
    path: 'vitest.config.ts',
    edits: [{ old_text: '  globals: true,', new_text: '  globals: false,' }],
  }),
  facts: { paths: [{ path: 'vitest.config.ts', inside: true }] },
} as unknown as OpenQuestion;

const record: RunRecord = {
  type: 'result',
  session: 'ses_7hwre' as SessionId,
  outcome: 'completed',
  text: answerText,
  usage: { inputTokens: 36_000, outputTokens: 2000, cost: 0.42, costIsKnown: true },
  steps: 7,
  toolCalls: 11,
  questions: [],
  refusals: [],
  resume: 'rondo run --session ses_7hwre',
};

/** What a person at a terminal sees, with the answer that they type. */
async function screen(width: number): Promise<string> {
  let shown = '';
  const show = (text: string) => void (shown += text);
  const terminal = { isTerminal: true, width, paint: noPaint };
  let now = 0;
  const output = createTextOutput({ out: show, err: show }, { out: terminal, err: terminal }, { now: () => now });
  let seq = 2;
  const event = (happened: Event) =>
    output.update({ type: 'event', recorded: { seq: (seq += 1), at: now, by, event: happened }, json: '' });
  const run = (steps: readonly Step[]) => {
    const ids = steps.map((_, index) => `c${seq}_${index}`);
    event({
      type: 'model-settled',
      effect: `ses_7hwre.${seq}` as EffectId,
      outcome: reply(
        '',
        steps.map(([tool, args], index) => call(ids[index] ?? '', tool, {}, { args: JSON.stringify(args) })),
      ),
    });
    for (const [index, [, , ms, result]] of steps.entries()) {
      const id = ids[index] as CallId;
      event({ type: 'tool-run-intended', call: id, repeat: 'safe' });
      now += ms;
      event({ type: 'tool-settled', call: id, result: { type: 'success', output: '', ...result } });
    }
  };

  output.begin('claude-sonnet-5-5 · lumen-shop:main · ask · limit $2.00');
  event({ type: 'turn-started', prompt: 2 });
  run(before);
  output.clear();
  const env = { NO_COLOR: '1', LANG: 'C.UTF-8' };
  const place = { read: async () => '', cwd: '/nowhere', columns: width, env };
  show(`\n${(await requestLines(question, place)).join('\n')}\n`);
  const answer = await askAnswer(question, async (words) => {
    show(`${words}y\n`);
    return 'y';
  });
  if (answer === undefined || answer === 'skipped') throw new Error('It is answered.');
  show(`${answeredLine(question, answer, noPaint)}\n`);
  run(after);
  const effect = 'ses_7hwre.90' as EffectId;
  output.update({ type: 'progress', effect, attempt: 1, kind: 'text', offset: 0, text: answerText });
  now = 119 * second;
  event({ type: 'model-settled', effect, outcome: reply(answerText) });
  output.result(record);
  return shown;
}

test.each([60, 100, 200])('[C158] `rondo run` with a question, %i columns wide', async (width) => {
  const lines = stripVTControlCharacters(await screen(width))
    .split('\n')
    .map((line) => line.trimEnd());
  await expect(lines.join('\n')).toMatchFileSnapshot(`../frames/run-${width}.txt`);
  // The terminal wraps prose.
  expect(lines.filter((line) => /^[▌✓✗]/.test(line) && visibleWidth(line) > width)).toEqual([]);
});
