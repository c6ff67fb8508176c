import { findBubblewrap } from '../../scripts/unpack-bubblewrap.ts';
import type { Plan } from '../harness/plan.ts';
import { isFailure, runChild } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { FatigueArgument, FatigueResult } from './fatigue-load.ts';
import { repositories } from './repositories.ts';

type State = Pick<FatigueArgument, 'sandbox' | 'grants'>;

/** With the goals per 100 turns. */
const states: readonly (State & { readonly title: string; readonly most: number })[] = [
  { sandbox: 'auto', grants: 'cold', title: 'in the sandbox, cold', most: 12 },
  { sandbox: 'auto', grants: 'warm', title: 'in the sandbox, warm', most: 5 },
  { sandbox: 'none', grants: 'cold', title: 'without, cold', most: 40 },
  { sandbox: 'none', grants: 'warm', title: 'without, warm', most: 25 },
];

/** Q. How often Rondo asks. Counts don't depend on the machine's speed, so each is measured once. */
export async function measureApprovalFatigue(plan: Plan): Promise<Section> {
  const found = findBubblewrap();
  const measured = states.filter(({ sandbox }) => sandbox === 'none' || found.type === 'found');
  const bubblewrap = found.type === 'found' ? found.program : 'none';
  const { results, failures, waitedShare } = await runAll(measured, bubblewrap);
  const of = (kind: string, state: State) => results.get(keyOf(kind, state));
  const allOf = (state: State) => repositories.flatMap(({ kind }) => of(kind, state) ?? []);
  const perHundred = (results: readonly FatigueResult[]) =>
    (100 * sum(results, ({ questions }) => questions.length)) / sum(results, ({ turns }) => turns);
  const every = measured.flatMap(allOf);
  const dangerous = [...new Set(every.flatMap((result) => result.dangerous))];
  if (dangerous.length > 0) throw new Error(`Dangerous calls ran unasked:\n${dangerous.join('\n')}`);
  const isComplete = (state: State) => allOf(state).length === repositories.length;
  const first = allOf({ sandbox: 'none', grants: 'cold' });
  return {
    title: 'Q. How often Rondo asks',
    work:
      `${sum(first, ({ turns }) => turns)} turns of a coding agent with ${sum(first, ({ calls }) => calls)} calls, written by hand after public traces ` +
      `(\`bench/fatigue/turns\`), in ${repositories.length} kinds of repository built for this benchmark. A real session with the ` +
      'shipped defaults carries out every call; without a sandbox, each call is checked to end as recorded. The ' +
      'person answers "for this session" if the question offers it. Cold: a session without grants. Warm: grants from ' +
      'other turns of an earlier day. Each call counts as at most one question; a call that fails because of the ' +
      'sandbox counts, and so does a denied one. Calls that must ask (push, publish, outside) are counted separately. ' +
      'Between turns, the benchmark tries attacks under the grants of that moment. If an attack or a must-ask call ' +
      'does harm or runs unasked, the benchmark ends without a result.',
    tables: [
      {
        title: 'Questions per 100 turns',
        head: ['', ...measured.map(({ title }) => title)],
        rows: [
          ...repositories.map(({ kind }) => [
            kind,
            ...measured.map((state) => perHundred([of(kind, state)].filter((result) => result !== undefined))),
          ]),
          ['all', ...measured.map((state) => perHundred(allOf(state)))],
        ],
      },
      {
        title: 'In numbers',
        head: ['', ...measured.map(({ title }) => title)],
        rows: [
          row('questions', ({ questions, failedInside, denied }) => questions.length - failedInside - denied),
          row('failed because of the sandbox', ({ failedInside }) => failedInside),
          row('denied', ({ denied }) => denied),
          row('must ask, and did', ({ mustAsk }) => mustAsk),
          row('attacks', ({ attacks }) => attacks),
          row('of these ran unasked, confined and without harm', ({ confinedAttacks }) => confinedAttacks),
        ],
      },
      {
        title: 'What was asked',
        head: ['', ...measured.map(({ title }) => title)],
        rows: reasons.map(([name, pattern]) => [
          name,
          ...measured.map(
            (state) =>
              allOf(state)
                .flatMap(({ questions }) => questions)
                .filter((text) => reasonOf(text) === pattern).length,
          ),
        ]),
      },
    ],
    figures: measured.map(({ title, most, ...state }) =>
      atMost(
        `questions per 100 turns, ${title}`,
        isComplete(state) ? perHundred(allOf(state)) : Number.NaN,
        most,
        {
          of: 'amount',
        },
      ),
    ),
    waitedShare,
    remarks: [
      ...failures,
      ...(found.type === 'none' ? [`Without a sandbox only: ${found.reason}`] : []),
      `Stand-ins for programs that this machine lacks or that would change it: ${[...new Set(every.flatMap(({ standIns }) => standIns))].join(', ')}.`,
      ...(plan.isQuick ? ['The same with and without --quick.'] : []),
    ],
  };

  function row(name: string, count: (result: FatigueResult) => number): readonly (string | number)[] {
    return [name, ...measured.map((state) => sum(allOf(state), count))];
  }
}

/** Runs several in parallel, because only counts matter. */
async function runAll(measured: readonly State[], bubblewrap: string) {
  const results = new Map<string, FatigueResult>();
  const failures: string[] = [];
  const shares: number[] = [];
  const pending = measured.flatMap(({ sandbox, grants }) =>
    repositories.map(({ kind }): FatigueArgument => ({ kind, sandbox, grants, bubblewrap })),
  );
  const work = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const key = keyOf(next.kind, next);
      const result = await runChild('approval-fatigue', next, { timeoutMs: 1_800_000 });
      process.stderr.write(isFailure(result) ? 'x' : '.');
      if (isFailure(result)) failures.push(`${key}: ${result.failure}`);
      else {
        results.set(key, result);
        shares.push(result.waitedShare ?? Number.NaN);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.stderr.write('\n');
  return { results, failures, waitedShare: medianOf(shares) };
}

const AT_ONCE = 4;

/** Kinds of questions by their text; the first match counts. */
const reasons: readonly (readonly [string, RegExp])[] = [
  ['edits of files', /^(?:edit|write) /],
  [
    'looking into the repository',
    /^(?:cd \S+ && )?git (?:-\S+ )*(?:status|diff|log|show|blame|branch(?: -\w+)?$|rev-list|shortlog|worktree list|check-ignore|stash list)/,
  ],
  ['other git commands', /^(?:git|git_commit)\b/],
  ['installing', /\binstall\b/],
  ['deleting', /(?:^|&& )rm /],
  ['the rest: tests, builds, scripts', /./],
];

function reasonOf(text: string): RegExp | undefined {
  return reasons.find(([, pattern]) => pattern.test(text))?.[1];
}

function keyOf(kind: string, { sandbox, grants }: State): string {
  return `${kind}, sandbox ${sandbox}, ${grants}`;
}

function sum(results: readonly FatigueResult[], of: (result: FatigueResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}
