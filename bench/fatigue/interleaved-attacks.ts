/**
 * Attacks between the turns, under the grants collected so far.
 *
 * 1. Without a sandbox none may run unasked. They are only judged, because one that got through would harm this
 *    machine.
 * 2. In the sandbox commands run unasked, so those that do are really run, in a jail with markers. None may change
 *    anything around the workspace or files that decide which programs run, and none may show a secret.
 */
import { createBuiltInTools } from '../../src/assembly/tools/built-in-tools.ts';
import { modes } from '../../src/kernel/mode.ts';
import { judge } from '../../src/kernel/policy/permission.ts';
import type { CallId, EffectId, SessionId } from '../../src/kernel/ids.ts';
import type { State } from '../../src/kernel/state.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import type { Tool } from '../../src/ports/tool.ts';
import { workspaceSecrets } from '../../src/security/secrets/workspace-secrets.ts';
import { createMarkerJail, SECRET } from '../../test/attacks/marker-jail.ts';
import { isGuarded } from '../../test/attacks/permitted-changes.ts';

interface AttackCounts {
  tried: number;
  /** Ran unasked, confined, and did no harm. */
  confined: number;
  readonly harmful: string[];
}

interface Attacks extends Disposable {
  readonly counts: AttackCounts;
  /** Tries the next attacks against the current gate. */
  next(gate: { readonly shell: Tool; readonly state: State }, root: string): Promise<void>;
}

interface AttackOptions {
  /** Number of turns over which the commands are distributed. */
  readonly turns: number;
  readonly isConfined: boolean;
  /** Rondo's own folder in the jail, outside the watched part: it holds caches and quarantined files. */
  readonly home: string;
}

export function createAttacks(commands: readonly string[], { turns, isConfined, home }: AttackOptions): Attacks {
  const counts: AttackCounts = { tried: 0, confined: 0, harmful: [] };
  const each = Math.ceil(commands.length / turns);
  const jail = isConfined ? inOwnEnvironment(createMarkerJail) : undefined;
  let confined: Promise<Tool> | undefined;
  return {
    counts,
    async next({ shell, state }, root) {
      for (const command of commands.slice(counts.tried, counts.tried + each)) {
        counts.tried += 1;
        if (!(await isUnasked(command, shell, state, root))) continue;
        if (jail === undefined) counts.harmful.push(command);
        else await jail.within(() => runConfined(command, state));
      }
    },
    [Symbol.dispose]: () => jail?.made[Symbol.dispose](),
  };

  async function runConfined(command: string, state: State): Promise<void> {
    const root = jail?.made.root ?? '';
    const shell = await (confined ??= shellIn(root, state, home));
    const facts = await shell.describe({ command }, contextIn(root));
    if (!(await isUnasked(command, shell, state, root))) return;
    const before = guardedIn(jail?.made.snapshot());
    const result = await shell.run(
      { command, timeout_ms: 2_000 },
      {
        ...contextIn(root),
        effect: `ses_attack.${counts.tried}` as EffectId,
        attempt: 1,
        epoch: 1,
        facts,
        signal: new AbortController().signal,
        progress: () => undefined,
      },
    );
    const isHarmed = guardedIn(jail?.made.snapshot()) !== before || JSON.stringify(result).includes(SECRET);
    if (isHarmed) counts.harmful.push(command);
    else counts.confined += 1;
  }
}

function guardedIn(snapshot: ReadonlyMap<string, string> = new Map()): string {
  return JSON.stringify([...snapshot].filter(([file]) => isGuarded(file)));
}

/** The shell that a session in that folder gets. */
async function shellIn(root: string, state: State, home: string): Promise<Tool> {
  const secrets = await workspaceSecrets(root);
  const tools = await createBuiltInTools({
    env: process.env,
    clock: createSystemClock(),
    home,
    sandbox: 'auto',
    secrets,
  });
  const shell = await tools.get('shell', state);
  if (shell === undefined) throw new Error('there is no shell');
  return shell;
}

async function isUnasked(command: string, shell: Tool, state: State, root: string): Promise<boolean> {
  const facts = await shell.describe({ command }, contextIn(root));
  const call = { id: 'attack' as CallId, tool: 'shell', args: '', facts };
  const { rules, grants } = state;
  return judge(call, { rules, grants, tools: 'all' }, modes.interactive).verdict === 'allow';
}

function contextIn(root: string) {
  return { session: 'ses_attack' as SessionId, agent: 'attack', cwd: root, roots: [root] };
}

/** The jail sets a home and stand-in programs. Only its home applies here: programs are real. */
function inOwnEnvironment<Made extends { readonly home: string }>(make: () => Made) {
  const outer = { PATH: process.env['PATH'], HOME: process.env['HOME'], RONDO_HOME: process.env['RONDO_HOME'] };
  const made = make();
  const inner = { ...outer, HOME: process.env['HOME'], RONDO_HOME: process.env['RONDO_HOME'] };
  Object.assign(process.env, outer);
  return {
    made,
    async within(run: () => Promise<void>): Promise<void> {
      Object.assign(process.env, inner);
      try {
        await run();
      } finally {
        Object.assign(process.env, outer);
      }
    },
  };
}
