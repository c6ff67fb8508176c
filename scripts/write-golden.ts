// Writes test/golden/v<version>.jsonl, the journal that this release leaves to all later ones, and
// what it folds to today. Every event type there is takes part. A golden journal is written once, with
// its release; the test folds it for ever after.
//
//     node scripts/write-golden.ts [v0.2] [--force]
//
// Without a name it is the one of the package's version; events that were added since need the next.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { encodeRecord, type StoredRecord } from '../src/journal/codec.ts';
import { system, type Actor } from '../src/kernel/actor.ts';
import type { AgentRequest } from '../src/kernel/agent-request.ts';
import type { Event, Recorded } from '../src/kernel/event.ts';
import { evolve } from '../src/kernel/evolve.ts';
import type { BlobHash, SessionId, WorkerId } from '../src/kernel/ids.ts';
import type { InputBody, ModelOutcome } from '../src/kernel/input.ts';
import { modes } from '../src/kernel/mode.ts';
import type { ToolResult } from '../src/kernel/outcome.ts';
import type { Answer } from '../src/kernel/question.ts';
import { newState, turnOf, type State } from '../src/kernel/state.ts';
import { step } from '../src/kernel/step.ts';
import { answered, call, changingCall, chat, created, interrupted, reply, task } from '../src/testing/inputs.ts';
import { lastPage } from '../src/views/transcript-page.ts';
import { transcriptOf } from '../src/views/transcript.ts';

const session = 'ses_golden000001' as SessionId;
const ada: Actor = { type: 'person', name: 'ada' };
const blob = { blob: 'b1'.repeat(32) as BlobHash, length: 9000, preview: 'A very long prompt that' };

const isForced = process.argv.includes('--force');
const folder = path.resolve(import.meta.dirname, '../test/golden');
const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const given = process.argv.find((argument) => /^v\d+\.\d+$/.test(argument));
const name = given ?? `v${version.split('.').slice(0, 2).join('.')}`;
const journalFile = path.join(folder, `${name}.jsonl`);
const expectedFile = path.join(folder, `${name}.expected.json`);

