// Writes test/golden/v<version>.jsonl, the journal that this release leaves to all later ones, and the state it
// folds to today. It includes every event type. A golden journal is written once, with its release; the test folds
// it in every later release.
//
//     node scripts/write-golden.ts [v0.3] [--force]
//
// The default name is the package's version; events added since then need the next version. A session that begins
// as a fork has a different first event and so a separate journal, `v<version>-fork`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { encodeRecord } from '../src/journal/codec.ts';
import { type StoredRecord } from '../src/ports/stored-record.ts';
import { system, type Actor } from '../src/kernel/actor.ts';
import type { AgentRequest } from '../src/kernel/agent-request.ts';
import type { SettingOutcome } from '../src/kernel/agent-setting.ts';
import type { DescribedCall } from '../src/kernel/call.ts';
import type { FileCheckpoint, RestoreOutcome } from '../src/kernel/checkpoint.ts';
import { contextFrom, type SummaryOutcome } from '../src/kernel/context.ts';
import type { Event, Recorded } from '../src/kernel/event.ts';
import { evolve } from '../src/kernel/evolve/evolve.ts';
import type { BlobHash, SessionId, WorkerId } from '../src/kernel/ids.ts';
import type { InputBody, ModelOutcome, Understanding } from '../src/kernel/input.ts';
import { modes } from '../src/kernel/mode.ts';
import type { ToolResult } from '../src/kernel/outcome.ts';
import type { Answer } from '../src/kernel/question.ts';
import { newState, turnOf, type State } from '../src/kernel/state.ts';
import { step } from '../src/kernel/decide/step.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  compactionRequested,
  created,
  interrupted,
  reply,
  task,
} from '../src/testing/inputs.ts';
import { lastPage } from '../src/views/transcript-page.ts';
import { transcriptOf } from '../src/views/transcript.ts';
import { scriptOptions } from './script-options.ts';
import { timeAt } from '../src/kernel/time.ts';

const session = 'ses_golden000001' as SessionId;
const fork = 'ses_golden000002' as SessionId;
const ada: Actor = { type: 'person', name: 'ada' };
const blob = { blob: 'b1'.repeat(32) as BlobHash, length: 9000, preview: 'A very long prompt that' };

const place = {
  url: 'https://git.example.org/pots.git',
  ref: 'main',
  base: 'b0'.repeat(20),
  branch: 'rondo/pots-000001',
  push: true,
  home: 'home_1',
};

const values = scriptOptions(
  `node scripts/write-golden.ts [--name vN.N] [--force]

Writes test/golden/vN.N.jsonl, the journal that this release leaves to all later ones, and what it folds to.

  --name vN.N  by that name (default: the version in package.json)
  --force      rewrites one that was never released`,
  { name: { type: 'string' }, force: { type: 'boolean' } },
);
const isForced = values.force === true;
const folder = path.resolve(import.meta.dirname, '../test/golden');
const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const name = values.name ?? `v${version.split('.').slice(0, 2).join('.')}`;
const journalFile = path.join(folder, `${name}.jsonl`);

