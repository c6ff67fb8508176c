// An event loop: inputs of every kind come through a channel, the session takes them one after
// another until the channel closes, and everything that happens is printed as it is recorded.
// Run it with: node examples/event-loop/main.ts
import { createRondo, inputType, type ClientInput, type Event, type Recorded } from 'rondo';
import { createFakeIds, testingAgent, testTool } from 'rondo/testing';
import { z } from 'zod';

import { createChannel } from './channel.ts';
import { countingStep } from './counting-step.ts';

const notes: string[] = [];
const takeNote = testTool('note', (args) => `note ${notes.push(JSON.stringify(args))}`, {
  access: 'write',
  repeat: 'never',
});
const pickColor = testTool('pick', () => 'never runs: the answer is the result', {
  asks: { type: 'clarification', text: 'Which color?', options: ['red', 'blue'] },
});

// An input type of our own: its data is checked, and the handler says which input it becomes.
const reminder = inputType(z.object({ item: z.string(), amount: z.int() }), ({ item, amount }) => ({
  type: 'task',
  command: 'note',
  args: { text: `${amount} ${item}` },
}));

await using rondo = await createRondo(
  testingAgent({ tools: [takeNote, pickColor], approve: 'all', step: countingStep, inputs: { reminder } }),
);
const session = await rondo.sessions.create({ title: 'event loop' });

const script: ClientInput[] = [
  { type: 'chat', text: 'call note {"text":"milk"}\nsay I made a note.' },
  { type: 'task', command: 'note', args: { text: 'eggs' } },
  { type: 'worker', report: { worker: createFakeIds().worker(), state: 'completed', text: 'the shop is open' } },
  { type: 'chat', text: 'call pick {}\nsay Thank you.' },
  { type: 'custom', name: 'reminder', data: { item: 'loaves', amount: 2 } },
  { type: 'chat', text: 'hang' },
];
const inputs = createChannel<ClientInput>();
const next = () => {
  const input = script.shift();
  if (input === undefined) inputs.close();
  else inputs.push(input);
};

const leaving = new AbortController();
const printing = (async () => {
  for await (const update of session.follow({ after: 0, signal: leaving.signal })) {
    if (update.type !== 'event') continue;
    const { event } = update.recorded;
    console.log(line(update.recorded));
    if (event.type === 'turn-ended' || event.type === 'worker-reported') next();
    // The approver allows calls; what only a person can know comes through the channel.
    if (event.type === 'question-opened' && event.about.type === 'clarification') {
      const [open] = (await session.status()).questions;
      inputs.push({ type: 'answer', question: open?.id ?? '', answer: { type: 'option', option: 'blue' } });
    }
    if (event.type === 'model-call-intended' && script.length === 0)
      inputs.push({ type: 'interrupt', reason: 'enough' });
  }
})();

next();
const result = await session.run(inputs, { whenAsked: 'wait' });
leaving.abort();
await printing;
console.log(`The run is over: ${result.outcome}, ${result.steps} model calls, ${result.toolCalls} tool calls.`);
console.log(`Notes: ${notes.join(' ')}`);
const wrong = await session.send({ type: 'custom', name: 'reminder', data: { item: 'loaves' } });
if (wrong.type === 'refused') console.log(`Refused: ${wrong.refusal.message}`);

function line({ seq, by, event }: Recorded): string {
  const who = by.type === 'system' ? '' : ` (${by.name})`;
  return `${seq} ${event.type}${detail(event)}${who}`;
}

function detail(event: Event): string {
  switch (event.type) {
    case 'model-settled':
      return ` ${event.outcome.type}`;
    case 'question-opened':
      return ` ${event.about.type}`;
    case 'question-answered':
      return ` ${event.answer.type}`;
    case 'turn-ended':
      return ` ${event.ending.type}`;
    case 'custom':
      return ` ${event.name} ${JSON.stringify(event.data)}`;
    default:
      return '';
  }
}
