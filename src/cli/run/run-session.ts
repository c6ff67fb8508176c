import { ruleToText, type Rule } from '../../kernel/rule.ts';
import { findSession, noSession } from '../../session/find-session.ts';
import { loadSession } from '../../session/load-session.ts';
import type { Session } from '../../session/session.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import type { RunOptions } from './run-options.ts';

type SessionOptions = Pick<
  RunOptions,
  'session' | 'agent' | 'model' | 'mode' | 'cwd' | 'worktree' | 'rules' | 'limits'
>;

/** The session of a run: a new one, or the one that was named, changed as the options say. */
export async function sessionFor(workspace: Workspace, options: SessionOptions): Promise<Session> {
  const { session, agent, model, mode, cwd, worktree, rules, limits } = options;
  const { rondo, rules: standing } = workspace;
  if (session !== undefined) return goOnWith(workspace, session, options);
  return rondo.sessions.create({
    cwd,
    rules: [...standing, ...rules],
    limits,
    ...(worktree !== undefined && { worktree }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    by: terminalActor,
  });
}

async function goOnWith(
  { rondo, store, rules: standing }: Workspace,
  named: string,
  { agent, model, mode, rules, limits }: SessionOptions,
): Promise<Session> {
  const id = await findSession(store.journal, named);
  const before = id === undefined ? undefined : await loadSession(store.journal, id);
  if (id === undefined || before === undefined) throw noSession(named);
  const session = await rondo.sessions.open(id);
  const send = async (input: Parameters<Session['send']>[0]) => {
    const receipt = await session.send(input, { by: terminalActor });
    if (receipt.type === 'refused') throw usageError(`session ${id}: ${receipt.refusal.message}`);
  };
  if (mode !== undefined) await send({ type: 'mode', mode });
  if (agent !== undefined || model !== undefined) {
    await send({ type: 'agent', agent: agent ?? before.state.agent.name, ...(model !== undefined && { model }) });
  }
  if (Object.keys(limits).length > 0) await send({ type: 'limits', limits });
  const wanted = rulesNow(before.state.rules, standing, rules);
  if (!isSame(wanted, before.state.rules) && before.state.phase.type !== 'closed') {
    await send({ type: 'policy', rules: wanted });
  }
  return session;
}

/** What user and project say counts as it is now; what the agent and earlier flags said stays. */
function rulesNow(before: readonly Rule[], standing: readonly Rule[], flags: readonly Rule[]): readonly Rule[] {
  const kept = before.filter(({ origin }) => origin === 'agent' || origin === 'session' || origin === 'flag');
  const all = [
    ...kept.filter(({ origin }) => origin === 'agent'),
    ...standing,
    ...kept.filter(({ origin }) => origin !== 'agent'),
  ];
  const known = new Set(all.map(keyOf));
  return [...all, ...flags.filter((rule) => !known.has(keyOf(rule)))];
}

function isSame(a: readonly Rule[], b: readonly Rule[]): boolean {
  return a.length === b.length && a.every((rule, index) => keyOf(rule) === keyOf(b[index] ?? rule));
}

function keyOf(rule: Rule): string {
  return `${rule.origin} ${rule.verdict} ${ruleToText(rule)}`;
}