if (existsSync(journalFile) && !isForced) {
  console.error(`${journalFile} is there already: a golden journal is never rewritten once it is released.`);
  console.error('If it was never released, write it again with --force.');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const main = playStory(session, tellEverything);
write(name, main);
write(
  `${name}-fork`,
  playStory(fork, (story) => tellFork(story, main.state)),
);

function write(named: string, { id, records, events, state }: Played): void {
  const file = path.join(folder, `${named}.jsonl`);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const transcript = lastPage(transcriptOf(id, events), events.length);
  writeFileSync(
    path.join(folder, `${named}.expected.json`),
    `${JSON.stringify({ state, transcript }, null, 2)}\n`,
  );
  console.log(`${path.relative(process.cwd(), file)}: ${records.length} records, ${events.length} events`);
}

interface Played {
  readonly id: SessionId;
  readonly records: readonly StoredRecord[];
  readonly events: readonly Recorded[];
  readonly state: State;
}

/** Steps of a story: what happened, and its prerequisites. */
type Story = ReturnType<typeof createStory>['story'];

function playStory(id: SessionId, tell: (story: Story) => void): Played {
  const { story, played } = createStory(id);
  tell(story);
  return played();
}

function createStory(id: SessionId) {
  const records: StoredRecord[] = [];
  const events: Recorded[] = [];
  let state = newState(id);
  let at = Date.UTC(2026, 0, 1);

  function record(added: readonly Recorded[], by: Actor): void {
    const [first] = added;
    if (first === undefined) throw new Error(`The story stands still after event ${state.seq}.`);
    events.push(...added);
    const texts = added.map(({ event }) => JSON.stringify(event));
    records.push(encodeRecord(id, first.seq, { at: first.at, by, events: texts }));
  }
  function play(body: InputBody, by: Actor = ada): void {
    at += 1000;
    const transition = step(state, { ...body, at: timeAt(at), by });
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
  function settingSettles(outcome: SettingOutcome): void {
    const effect = state.agentSettings?.chosen?.findLast((one) => one.effect !== undefined)?.effect;
    if (effect === undefined) throw new Error(`No setting is asked for at event ${state.seq}.`);
    play({ type: 'agent-setting-settled', effect, outcome }, system);
  }
  function agentAsks(request: AgentRequest): void {
    const now = activity();
    if (now?.type !== 'prompting-agent') throw new Error(`No agent is prompted at event ${state.seq}.`);
    play({ type: 'agent-asked', effect: now.effect, attempt: now.attempt, request }, system);
  }
  function summarySettles(outcome: SummaryOutcome): void {
    const now = activity();
    if (now?.type !== 'compacting') throw new Error(`Nothing is summarized at event ${state.seq}.`);
    const { effect, attempt } = now;
    const usage = { inputTokens: 40, outputTokens: 6, cost: 0.001 };
    play({ type: 'summary-settled', effect, attempt, outcome, usage }, system);
  }
  function understands(outcome: Understanding): void {
    const now = activity();
    if (now?.type !== 'understanding') throw new Error(`Nothing is understood at event ${state.seq}.`);
    play({ type: 'prompt-understood', effect: now.effect, attempt: now.attempt, outcome }, system);
  }
  function restoreInFlight() {
    if (state.phase.type !== 'restoring') throw new Error(`Nothing is restored at event ${state.seq}.`);
    const { effect, attempt } = state.phase.restore;
    return { effect, attempt };
  }
  function restorePrepares(before: FileCheckpoint): void {
    play({ type: 'restore-prepared', ...restoreInFlight(), before }, system);
  }
  function restoreSettles(outcome: RestoreOutcome): void {
    play({ type: 'restore-settled', ...restoreInFlight(), outcome }, system);
  }
  const story = {
    play,
    restorePrepares,
    restoreSettles,
    add,
    activity,
    modelSettles,
    callSettles,
    summarySettles,
    answer,
    timeComes,
    agentSays,
    settingSettles,
    agentAsks,
    understands,
    now: () => at,
    state: () => state,
    last: () => state.queue.prompts.at(-1)?.seq ?? 0,
    recover: (epoch: number) =>
      play({ type: 'session-recovered', epoch, calls: describedAgain(state) }, { type: 'system', name: 'host' }),
  };
  return { story, played: (): Played => ({ id, records, events, state }) };
}

/** As before, except for one: what paying touches has changed. */
function describedAgain(state: State): readonly DescribedCall[] {
  const current = turnOf(state)?.activity;
  const calls = current?.type === 'running-calls' ? current.calls : [];
  return calls.flatMap((progress): readonly DescribedCall[] => {
    if (progress.type === 'settled') return [];
    const { id, tool, facts } = progress.call;
    return [
      { call: id, facts: tool === 'pay' ? { ...facts, access: 'network', urls: ['https://pay.test'] } : facts },
    ];
  });
}

function tellEverything(story: Story): void {
  const {
    play,
    add,
    activity,
    modelSettles,
    callSettles,
    answer,
    timeComes,
    agentSays,
    settingSettles,
    agentAsks,
    last,
    recover,
  } = story;

  play(
    created({
      agent: { name: 'coder', runs: 'model', model: 'some/model' },
      cwd: '/srv/teapot',
      place,
      machine: 'kiln',
      limits: { tokens: 40, wallTimeMs: 3_600_000, questionExpiryMs: 600_000, maxOutputTokens: 8 },
      rules: [
        { verdict: 'deny', tool: 'danger', origin: 'user' },
        { verdict: 'allow', tool: 'shell', pattern: 'git status*', origin: 'project' },
      ],
    }),
  );

  // Prompts, the queue, steering; calls that run, ask, are refused and don't run.
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
    retryAt: timeAt(story.now() + 5000),
    partial: 'I was ab',
  });
  timeComes('provider-reset');
  modelSettles(reply('Done looking.'));

  // A supervised turn, a rejected reply, unanswered questions.
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
  play({ type: 'title-changed', title: 'The parser, again' });
  play({ type: 'mode-changed', mode: modes.interactive });

  // Crashes: a model call and calls of every kind interrupted; an interrupt; a job; a task with a broken graph.
  const isBusy = () => turnOf(story.state()) !== undefined;
  if (isBusy()) modelSettles(reply('The long one is read.'));
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
  play({ type: 'limits-changed', limits: { cost: story.state().usage.cost * 1.2 } });
  play(chat('How much is left?'));
  modelSettles(reply('Little.'));
  play({ type: 'limits-changed', limits: { cost: 10 } });

  // A model and a person are asked for the meaning of a prompt.
  const clarify = { text: 'Which lid?', options: ['the blue one', 'the red one'] };
  play({
    ...chat('Do the lid'),
    understand: 'model',
    rules: [{ verdict: 'deny', tool: 'shell', origin: 'session' }],
  });
  story.understands({
    type: 'understood',
    meaning: { intent: { verb: 'paint' }, clarify },
    usage: { inputTokens: 5, outputTokens: 2, cost: 0 },
    model: 'some/small',
  });
  answer({ type: 'option', option: 'the blue one' });
  modelSettles(reply('The blue one it is.'));

  // The conversation is compacted, rewound and continued; files are restored.
  const rest = { messages: 1, tokens: 9 };
  const kept = { constraints: ['Never paint the door.'], open: ['the lid'], files: ['src/pot.ts'] };
  const before = story.state();
  play(compactionRequested('the colors'));
  story.summarySettles({
    type: 'completed',
    summary: 'A pot was made.',
    kept,
    rest: { ...rest, from: before.seq + 2 },
  });
  play({ type: 'limits-changed', limits: { contextTokens: 60 } });
  play(chat('A prompt that is long enough to fill a window that is as small as this one. '.repeat(3)));
  recover(4);
  story.summarySettles({
    type: 'failed',
    message: 'no answer',
    kept,
    rest: { ...rest, from: story.state().seq - 2, restated: [story.state().seq - 4] },
  });
  play({ type: 'checkpoint-taken', checkpoint: checkpoint('turn') }, system);
  // The files are saved, another node continues, and the result is pushed.
  play(
    {
      type: 'files-saved',
      saved: { commit: 'c1'.repeat(20), branch: place.branch, bundle: blob, leftOut: ['big.bin (too-large)'] },
    },
    system,
  );
  play(
    { type: 'place-moved', cwd: '/other/pots', home: 'home_2', missing: ['changes of the last seconds'] },
    system,
  );
  play({ type: 'push-settled', branch: place.branch, problem: 'The remote is away.' }, system);
  play({ type: 'push-settled', branch: place.branch, commit: 'd2'.repeat(20) }, system);
  modelSettles({ ...reply('It is full.'), contextTokens: 2000 } as ModelOutcome);
  play({ type: 'limits-changed', limits: { contextTokens: 200_000 } });
  play({ type: 'rewound', to: before.seq, context: before.context });
  const changed = JSON.stringify({ restored: ['src/pot.ts'], removed: [], blocked: [] });
  play({ type: 'restore-requested', to: before.seq, checkpoint: checkpoint('turn') });
  story.restorePrepares(checkpoint('now'));
  recover(5);
  story.restoreSettles({ type: 'restored', changed });
  play({
    type: 'restore-requested',
    to: before.seq,
    checkpoint: checkpoint('now'),
    rewind: { to: before.seq, context: before.context },
  });
  story.restoreSettles({ type: 'failed', message: 'there is no space left on the disk' });
  play({ type: 'agent-changed', agent: { name: 'outside', runs: 'external' } });
  play(chat('Over to you'));
  agentSays({ type: 'thought', text: 'Hm.' });
  agentSays({ type: 'tool-call', call: 'x1', title: 'Reads a file', kind: 'read', state: 'completed' });
  agentSays({ type: 'plan', entries: [{ text: 'read', state: 'completed' }] });
  agentSays({ type: 'message', text: 'I have read it.' });
  agentSays({ type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } });
  agentSays({ type: 'session', agent: 'outside', id: 'their-1', how: 'started' });
  agentSays({ type: 'mode', mode: 'ask', modes: ['ask', 'plan'].map((id) => ({ id, name: id })) });
  agentSays({ type: 'options', options: [{ id: 'fast', name: 'Fast', value: false }] });
  play({ type: 'agent-setting-chosen', setting: { type: 'mode', mode: 'plan' } });
  settingSettles({ type: 'taken', report: { type: 'mode', mode: 'plan' } });
  play({ type: 'agent-setting-chosen', setting: { type: 'option', option: 'fast', value: true } });
  settingSettles({ type: 'failed', message: 'It is always slow.' });
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
  recover(6);
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

  // It moves to another machine, where a person continues it.
  play({
    type: 'session-imported',
    session: 'ses_golden000009' as SessionId,
    head: story.state().seq,
    role: 'main',
  });
  play({
    type: 'session-continued',
    agent: { name: 'coder', runs: 'model' },
    mode: modes.interactive,
    cwd: '/srv/kettle',
    rules: [{ verdict: 'ask', tool: 'shell', origin: 'user' }],
  });
  play(chat('What came before?'));
  modelSettles(reply('A pot was made elsewhere.'));
  play({ type: 'closed', reason: 'the story is over' });
}

function tellFork({ play, modelSettles }: Story, origin: State): void {
  const { agent, mode, cwd, limits } = origin;
  const context = contextFrom(origin.id, origin.context, origin.seq);
  play({
    type: 'session-requested',
    agent: { ...agent, runs: 'model' },
    mode,
    cwd,
    limits,
    title: 'Another pot',
    origin: { session: origin.id, at: origin.seq, context },
  });
  play(chat('Go on from there'));
  modelSettles(reply('From there I go on.'));
}

function checkpoint(label: string): FileCheckpoint {
  const kept = { type: 'git', commit: 'c0ffee', ref: `refs/rondo/checkpoints/${label}`, head: 'beef' } as const;
  return { label, at: 1_767_225_600_000, root: '/srv/teapot', kept };
}
