/**
 * Tools that work in a worktree only for the session that holds it. A session that returns renews its lease with
 * its first call. While another session works there, every call is refused with that session's name.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';

import type { State } from '../../kernel/state.ts';
import type { ExternalAgents } from '../../runtime/capabilities.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Refused } from '../../worktrees/worktree.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { SessionTools } from './session-tools.ts';
import { toolPipeline, type ToolSource, type ToolStage } from './tool-pipeline.ts';

export interface LeasedTools extends SessionTools {
  /** The session has ended permanently: releases its worktree and keeps its content. */
  ended(session: string, cwd: string): Promise<unknown>;
  /** Takes the lease on the session's worktree. Undefined if the session holds it or uses none. */
  hold(state: State): Promise<Refused | undefined>;
}

/** External agents also work only where their session holds the worktree. */
export function leasedAgents(agents: ExternalAgents, hold: LeasedTools['hold'] | undefined): ExternalAgents {
  if (hold === undefined) return agents;
  return {
    answer: (answer) => agents.answer(answer),
    set: async (session, setting) => agents.set?.(session, setting),
    release: async (session) => agents.release?.(session),
    keeps: (session) => agents.keeps?.(session) ?? false,
    async prompt(turn) {
      const held = await hold(turn.host.state);
      return held === undefined
        ? await agents.prompt(turn)
        : { type: 'failed', code: 'agent-unavailable', message: held.message };
    },
  };
}

export function leasedTools(
  sources: readonly ToolSource[],
  worktrees: Pick<Worktrees, 'enter' | 'leave'>,
  clock: Pick<Clock, 'now'>,
  stages: readonly ToolStage[] = [],
): LeasedTools {
  /** Sessions that hold their worktree or use none. */
  const entered = new Set<string>();
  const leaving = new Set<Promise<unknown>>();

  async function hold({ id, cwd }: State): Promise<Refused | undefined> {
    if (entered.has(id)) return undefined;
    const answer = (await isLinked(cwd)) ? await worktrees.enter(cwd, id, clock.now()) : undefined;
    if (answer !== undefined && 'code' in answer) return answer;
    entered.add(id);
    return undefined;
  }

  const lease: ToolStage = {
    name: 'lease',
    async apply(tool, state) {
      const refused = await hold(state);
      if (refused === undefined) return tool;
      return { ...tool, run: async () => ({ type: 'error', code: 'worktree-in-use', message: refused.message }) };
    },
  };
  const tools = toolPipeline(sources, [...stages, lease]);

  return {
    ...tools,
    hold,
    ended(session, cwd) {
      entered.delete(session);
      const left = isLinked(cwd)
        .then((linked) => linked && worktrees.leave(cwd, session))
        // No session can be in a missing folder.
        .catch(() => undefined)
        .finally(() => leaving.delete(left));
      leaving.add(left);
      return left;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(leaving);
      await tools[Symbol.asyncDispose]();
    },
  };
}

/** Only a linked worktree has a `.git` file instead of a folder, so this check needs no git process. */
async function isLinked(cwd: string): Promise<boolean> {
  for (let at = cwd; ; at = path.dirname(at)) {
    const kind = await lstat(path.join(at, '.git')).then(
      (stats) => (stats.isFile() ? 'file' : 'folder'),
      () => 'none',
    );
    if (kind !== 'none') return kind === 'file';
    if (path.dirname(at) === at) return false;
  }
}
