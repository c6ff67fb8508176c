/** The commands of every front end, in the order of their help. */
import { agent } from './agent.ts';
import { agents } from './agents.ts';
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { clear } from './clear.ts';
import { compact } from './compact.ts';
import { context } from './context.ts';
import { copy } from './copy.ts';
import { deny } from './deny.ts';
import { diff } from './diff.ts';
import { exit } from './exit.ts';
import { exportFile } from './export.ts';
import { fork } from './fork.ts';
import { help } from './help.ts';
import { history } from './history.ts';
import { inbox } from './inbox.ts';
import { init } from './init.ts';
import { interrupt } from './interrupt.ts';
import { jobs } from './jobs.ts';
import { mcp } from './mcp.ts';
import { mode } from './mode.ts';
import { model } from './model.ts';
import { newSession } from './new.ts';
import { permissions } from './permissions.ts';
import { queue } from './queue.ts';
import { resume } from './resume.ts';
import { rewind } from './rewind.ts';
import { sessions } from './sessions.ts';
import { set } from './set.ts';
import { share } from './share.ts';
import { skills } from './skills.ts';
import { status } from './status.ts';
import { steer } from './steer.ts';
import { tools } from './tools.ts';
import { trust } from './trust.ts';
import { undo } from './undo.ts';
import { usage } from './usage.ts';
import { why } from './why.ts';
import { workers } from './workers.ts';
import type { Command } from './command.ts';

export const builtInCommands: readonly Command[] = [
  help,
  exit,
  clear,
  history,
  agent,
  agents,
  model,
  mode,
  set,
  tools,
  skills,
  mcp,
  permissions,
  inbox,
  sessions,
  newSession,
  resume,
  fork,
  rewind,
  undo,
  diff,
  copy,
  status,
  usage,
  context,
  compact,
  queue,
  steer,
  interrupt,
  workers,
  jobs,
  approve,
  deny,
  trust,
  answer,
  why,
  exportFile,
  share,
  init,
];
