import type { SlashCommand } from './slash-commands.ts';

/** The commands of every front end, in the order of their help. A front end offers those it can carry out. */
export const standardSlashCommands = [
  { name: 'help', parameters: [{ name: 'command' }], summary: 'list the commands, or explain one' },
  { name: 'exit', aliases: ['quit'], summary: 'leave; the session stays' },
  { name: 'clear', summary: 'clear the screen' },
  { name: 'history', parameters: [{ name: 'count' }], summary: 'show the conversation so far' },
  { name: 'agent', parameters: [{ name: 'name' }], summary: 'show the agent, or talk to another one' },
  { name: 'agents', summary: 'list the agents' },
  { name: 'model', parameters: [{ name: 'name' }], summary: 'show the model, or use another one' },
  { name: 'mode', parameters: [{ name: 'name' }], summary: 'show the mode, or change it' },
  {
    name: 'set',
    parameters: [{ name: 'name' }, { name: 'value' }],
    summary: "show an external agent's own mode and options, or change one",
  },
  {
    name: 'sessions',
    parameters: [{ name: 'words' }],
    summary: 'list sessions, or those with words in the title',
  },
  { name: 'new', summary: 'begin a new session' },
  { name: 'resume', parameters: [{ name: 'session', required: true }], summary: 'go on with another session' },
  { name: 'fork', parameters: [{ name: 'event' }], summary: 'go on in a copy of this session' },
  {
    name: 'rewind',
    parameters: [{ name: 'event', required: true }],
    summary: 'go back to an earlier event; undo brings it back',
  },
  { name: 'status', summary: 'show what the session is at' },
  { name: 'usage', summary: 'show tokens, cost and time' },
  { name: 'context', summary: "show what fills the model's window" },
  {
    name: 'compact',
    parameters: [{ name: 'keep' }],
    summary: 'sum up the conversation so far, and say what to keep',
  },
  { name: 'workers', summary: 'list the workers' },
  { name: 'jobs', summary: 'list the jobs' },
  { name: 'approve', parameters: [{ name: 'question' }], summary: 'allow what was asked, once' },
  { name: 'deny', parameters: [{ name: 'reason' }], summary: 'reject what was asked' },
  { name: 'trust', summary: 'allow what was asked for the whole session' },
  {
    name: 'why',
    parameters: [{ name: 'event' }],
    summary: 'say what was understood of a prompt, and which rules fired',
  },
  { name: 'export', parameters: [{ name: 'file' }], summary: 'write the session to a file' },
] as const satisfies readonly SlashCommand[];
