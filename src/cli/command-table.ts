import type { CliCommand, CommandEntry } from './command.ts';

/** All commands, each with one line of help and its loader. Nothing is imported until it is used. */
export const commands = {
  serve: {
    summary: 'serve sessions to browsers and programs',
    load: async () => (await import('./serve/serve-command.ts')).serveCommand,
  },
  attach: {
    summary: 'follow a session of a running server (chat --follow)',
    load: async () => (await import('./chat/attach-command.ts')).attachCommand,
  },
  chat: {
    summary: 'chat with an agent in this terminal (also plain `rondo`)',
    load: async () => (await import('./chat/chat-command.ts')).chatCommand,
  },
  run: {
    summary: 'run one prompt and exit (scripts, CI, quick questions)',
    load: async () => (await import('./run/run-command.ts')).runCommand,
  },
  ls: {
    summary: 'list sessions',
    load: async () => (await import('./sessions/ls-command.ts')).lsCommand,
  },
  show: {
    summary: 'show a session: state, conversation, events, usage, audit',
    load: async () => (await import('./sessions/show-command.ts')).showCommand,
  },
  why: {
    summary: 'explain how Rondo understood the newest prompt',
    load: async () => (await import('./sessions/why-command.ts')).whyCommand,
  },
  fork: {
    summary: 'fork a session at an earlier point',
    load: async () => (await import('./sessions/fork-command.ts')).forkCommand,
  },
  rewind: {
    summary: 'rewind a session and its files to an earlier point',
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
    summary: 'stop the current work of a session',
    load: async () => (await import('./sessions/cancel-command.ts')).cancelCommand,
  },
  set: {
    summary: "show or change an external agent's mode and options",
    load: async () => (await import('./sessions/set-command.ts')).setCommand,
  },
  export: {
    summary: 'export a session as a bundle, Markdown or JSON',
    load: async () => (await import('./upkeep/export-command.ts')).exportCommand,
  },
  import: {
    summary: 'import a session from a bundle',
    load: async () => (await import('./upkeep/import-command.ts')).importCommand,
  },
  store: {
    summary: 'copy a whole store to another engine',
    load: async () => (await import('./upkeep/store-command.ts')).storeCommand,
  },
  replay: {
    summary: 'replay a session from its journal and verify each step',
    load: async () => (await import('./upkeep/replay-command.ts')).replayCommand,
  },
  prune: {
    summary: 'archive or delete old sessions',
    load: async () => (await import('./upkeep/prune-command.ts')).pruneCommand,
  },
  nodes: {
    summary: 'list the servers on this store, or drain one',
    load: async () => (await import('./serve/nodes-command.ts')).nodesCommand,
  },
  workers: {
    summary: 'list, create, rename and delete workers',
    load: async () => (await import('./workers/workers-command.ts')).workersCommand,
  },
  jobs: {
    summary: 'list and cancel jobs, or run a list of jobs',
    load: async () => (await import('./workers/jobs-command.ts')).jobsCommand,
  },
  worktrees: {
    summary: 'list, create, review, merge and remove worktrees',
    load: async () => (await import('./worktrees/worktrees-command.ts')).worktreesCommand,
  },
  init: {
    summary: "create this project's rondo.json",
    load: async () => (await import('./setup/init-command.ts')).initCommand,
  },
  agents: {
    summary: 'list available agents',
    load: async () => (await import('./setup/agents-command.ts')).agentsCommand,
  },
  models: {
    summary: 'list available models and how they were found',
    load: async () => (await import('./setup/models-command.ts')).modelsCommand,
  },
  policy: {
    summary: 'explain what the policy allows; list and revoke saved rules',
    load: async () => (await import('./policy/policy-command.ts')).policyCommand,
  },
  token: {
    summary: 'create, list and revoke access tokens for the server',
    load: async () => (await import('./serve/token-command.ts')).tokenCommand,
  },
  share: {
    summary: 'create, list and revoke read-only links to a session',
    load: async () => (await import('./serve/share-command.ts')).shareCommand,
  },
  trust: {
    summary: "trust this project's configuration",
    load: async () => (await import('./setup/trust-command.ts')).trustCommand,
  },
  config: {
    summary: 'show and check the configuration',
    load: async () => (await import('./setup/config-command.ts')).configCommand,
  },
  doctor: {
    summary: 'check the installation, the store and the configuration',
    load: async () => (await import('./setup/doctor-command.ts')).doctorCommand,
  },
  acp: {
    summary: 'run as an agent for editors (Agent Client Protocol)',
    load: async () => (await import('./acp/acp-command.ts')).acpCommand,
  },
  mcp: {
    summary: 'serve sessions to MCP clients; list and log in to MCP servers',
    load: async () => (await import('./mcp/mcp-command.ts')).mcpCommand,
  },
  completion: {
    summary: 'print shell completions for bash, zsh or fish',
    load: async (): Promise<CliCommand> =>
      (await import('./setup/completion-command.ts')).createCompletionCommand(commands),
  },
} as const satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof commands;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
