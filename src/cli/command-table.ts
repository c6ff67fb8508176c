import type { Command, CommandEntry } from './command.ts';

/** All commands, each with one line of help and its loader. Nothing is imported until it is used. */
export const commands = {
  serve: {
    summary: 'serve sessions to browsers and programs (also plain `rondo`)',
    load: async () => (await import('./serve/serve-command.ts')).serveCommand,
  },
  attach: {
    summary: 'follow a session of a running server (chat --follow)',
    load: async () => (await import('./chat/attach-command.ts')).attachCommand,
  },
  chat: {
    summary: 'talk to an agent in this terminal',
    load: async () => (await import('./chat/chat-command.ts')).chatCommand,
  },
  run: {
    summary: 'run one prompt and end; for scripts, CI and quick questions',
    load: async () => (await import('./run/run-command.ts')).runCommand,
  },
  ls: {
    summary: 'list sessions',
    load: async () => (await import('./sessions/ls-command.ts')).lsCommand,
  },
  show: {
    summary: 'show a session: its state, conversation, events, usage or audit',
    load: async () => (await import('./sessions/show-command.ts')).showCommand,
  },
  why: {
    summary: 'explain what was understood of the newest prompt',
    load: async () => (await import('./sessions/why-command.ts')).whyCommand,
  },
  fork: {
    summary: 'go on from a point of a session in a new one',
    load: async () => (await import('./sessions/fork-command.ts')).forkCommand,
  },
  rewind: {
    summary: 'bring a session and its files back to an earlier point',
    load: async () => (await import('./sessions/rewind-command.ts')).rewindCommand,
  },
  answer: {
    summary: 'answer an open question',
    load: async () => (await import('./sessions/answer-command.ts')).answerCommand,
  },
  inbox: {
    summary: 'list, show and answer open questions of all sessions',
    load: async () => (await import('./sessions/inbox-command.ts')).inboxCommand,
  },
  cancel: {
    summary: 'stop what a session is doing',
    load: async () => (await import('./sessions/cancel-command.ts')).cancelCommand,
  },
  set: {
    summary: "show or change an external agent's own mode and options",
    load: async () => (await import('./sessions/set-command.ts')).setCommand,
  },
  export: {
    summary: 'write a session to a file: a bundle, Markdown or JSON',
    load: async () => (await import('./upkeep/export-command.ts')).exportCommand,
  },
  import: {
    summary: 'take a session from a bundle into this store',
    load: async () => (await import('./upkeep/import-command.ts')).importCommand,
  },
  replay: {
    summary: 'run a session again from its journal, offline, and check every step',
    load: async () => (await import('./upkeep/replay-command.ts')).replayCommand,
  },
  prune: {
    summary: 'archive or delete old sessions by rule',
    load: async () => (await import('./upkeep/prune-command.ts')).pruneCommand,
  },
  workers: {
    summary: 'list, create, rename and delete workers',
    load: async () => (await import('./workers/workers-command.ts')).workersCommand,
  },
  jobs: {
    summary: 'list and cancel jobs; run a list of jobs',
    load: async () => (await import('./workers/jobs-command.ts')).jobsCommand,
  },
  worktrees: {
    summary: 'list, make, look at, merge and remove worktrees',
    load: async () => (await import('./worktrees/worktrees-command.ts')).worktreesCommand,
  },
  init: {
    summary: 'write a first configuration for this project',
    load: async () => (await import('./setup/init-command.ts')).initCommand,
  },
  agents: {
    summary: 'list the agents there are',
    load: async () => (await import('./setup/agents-command.ts')).agentsCommand,
  },
  models: {
    summary: 'list the models that were found, and why',
    load: async () => (await import('./setup/models-command.ts')).modelsCommand,
  },
  policy: {
    summary: 'explain what a call may do; list and revoke saved rules',
    load: async () => (await import('./policy/policy-command.ts')).policyCommand,
  },
  token: {
    summary: 'issue, list and revoke tokens for clients of the server',
    load: async () => (await import('./serve/token-command.ts')).tokenCommand,
  },
  trust: {
    summary: "trust this project's own configuration",
    load: async () => (await import('./setup/trust-command.ts')).trustCommand,
  },
  config: {
    summary: 'show and check the configuration',
    load: async () => (await import('./setup/config-command.ts')).configCommand,
  },
  doctor: {
    summary: 'check that everything Rondo needs is there and sound',
    load: async () => (await import('./setup/doctor-command.ts')).doctorCommand,
  },
  acp: {
    summary: 'be an agent of an editor that speaks the Agent Client Protocol',
    load: async () => (await import('./acp/acp-command.ts')).acpCommand,
  },
  completion: {
    summary: 'print completions for bash, zsh or fish',
    load: async (): Promise<Command> =>
      (await import('./setup/completion-command.ts')).createCompletionCommand(commands),
  },
} as const satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof commands;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
