// `npm run prove [-- --minutes N] [--fleet [--store nats]] [--write]`: runs the fault proofs for longer (default 10 minutes) and
// prints one report. It counts injected faults and broken promises; the exit code is 1 if a promise didn't hold.
// `--fleet` proves three servers on PostgreSQL or NATS instead. `--write` writes its part of docs/proof.md.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { ProofRecord } from '../test/proof/proof-record.ts';
import { scriptOptions, wrongOption } from './script-options.ts';

const root = path.resolve(import.meta.dirname, '..');
const engines = { postgres: 'PostgreSQL', nats: 'NATS' } as const;
const titleStart = '## Several servers on ';
const fleetNotes: Readonly<Record<keyof typeof engines, string>> = {
  postgres: 'Three `rondo serve` processes on one server. A lease is 8 s.',
  nats: 'Three `rondo serve` processes on three servers with three replicas of everything. A NATS server that stays behind for 45 s is restarted. A lease is 15 s.',
};
const fleetNote =
  'Tools are real processes, and clients know the addresses of all nodes. Transcripts include a replay of each session.';
const usage = `npm run prove -- [--minutes N] [--fleet [--store NAME] [--seed N]] [--write]

Runs the fault proofs for longer and prints one report. Exits with 1 if a promise didn't hold.

  --minutes N  duration (default: 10)
  --fleet      prove three servers on one store instead
  --store NAME with --fleet: postgres or nats (default: postgres)
  --seed N     repeat the choices of a run with --fleet (default: chosen)
  --write      write docs/proof.md`;
const values = scriptOptions(usage, {
  minutes: { type: 'string', default: '10' },
  fleet: { type: 'boolean', default: false },
  store: { type: 'string', default: 'postgres' },
  seed: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) wrongOption(`--minutes takes a number above 0, not "${values.minutes}".`, usage);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) wrongOption(`--seed takes a whole number, not "${values.seed}".`, usage);
if (!isEngine(values.store)) wrongOption(`--store takes postgres or nats, not "${values.store}".`, usage);
const engine = isEngine(values.store) ? values.store : 'postgres';
const fleetTitle = `${titleStart}${engines[engine]}`;

// A third of the time is simulated; the rest is real processes in parallel.
const share = (of: number) => Math.max(1, Math.round(minutes * 60 * of));
const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-prove-'));
const file = path.join(folder, 'proofs.jsonl');
const length = {
  SIMULATION_MS: String(share(0.35) * 1000),
  FIRE_SECONDS: String(share(0.35)),
  SOAK_SECONDS: String(share(0.2)),
  KILL_COUNT: String(Math.max(42, Math.round(minutes * 30))),
  BAD_INPUT_CASES: String(Math.max(200, Math.round(minutes * 500))),
  DISK_ROUNDS: String(Math.max(2, Math.round(minutes * 3))),
  COMMAND_LINES: '20000',
  RONDO_KILLS: String(Math.max(60, Math.round(minutes * 40))),
};
const fleetLength = {
  FLEET_SECONDS: String(share(1)),
  FLEET_FAULTS: String(Math.max(12, Math.round(minutes * 50))),
  FLEET_LEAST: String(Math.max(1, Math.round(minutes * 2.5))),
  FLEET_SEED: String(seed),
  FLEET_STORE: engines[engine].toLowerCase(),
};
const fleetProofs = ['test/proof/fleet-under-fire'];
const proofs = [
  'test/simulation',
  'test/proof',
  'test/browser/hostile-markdown',
  'test/process/kill-sessions',
  'test/process/journal-kill',
  'test/process/journal-disk',
  'test/process/server-soak',
  'test/soak',
  'src/journal/sqlite/clock-jumps',
];
console.log(`Proving for about ${minutes} minutes …`);
const started = performance.now();
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...(values.fleet ? fleetProofs : proofs)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(values.fleet ? fleetLength : length), PROOF_FILE: file },
});
const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
const records = lines.map((line) => JSON.parse(line) as ProofRecord);
rmSync(folder, { recursive: true });