if (existsSync(journalFile) && !isForced) {
  console.error(`${journalFile} is there already: a golden journal is never rewritten once it is released.`);
  console.error('If it was never released, write it again with --force.');
  process.exit(2);
}
const { records, events, state } = playStory();
mkdirSync(folder, { recursive: true });
writeFileSync(journalFile, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
const transcript = lastPage(transcriptOf(session, events), events.length);
writeFileSync(expectedFile, `${JSON.stringify({ state, transcript }, null, 2)}\n`);
console.log(`${path.relative(process.cwd(), journalFile)}: ${records.length} records, ${events.length} events`);

interface Story {
  readonly records: readonly StoredRecord[];
  readonly events: readonly Recorded[];
  readonly state: State;
}

function playStory(): Story {
  const records: StoredRecord[] = [];
  const events: Recorded[] = [];
  let state = newState(session);
  let at = Date.UTC(2026, 0, 1);

  function record(added: readonly Recorded[], by: Actor): void {
    const [first] = added;
    if (first === undefined) throw new Error(`The story stands still after event ${state.seq}.`);
    events.push(...added);
    const texts = added.map(({ event }) => JSON.stringify(event));
    records.push(encodeRecord(session, first.seq, { at: first.at, by, events: texts }));
  }
  function play(body: InputBody, by: Actor = ada): void {
    at += 1000;
    const transition = step(state, { ...body, at, by });
    if (transition.refusal !== undefined) throw new Error(`The story is refused: ${transition.refusal.message}`);
    ({ state } = transition);
    record(transition.events, by);
  }
  /** As a program with its own `step` would add it. */
  function add(event: Event): void {
    const recorded: Recorded = { seq: state.seq + 1, at, by: system, event };
    state = evolve(state, recorded);
    record([recorded], system);
  }
  const activity = () => turnOf(state)?.activity;
  function modelSettles(outcome: ModelOutcome): void {
    const now = activity();
    if (now?.type !== 'calling-model') throw new Error(`No model is called at event ${state.seq}.`);
    play({ type: 'model-settled', effect: now.effect, attempt: now.attempt, outcome }, system);
  }
  function callSettles(
    id: string,
    result: ToolResult,
    type: 'tool-settled' | 'job-settled' = 'tool-settled',
  ): void {
    const now = activity();
    const calls = now?.type === 'running-calls' ? now.calls : [];
    const running = calls.find((progress) => progress.type === 'running' && progress.call.id === id);
    if (running?.type !== 'running') throw new Error(`Call ${id} does not run at event ${state.seq}.`);
    play({ type, effect: running.effect, attempt: running.attempt, result }, system);
  }
  function answer(given: Answer): void {
    const [question] = state.questions;
    if (question === undefined) throw new Error(`No question is open at event ${state.seq}.`);
    play(answered(question.id, given));
  }
  function timeComes(why: State['waits'][number]['why']): void {
    const wait = state.waits.findLast((pending) => pending.why === why);
    if (wait === undefined) throw new Error(`Nothing waits for ${why} at event ${state.seq}.`);
    at = Math.max(at, wait.until);
    play({ type: 'time-reached', effect: wait.effect }, system);
  }
  function agentSays(report: Extract<InputBody, { type: 'agent-reported' }>['report']): void {
    const now = activity();
    if (now?.type !== 'prompting-agent') throw new Error(`No agent is prompted at event ${state.seq}.`);
    play({ type: 'agent-reported', effect: now.effect, attempt: now.attempt, report }, system);
  }
  function agentAsks(request: AgentRequest): void {
    const now = activity();
    if (now?.type !== 'prompting-agent') throw new Error(`No agent is prompted at event ${state.seq}.`);
    play({ type: 'agent-asked', effect: now.effect, attempt: now.attempt, request }, system);
  }
  const last = () => state.queue.prompts.at(-1)?.seq ?? 0;
  const recover = (epoch: number) => play({ type: 'session-recovered', epoch }, { type: 'system', name: 'host' });

  play(
    created({
      agent: { name: 'coder', runs: 'model', model: 'some/model' },
      cwd: '/srv/teapot',
      limits: { tokens: 40, wallTimeMs: 3_600_000, questionExpiryMs: 600_000, maxOutputTokens: 8 },
      rules: [
        { verdict: 'deny', tool: 'danger', origin: 'user' },
        { verdict: 'allow', tool: 'shell', pattern: 'git status*', origin: 'project' },
      ],
    }),
  );

  // Prompts, the queue, steering; calls that run, are asked about, refused and not run.
  play(chat('Look around'));
  play({ ...chat('And be brief'), delivery: 'steer' });
  play({
    type: 'prompt-received',
    text: blob,
    delivery: 'queue',
    attachments: [{ name: 'a.txt', mediaType: 'text/plain', content: 'a' }],
  });
  play(chat('Later'));
  play({ type: 'queue-changed', change: { type: 'edited', prompt: last(), text: 'Later, please' } });
  play({ type: 'queue-changed', change: { type: 'moved', prompt: last(), to: 0 } });
  play({ type: 'limits-changed', limits: { tokens: 1_000_000 } });
  modelSettles({
    ...reply('I shall look.', [
      call('c1'),
      changingCall('c2', 'change', { grants: ['change'] }),
      call('c3', 'danger'),
      call('c4', 'look', {}, { after: ['c1' as never], priority: 2 }),
      call('c5', 'nobody', { problem: { code: 'unknown-tool', message: 'There is no tool nobody.' } }),
    ]),
    reasoning: 'First I look.',
  } as ModelOutcome);
  callSettles('c1', { type: 'success', output: 'found', data: { files: 2 } });
  answer({ type: 'allow-session' });
  callSettles('c2', { type: 'success', output: blob });
  callSettles('c4', { type: 'error', code: 'fault', message: 'the disk is gone', fault: true });
  timeComes('error-pause');
  modelSettles({
    type: 'failed',
    code: 'model-rate-limited',
    message: 'too many',
    retryable: true,
    retryAt: at + 5000,
    partial: 'I was ab',
  });
  timeComes('provider-reset');
  modelSettles(reply('Done looking.'));

  // A supervised turn, a rejected reply, questions that nobody answers.
  play({ type: 'mode-changed', mode: modes.supervised });
  modelSettles(reply('A first answer'));
  answer({ type: 'reject', reason: 'too long' });
  modelSettles(
    reply('', [
      call('q1', 'ask', { access: 'talk', asks: { type: 'clarification', text: 'Which?', options: ['a', 'b'] } }),
      call('q2', 'ask', { access: 'talk', asks: { type: 'form', title: 'Details', schema: { type: 'object' } } }),
    ]),
  );
  answer({ type: 'option', option: 'a' });
  timeComes('question-expiry');
  modelSettles(reply('A second answer'));
  answer({ type: 'allow-once' });
  play({ type: 'mode-changed', mode: modes.interactive });

  // Deaths: a model call and calls of every kind cut off; an interrupt; a job; a task with a broken graph.
  const rest = () => turnOf(state) !== undefined;
  if (rest()) modelSettles(reply('The long one is read.'));
  play(chat('Work while the process dies'));
  recover(2);
  modelSettles(
    reply('', [
      call('d1'),
      call('d2', 'pay', { repeat: 'never' }),
      call('d3', 'nudge', { repeat: 'ask' }),
      call('d4', 'spawn', { runs: 'job' }),
    ]),
  );
  recover(3);
  answer({ type: 'allow-once' });
  callSettles('d1', { type: 'success', output: 'again' });
  callSettles('d3', { type: 'success', output: 'nudged' });
  callSettles('d4', { type: 'success', output: 'the job is done' }, 'job-settled');
  play(
    {
      type: 'verdict-reached',
      verdict: { verdict: 'looping', evidence: 'the same call three times', action: 'warn' },
    },
    system,
  );
  play(interrupted);
  if (activity()?.type === 'calling-model') modelSettles({ type: 'cancelled', partial: 'I was' });
  play(task(call('t1', 'look', {}, { after: ['t9' as never] }), changingCall('t2', 'paint')));
  answer({ type: 'reject', reason: 'not now' });

  // Workers, policy, a budget that runs low, an external agent, the end.
  play({ type: 'worker-reported', report: { worker: 'wrk_1' as WorkerId, state: 'spawned' } });
  play({
    type: 'worker-reported',
    report: { worker: 'wrk_1' as WorkerId, state: 'completed', text: 'all found' },
  });
  play({ type: 'worker-reported', report: { worker: 'wrk_2' as WorkerId, state: 'stalled' } });
  play({ type: 'policy-changed', rules: [{ verdict: 'ask', tool: '*', origin: 'user' }] });
  play({ type: 'limits-changed', limits: { cost: state.usage.cost * 1.2 } });
  play(chat('How much is left?'));
  modelSettles(reply('Little.'));
  play({ type: 'limits-changed', limits: { cost: 10 } });
  play({ type: 'agent-changed', agent: { name: 'outside', runs: 'external' } });
  play(chat('Over to you'));
  agentSays({ type: 'thought', text: 'Hm.' });
  agentSays({ type: 'tool-call', call: 'x1', title: 'Reads a file', kind: 'read', state: 'completed' });
  agentSays({ type: 'plan', entries: [{ text: 'read', state: 'completed' }] });
  agentSays({ type: 'message', text: 'I have read it.' });
  agentSays({ type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } });
  agentSays({ type: 'session', agent: 'outside', id: 'their-1', how: 'started' });
  const permission: AgentRequest = {
    type: 'permission',
    key: 'k1',
    call: changingCall('x2', 'shell'),
    title: 'Run make',
    options: [
      { id: 'yes', kind: 'allow-once', name: 'Yes' },
      { id: 'no', kind: 'reject-once', name: 'No' },
    ],
  };
  agentAsks(permission);
  recover(4);
  answer({ type: 'allow-once' });
  agentAsks(permission);
  agentAsks({ type: 'form', key: 'k2', message: 'Which?', schema: { type: 'object' } });
  answer({ type: 'form', form: { which: 'this' } });
  const prompting = activity();
  if (prompting?.type !== 'prompting-agent') throw new Error('The external agent is not at work.');
  play(
    {
      type: 'agent-turn-settled',
      effect: prompting.effect,
      attempt: prompting.attempt,
      outcome: { type: 'completed' },
    },
    system,
  );
  add({ type: 'custom', name: 'release', data: { version: 1 } });
  play({ type: 'closed', reason: 'the story is over' });
  return { records, events, state };
}
