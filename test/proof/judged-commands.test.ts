// Generated command lines: those that run unasked are really run, in a jail with markers. `npm run prove` tries
// 20,000; COMMAND_LINES and COMMAND_SEED override it.
import { expect, test } from 'vitest';

import type { Call, CallFacts, SegmentFact } from '../../src/kernel/call.ts';
import type { CallId, EffectId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { grantsFor, judge } from '../../src/kernel/policy/permission.ts';
import { parseRule, type Rule } from '../../src/kernel/rule.ts';
import { createShellTool } from '../../src/tools/shell/shell-tool.ts';
import { attackCommands } from '../attacks/attack-commands.ts';
import { commandLine, randomFrom } from '../attacks/command-lines.ts';
import { everydayCommands } from '../attacks/everyday-commands.ts';
import { createMarkerJail, SECRET } from '../attacks/marker-jail.ts';
import { mayChange } from '../attacks/permitted-changes.ts';
import { recordProof } from './proof-record.ts';

const count = Number(process.env['COMMAND_LINES'] ?? 1_500);
const seed = Number(process.env['COMMAND_SEED'] ?? 1);

/** Read-only commands run in parallel, and the jail is checked once for all of them. */
const BATCH = 24;

interface Allowed {
  readonly command: string;
  readonly facts: CallFacts;
}

/** Its commands, and the files that its redirections write. */
function partsOf({ facts: { segments = [], paths = [] } }: Allowed): readonly SegmentFact[] {
  return [...segments, ...paths.map(({ path }) => ({ text: `> ${path}` }))];
}

test(
  '[S9] [S6] [P8] of generated command lines those that run unasked change nothing, run nothing and show no secret',
  { timeout: 3_600_000 },
  async () => {
    using jail = createMarkerJail();
    const shell = createShellTool({ timeoutMs: 5_000 });
    // Checkpoints make the widest grants possible.
    const keepsFiles = () => Promise.resolve(true);
    const { root } = jail;
    const context = { session: 'ses_jail' as SessionId, agent: 'fuzz', cwd: root, roots: [root], keepsFiles };
    const describe = async (command: string): Promise<Call> => ({
      id: 'c1' as CallId,
      tool: 'shell',
      args: '',
      facts: await shell.describe({ command }, context),
    });
    const grants: Rule[] = [];
    for (const command of everydayCommands) {
      grants.push(
        ...grantsFor(await describe(command)).flatMap((text) => parseRule(text, 'allow', 'session') ?? []),
      );
    }
    const seeds = { everyday: everydayCommands, attacks: attackCommands };
    const found = new Set<string>();
    const ran = { free: 0, granted: 0 };
    let effects = 0;
    const run = async ({ command, facts }: Allowed) => {
      effects += 1;
      const result = await shell.run(
        { command },
        {
          ...context,
          effect: `ses_jail.${effects}` as EffectId,
          attempt: 1,
          epoch: 1,
          facts,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
      );
      if (JSON.stringify(result).includes(SECRET)) found.add(command);
    };
    /** The files that the commands added, changed or removed. */
    const changes = async (batch: readonly Allowed[]): Promise<readonly string[]> => {
      const before = jail.snapshot();
      await Promise.all(batch.map(run));
      const after = jail.snapshot();
      return [...new Set([...before.keys(), ...after.keys()])].filter(
        (file) => before.get(file) !== after.get(file),
      );
    };
    /** Runs read-only commands. If something changed, runs each again by itself to find the culprit. */
    const runFree = async (batch: readonly Allowed[]) => {
      ran.free += batch.length;
      if ((await changes(batch)).length === 0) return;
      const culprits: string[] = [];
      for (const one of batch) if ((await changes([one])).length > 0) culprits.push(one.command);
      for (const command of culprits.length > 0 ? culprits : batch.map((one) => one.command)) found.add(command);
    };
    const runGranted = async (one: Allowed) => {
      ran.granted += 1;
      const changed = await changes([one]);
      const harmed = changed.filter((file) => !mayChange(file, partsOf(one)));
      if (harmed.length > 0) found.add(`${one.command} → ${harmed.join(', ')}`);
      jail.restore(changed);
    };
    let free: Allowed[] = [];
    // The generator repeats many lines; each runs only once.
    const done = new Set<string>();
    const distinct = new Set<string>();
    let allowed = 0;
    for (let number = 0; number < count; number += 1) {
      const command = commandLine(randomFrom(seed * 1_000_003 + number), seeds);
      distinct.add(command);
      const isGranted = number % 3 === 0;
      const call = await describe(command);
      const policy = { rules: [], grants: isGranted ? grants : [], tools: 'all' } as const;
      if (judge(call, policy, modes.interactive).verdict !== 'allow') continue;
      allowed += 1;
      if (done.has(command)) continue;
      done.add(command);
      const isFree = call.facts.segments?.every((segment) => segment.free === true) === true;
      if (isFree) free.push({ command, facts: call.facts });
      if (!isFree || free.length === BATCH) {
        await runFree(free);
        free = [];
      }
      if (!isFree) await runGranted({ command, facts: call.facts });
    }
    await runFree(free);
    recordProof({
      name: 'generated command lines',
      runs: ran.free + ran.granted,
      faults: ran,
      cases: count,
      harmed: found.size,
    });
    process.stdout.write(
      `${count} command lines from seed ${seed}, ${distinct.size} distinct: ${allowed} allowed; ` +
        `of these ran ${ran.free} distinct ones unasked, ${ran.granted} under grants; ${found.size} did harm\n`,
    );
    expect([...found]).toEqual([]);
    expect(allowed).toBeGreaterThan(count / 100);
  },
);
