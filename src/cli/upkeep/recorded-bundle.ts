/**
 * A transcript of another agent as a bundle. A Rondo in memory lives through it again: its model says what was said,
 * its tools return what was returned, nothing runs. So the journal is one that Rondo itself writes, and importing it
 * drops everything that acts (S1).
 */
import { hash } from 'node:crypto';

import type { Model } from '../../ports/model.ts';
import type { Tool } from '../../ports/tool.ts';
import { createRondo } from '../../rondo.ts';
import { terminalActor } from '../terminal-actor.ts';
import { recordedSteps, type RecordedStep } from '../../upkeep/transcripts/recorded-steps.ts';
import type { OtherTranscript } from '../../upkeep/transcripts/transcript.ts';

/** Its usage was paid outside Rondo. */
const usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
const unlimited = { steps: 1e6, toolCalls: 1e6, repeats: 0, denials: 1e6 };

/** The same transcript always gets the same id, so that a second import finds the first. */
export function importedId(tool: string, transcript: Pick<OtherTranscript, 'id'>): string {
  return `ses_${hash('sha256', `${tool} ${transcript.id}`, 'hex').slice(0, 24)}`;
}

export async function recordedBundle(
  tool: string,
  transcript: OtherTranscript,
): Promise<readonly (string | Uint8Array)[]> {
  const steps: RecordedStep[] = [];
  const outputs: string[] = [];
  let now = transcript.turns[0]?.at ?? 0;
  let calls = 0;

  const model: Model = {
    name: tool,
    call: async (_, sink) => {
      const step = steps.shift() ?? { text: '[No answer was recorded.]', calls: [] };
      sink.text(step.text);
      const requested = step.calls.map(({ tool: name, args, output }) => {
        outputs.push(output);
        return { id: `call_${(calls += 1)}`, tool: name, args };
      });
      const stop = requested.length > 0 ? 'calls' : 'end';
      return { type: 'completed', text: step.text, calls: requested, usage, stop };
    },
  };
  const recorded = (name: string): Tool => ({
    name,
    description: 'A call that another agent made.',
    parameters: { type: 'object' },
    describe: () => ({ access: 'talk', repeat: 'never', order: 'exclusive', runs: 'tool' }),
    run: async () => ({ type: 'success', output: outputs.shift() ?? '' }),
  });
  await using rondo = await createRondo({
    store: 'memory:',
    clock: { now: () => now, ticks: () => now, uptime: () => now, at: () => () => undefined },
    agents: { [tool]: { model: tool, limits: unlimited } },
    models: { [tool]: model },
    tools: { get: recorded, offered: () => [], [Symbol.asyncDispose]: () => Promise.resolve() },
  });
  const title = transcript.title === undefined ? {} : { title: transcript.title.slice(0, 200) };
  const session = await rondo.sessions.create({ id: importedId(tool, transcript), agent: tool, ...title });
  for (const turn of transcript.turns) {
    now = Math.max(now, turn.at);
    steps.splice(0, steps.length, ...recordedSteps(turn.parts));
    await session.chat(turn.prompt === '' ? '[empty prompt]' : turn.prompt, { by: terminalActor });
  }
  const { pieces } = await session.export({ format: 'bundle' });
  // Before the Rondo in memory is closed.
  return await Array.fromAsync(pieces);
}
