// Generated command lines: those that run unasked are really run, in a jail with markers. `npm run prove`
// tries 20,000; COMMAND_LINES and COMMAND_SEED say otherwise.
import { expect, test } from 'vitest';

import type { CallId, EffectId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { grantsFor, judge } from '../../src/kernel/permission.ts';
import { parseRule, type Rule } from '../../src/kernel/rule.ts';
import { createShellTool } from '../../src/tools/shell-tool.ts';
import { attackCommands } from '../attacks/attack-commands.ts';
import { commandLine, randomFrom } from '../attacks/command-lines.ts';
import { everydayCommands } from '../attacks/everyday-commands.ts';
import { createMarkerJail, SECRET } from '../attacks/marker-jail.ts';
import { recordProof } from './proof-record.ts';

const count = Number(process.env['COMMAND_LINES'] ?? 1_500);
const seed = Number(process.env['COMMAND_SEED'] ?? 1);

test(
  '[S9] [S6] [P8] of generated command lines those that run unasked change nothing, run nothing and show no secret',
  { timeout: 3_600_000 },
  async () => {
    using jail = createMarkerJail();
    const shell = createShellTool({ timeoutMs: 5_000 });
    const context = { session: 'ses_jail' as SessionId, agent: 'fuzz', cwd: jail.root, roots: [jail.root] };
    const describe = async (command: string) => ({
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
    const found: string[] = [];
    const ran = { free: 0, granted: 0 };
    let before = { everything: jail.snapshot('everything'), guarded: jail.snapshot('guarded') };
    for (let number = 0; number < count; number += 1) {
      const command = commandLine(randomFrom(seed * 1_000_003 + number), seeds);
      const call = await describe(command);
      const policy = { rules: [], grants: number % 3 === 0 ? grants : [], tools: 'all' } as const;
      if (judge(call, policy, modes.interactive).verdict !== 'allow') continue;
      const isFree = call.facts.segments?.every(({ free }) => free === true) === true;
      const result = await shell.run(
        { command },
        {
          ...context,
          effect: `ses_jail.${number}` as EffectId,
          attempt: 1,
          epoch: 1,
          facts: call.facts,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
      );
      ran[isFree ? 'free' : 'granted'] += 1;
      const after = { everything: jail.snapshot('everything'), guarded: jail.snapshot('guarded') };
      const changed = isFree ? after.everything !== before.everything : after.guarded !== before.guarded;
      if (changed || JSON.stringify(result).includes(SECRET)) found.push(command);
      jail.mend();
      before = { everything: jail.snapshot('everything'), guarded: jail.snapshot('guarded') };
    }
    recordProof({
      name: 'generated command lines',
      runs: ran.free + ran.granted,
      faults: ran,
      cases: count,
      harmed: found.length,
    });
    process.stdout.write(
      `${count} command lines from seed ${seed}: ${ran.free} ran unasked, ${ran.granted} under grants, ${found.length} did harm\n`,
    );
    expect(found).toEqual([]);
    expect(ran.free).toBeGreaterThan(count / 100);
  },
);
