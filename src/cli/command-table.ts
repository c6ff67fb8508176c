import type { CliCommand, CommandEntry } from './command.ts';

/** All commands as help groups them, each with one line of help and its loader. Nothing is imported until it is used. */
export const commandGroups = {
  'Start here': {
    chat: {
      summary: 'chat with an agent in this terminal (also plain `rondo`)',
      load: async () => (await import('./chat/chat-command.ts')).chatCommand,
    },
    run: {
      summary: 'run one prompt and exit (scripts, CI, quick questions)',
      load: async () => (await import('./run/run-command.ts')).runCommand,
    },
    serve: {
      summary: 'serve sessions to browsers and programs',
      load: async () => (await import('./serve/serve-command.ts')).serveCommand,
    },
    init: {
      summary: "create this project's rondo.json",
      load: async () => (await import('./setup/init-command.ts')).initCommand,
    },
  },
  Sessions: {
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
    answer: {
      summary: 'answer an open question',
      load: async () => (await import('./sessions/answer-command.ts')).answerCommand,
    },
    inbox: {
      summary: 'list, show and answer open questions of all sessions',
      load: async () => (await import('./sessions/inbox-command.ts')).inboxCommand,
    },
    continue: {
      summary: 'continue a session here whose machine is gone',
      load: async () => (await import('./sessions/continue-command.ts')).continueCommand,
    },
    cancel: {
      summary: 'stop the current work of a session',
      load: async () => (await import('./sessions/cancel-command.ts')).cancelCommand,
    },
    set: {
      summary: "show or change an external agent's mode and options",
      load: async () => (await import('./sessions/set-command.ts')).setCommand,
    },
    attach: {
      summary: 'follow a session of a running server (chat --follow)',
      load: async () => (await import('./chat/attach-command.ts')).attachCommand,
    },
    fork: {
      summary: 'fork a session at an earlier point',
      load: async () => (await import('./sessions/fork-command.ts')).forkCommand,
    },
    rewind: {
      summary: 'rewind a session and its files to an earlier point',
      load: async () => (await import('./sessions/rewind-command.ts')).rewindCommand,
    },
    share: {
      summary: 'create, list and revoke read-only links to a session',
      load: async () => (await import('./serve/share-command.ts')).shareCommand,
    },
  },
  'Workers and worktrees': {
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
  },
  'Agents and models': {
    agents: {
      summary: 'list available agents',
      load: async () => (await import('./setup/agents-command.ts')).agentsCommand,
    },
    models: {
      summary: 'list available models and how they were found',
      load: async () => (await import('./setup/models-command.ts')).modelsCommand,
    },
    mcp: {
      summary: 'serve sessions to MCP clients; list and log in to MCP servers',
      load: async () => (await import('./mcp/mcp-command.ts')).mcpCommand,
    },
    acp: {
      summary: 'run as an agent for editors (Agent Client Protocol)',
      load: async () => (await import('./acp/acp-command.ts')).acpCommand,
    },
  },
  'Setup and safety': {
    config: {
      summary: 'show and check the configuration',
      load: async () => (await import('./setup/config-command.ts')).configCommand,
    },
    policy: {
      summary: 'explain what the policy allows; list and revoke saved rules',
      load: async () => (await import('./policy/policy-command.ts')).policyCommand,
    },
    trust: {
      summary: "trust this project's configuration",
      load: async () => (await import('./setup/trust-command.ts')).trustCommand,
    },
    token: {
      summary: 'create, list and revoke access tokens for the server',
      load: async () => (await import('./serve/token-command.ts')).tokenCommand,
    },
    doctor: {
      summary: 'check the installation, the store and the configuration',
      load: async () => (await import('./setup/doctor-command.ts')).doctorCommand,
    },
    completion: {
      summary: 'print shell completions for bash, zsh or fish',
      load: async (): Promise<CliCommand> =>
        (await import('./setup/completion-command.ts')).createCompletionCommand(commands),
    },
  },
  'Store and servers': {
    export: {
      summary: 'export a session as a bundle, Markdown or JSON',
      load: async () => (await import('./upkeep/export-command.ts')).exportCommand,
    },
    import: {
      summary: 'import a session from a bundle',
      load: async () => (await import('./upkeep/import-command.ts')).importCommand,
    },
    replay: {
      summary: 'replay a session from its journal and verify each step',
      load: async () => (await import('./upkeep/replay-command.ts')).replayCommand,
    },
    prune: {
      summary: 'archive or delete old sessions',
      load: async () => (await import('./upkeep/prune-command.ts')).pruneCommand,
    },
    store: {
      summary: 'copy a whole store to another engine',
      load: async () => (await import('./upkeep/store-command.ts')).storeCommand,
    },
    nodes: {
      summary: 'list the servers on this store, or drain one',
      load: async () => (await import('./serve/nodes-command.ts')).nodesCommand,
    },
  },
} as const satisfies Record<string, Record<string, CommandEntry>>;

export const commands = {
  ...commandGroups['Start here'],
  ...commandGroups.Sessions,
  ...commandGroups['Workers and worktrees'],
  ...commandGroups['Agents and models'],
  ...commandGroups['Setup and safety'],
  ...commandGroups['Store and servers'],
};

export type CommandName = keyof typeof commands;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