const seconds = Math.round((performance.now() - started) / 1000);
// A fault that never happened proves nothing.
const never = records.flatMap(({ name, faults }) =>
  Object.entries(faults).flatMap(([kind, count]) => (count === 0 ? [`${kind} (${name})`] : [])),
);
const isPassed = code === 0 && never.length === 0;
const report = reportOf(records, { seconds, isPassed });
console.log(`\n${report}`);
if (never.length > 0) console.error(`Faults that never happened: ${never.join(', ')}.`);
if (values.write) writePart(report);
process.exitCode = isPassed ? 0 : 1;

/** The other parts stay as they are. */
function writePart(part: string): void {
  const target = path.join(root, 'docs/proof.md');
  const parts = readFileSync(target, 'utf8').split(new RegExp(`^(?=${titleStart})`, 'm'));
  const title = part.split('\n', 1)[0] ?? '';
  const kept = parts.filter((one) => !one.startsWith(`${title}\n`));
  const [machine = '', ...fleets] = values.fleet ? [...kept, part] : [part, ...kept];
  const written = [machine, ...fleets.toSorted().toReversed()].map((one) => one.trim());
  writeFileSync(target, `${written.join('\n\n')}\n`);
}

function isEngine(name: string): name is keyof typeof engines {
  return Object.hasOwn(engines, name);
}

function reportOf(all: readonly ProofRecord[], run: { seconds: number; isPassed: boolean }): string {
  const sum = (of: (record: ProofRecord) => number) => all.reduce((total, record) => total + of(record), 0);
  const injected = (record: ProofRecord) => Object.values(record.faults).reduce((a, b) => a + b, 0);
  const wordsOf = ({ faults }: ProofRecord) =>
    Object.entries(faults)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ');
  const figures: readonly (readonly [string, number])[] = [
    ['runs', sum(({ runs }) => runs)],
    ['faults injected', sum(injected)],
    ['acknowledged inputs checked', sum(({ acknowledged }) => acknowledged)],
    ['acknowledged inputs lost', sum(({ lost }) => lost)],
    ['effects repeated', sum(({ repeated }) => repeated)],
    ["tools that ran beside a newer owner's", sum(({ overlapping }) => overlapping)],
    ['transcripts compared with the journal', sum(({ compared }) => compared)],
    ['transcripts that differ', sum(({ differing }) => differing)],
    ['processes leaked', sum(({ leaked }) => leaked)],
    ['worktrees damaged', sum(({ harmed }) => harmed)],
    ['malformed inputs tried', sum(({ cases }) => cases)],
    ['parser crashes', sum(({ crashes }) => crashes)],
  ];
  const command = `npm run prove -- ${values.fleet ? `--fleet --store ${engine} --seed ${seed} ` : ''}--minutes ${minutes}`;
  return [
    values.fleet ? fleetTitle : '# Proof',
    '',
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${run.seconds} s: ${run.isPassed ? 'every promise held' : '**a promise did not hold; see the output above**'}.`,
    '',
    '| | |',
    '|---|---:|',
    ...figures.map(([name, count]) => `| ${name} | ${count.toLocaleString('en-US')} |`),
    '',
    '| proof | runs | faults | acknowledged | compared | cases |',
    '|---|---:|---|---:|---:|---:|',
    ...all.map(
      (record) =>
        `| ${record.name} | ${record.runs} | ${wordsOf(record)} | ${record.acknowledged} | ${record.compared} | ${record.cases} |`,
    ),
    '',
    ...(values.fleet ? [`${fleetNotes[engine]} ${fleetNote}`, ''] : []),
    'Each proof is a test: `npm test` runs it briefly, `npm run prove` runs it for longer. A test fails if anything is lost, repeated, differing, leaked, damaged or crashed.',
    '',
  ].join('\n');
}
