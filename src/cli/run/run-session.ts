import { isSameRules, renewRules } from '../../kernel/policy/renew-rules.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Store } from '../../ports/store.ts';
import { waitTexts } from '../../views/waits-for.ts';
import { lettersFor } from '../sessions/reach-session.ts';
import { resolveSessionId, noSession } from '../../session/read/resolve-session-id.ts';
import { loadSession } from '../../session/read/load-session.ts';
import type { Session } from '../../session/handle/session.ts';
import { sessionAroundSelf } from '../../processes/around-session.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import type { RunCommandOptions } from './run-options.ts';
import { optional } from '../../kernel/optional.ts';

type SessionOptions = Pick<
  RunCommandOptions,
  'session' | 'agent' | 'model' | 'mode' | 'cwd' | 'worktree' | 'repository' | 'rules' | 'limits'
>;

/** The session of a run: a new one, or the named one with the options applied. */
export async function sessionFor(
  workspace: Workspace,
  options: SessionOptions,
  prompt?: string,
): Promise<Session> {
  const { session, agent, model, mode, cwd, worktree, repository, rules, limits } = options;
  const { rondo, rules: standing } = workspace;
  if (session !== undefined) return goOnWith(workspace, session, options, prompt);
  return rondo.sessions.create({
    cwd,
    rules: [...standing, ...rules],
    limits,
    ...optional({ worktree, agent, model, mode }),
    ...(repository !== undefined && { repository: { ...repository, ...optional({ name: prompt }) } }),
    by: terminalActor,
  });
}

async function goOnWith(
  { rondo, store, rules: standing }: Workspace,
  named: string,
  { agent, model, mode, cwd, rules, limits }: SessionOptions,
  prompt: string | undefined,
): Promise<Session> {
  const id = await resolveSessionId(store.journal, named);
  const before = id === undefined ? undefined : await loadSession(store.journal, id);
  if (id === undefined || before === undefined) throw noSession(named);
  if (before.state.imported?.isForeign === true) {
    return rondo.sessions.continue(id, {
      cwd,
      rules: [...standing, ...rules],
      limits,
      ...optional({ agent, model, mode }),
      by: terminalActor,
    });
  }
  const session = await rondo.sessions.open(id);
  if (prompt === undefined) await refuseWaiting(store, session);
  const send = async (input: Parameters<Session['send']>[0]) => {
    const receipt = await session.send(input, { by: terminalActor });
    if (receipt.type === 'refused') throw usageError(`session ${id}: ${receipt.refusal.message}`);
  };
  if (mode !== undefined) await send({ type: 'mode', mode });
  if (agent !== undefined || model !== undefined) {
    await send({ type: 'agent', agent: agent ?? before.state.agent.name, ...optional({ model }) });
  }
  if (Object.keys(limits).length > 0) await send({ type: 'limits', limits });
  const wanted = renewRules(before.state.rules, standing, rules);
  // The configuration that an agent's command runs with may be the agent's own (S19).
  if (sessionAroundSelf() !== undefined) return session;
  if (!isSameRules(wanted, before.state.rules) && before.state.phase.type !== 'closed') {
    await send({ type: 'policy', rules: wanted });
  }
  return session;
}

/** Work that no node can do now is neither done nor reported as done. */
async function refuseWaiting(store: Store, session: Session): Promise<void> {
  const status = await session.status();
  const waits = waitTexts(status, session.id);
  if (waits.length === 0) return;
  const hasWork =
    status.turn !== undefined ||
    status.queue.prompts.length > 0 ||
    (await lettersFor(store, session.id)).length > 0;
  if (hasWork) throw new Fault('conflict', `Session ${session.id} can't go on. ${waits.join(' ')}`);
}
