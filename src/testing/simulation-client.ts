/** Random inputs that the clients of a simulation send. */
import type { QuestionEntry } from '../ports/journal.ts';
import type { WorkerId } from '../kernel/ids.ts';
import type { Answer } from '../kernel/question.ts';
import type { ClientInput } from '../session/client-input.ts';
import type { Status } from '../views/status.ts';
import { jobScript } from './simulation-job-actions.ts';
import type { SeededRandom } from './simulation-random.ts';

export function somePrompt(random: SeededRandom, marker: string): ClientInput {
  const delivery = random.chance(0.3) ? 'steer' : 'queue';
  return { type: 'chat', text: script(random, marker), delivery };
}

/** Lines for the testing agent; see models/testing-model.ts. */
function script(random: SeededRandom, marker: string): string {
  const lines: string[] = [];
  for (let left = random.whole(4); left > 0; left -= 1) {
    const tool = random.weighted({
      look: 5,
      pay: 3,
      change: 3,
      nudge: 2,
      delegate: 1.5,
      stubborn: 0.2,
      broken: 0.2,
      missing: 0.2,
    });
    lines.push(tool === 'delegate' ? delegateLine(random, marker) : `call ${tool} {"n":${random.whole(100)}}`);
    if (random.chance(0.5)) lines.push(`say ${marker} went on with ${tool}`);
  }
  const ending = random.weighted({ say: 10, long: 1, fail: 0.5, hang: 0.3, refuse: 0.3 });
  if (ending === 'long') lines.push(`say ${marker} ${'word '.repeat(1200)}`);
  else lines.push(ending === 'say' ? `say ${marker} is done now` : ending);
  return ending === 'say' || ending === 'long' ? lines.join('\n') : [`say ${marker}`, ...lines].join('\n');
}

/** One or two workers, each with a job whose tools repeat its name. */
function delegateLine(random: SeededRandom, marker: string): string {
  const workers = Array.from({ length: 1 + random.whole(2) }, (_, index) => ({
    name: `w${index}`,
    objective: jobScript(random, `${marker}-w${index}-${random.whole(1_000_000)}`),
  }));
  return `call delegate ${JSON.stringify({ workers, wait: random.chance(0.7) })}`;
}

export function someTask(random: SeededRandom, marker: string): ClientInput {
  const tool = () => random.pick(['look', 'pay', 'change', 'nudge']);
  if (random.chance(0.6)) return { type: 'task', command: tool(), args: { marker } };
  return {
    type: 'tasks',
    calls: [
      { id: 'a', command: tool(), args: { marker } },
      { id: 'b', command: tool(), ...(random.chance(0.5) && { after: ['a'] }) },
      { id: 'c', command: tool(), after: random.chance(0.1) ? ['nobody'] : ['b'] },
    ],
  };
}

export function someChange(random: SeededRandom): ClientInput {
  switch (random.weighted({ mode: 3, limits: 3, policy: 3, worker: 3, agent: 2 })) {
    case 'mode':
      return {
        type: 'mode',
        mode: random.pick(['interactive', 'interactive', 'supervised', 'batch', 'tool-only']),
      };
    case 'limits':
      return { type: 'limits', limits: { steps: 1 + random.whole(20), toolCalls: 1 + random.whole(20) } };
    case 'policy': {
      const verdict = random.pick(['allow', 'ask', 'deny'] as const);
      return { type: 'policy', rules: [{ verdict, tool: random.pick(['pay', 'change', '*']), origin: 'user' }] };
    }
    case 'worker': {
      const state = random.pick(['spawned', 'progressed', 'completed', 'failed', 'stalled'] as const);
      return { type: 'worker', report: { worker: `wrk_${random.whole(3)}` as WorkerId, state } };
    }
    case 'agent':
      return { type: 'agent', agent: random.pick(['worker', 'helper']) };
  }
}

export function someQueueChange(random: SeededRandom, { queue }: Status): ClientInput {
  const [first] = queue.prompts;
  if (first === undefined || random.chance(0.2)) {
    return { type: 'queue', change: { type: random.pick(['paused', 'resumed', 'resumed', 'cleared'] as const) } };
  }
  const { prompt } = random.pick(queue.prompts);
  switch (random.pick(['edited', 'moved', 'removed'] as const)) {
    case 'edited':
      return { type: 'queue', change: { type: 'edited', prompt, text: 'say this was edited' } };
    case 'moved':
      return { type: 'queue', change: { type: 'moved', prompt, to: random.whole(queue.prompts.length) } };
    case 'removed':
      return { type: 'queue', change: { type: 'removed', prompt } };
  }
}

export function someAnswer(random: SeededRandom, { id, type }: QuestionEntry): ClientInput {
  const answers: readonly Answer[] =
    type === 'approval'
      ? [
          { type: 'allow-once' },
          { type: 'allow-once' },
          { type: 'allow-session' },
          { type: 'reject', reason: 'no' },
        ]
      : [{ type: 'allow-once' }, { type: 'allow-once' }, { type: 'reject' }];
  return { type: 'answer', question: id, answer: random.pick(answers) };
}
