import type { CliCommand } from '../command.ts';
import { parseWords } from '../command-word.ts';
import { numberFrom } from '../number-option.ts';
import { commonOptions, jsonOption } from '../option-table.ts';
import { personOnly } from '../person-only.ts';

const words = { serve: 0, list: 0, login: 1, logout: 1, adopt: 1 } as const;

const options = {
  agent: {
    type: 'string',
    value: 'NAME',
    of: ['serve'],
    help: 'agent for new sessions (default: the default agent)',
  },
  approvals: { type: 'boolean', of: ['serve'], help: 'let the client answer approvals (default: only people)' },
  port: { type: 'string', value: 'N', of: ['serve'], help: 'serve HTTP on 127.0.0.1 instead (0: a free port)' },
  store: {
    type: 'string',
    value: 'STORE',
    of: ['serve'],
    help: 'sqlite:PATH, postgres://…, nats://… or memory: (default: as configured)',
  },
  remove: { type: 'boolean', of: ['adopt'], help: 'stop using them' },
  yes: { type: 'boolean', of: ['adopt'], help: 'use them without asking' },
  check: { type: 'boolean', of: ['list'], help: 'start each server and count what it offers' },
  cwd: { type: 'string', value: 'DIR', help: 'folder to read configuration from (default: this one)' },
  ...jsonOption,
  json: { ...jsonOption.json, of: ['list'] },
  ...commonOptions,
} as const;

export const mcpCommand: CliCommand = {
  usage: [
    'mcp [serve] [--agent NAME] [--approvals] [--port N]',
    'mcp list [--check]',
    'mcp login SERVER',
    'mcp logout SERVER',
    'mcp adopt claude|codex|gemini [--yes | --remove]',
  ],
  about: `Serves sessions to MCP clients over standard input and output, or over HTTP with --port. Clients start sessions,
send prompts, read answers and cancel work. A client answers an agent's questions, but approvals stay with people unless you pass --approvals.
\`list\` shows the MCP servers that sessions here use, \`login\` logs in to a remote one in your browser, and \`logout\`
forgets that login. \`adopt\` uses the servers that you configured for another agent, after it has shown them.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('mcp', words, options, argv, 'serve');
    const cwd = values.cwd ?? process.cwd();
    switch (word) {
      case 'serve':
        return await (
          await import('./serve-mcp.ts')
        ).serveMcp({
          ...values,
          cwd,
          port: numberFrom('port', values.port),
        });
      case 'list':
        return await (
          await import('./list-servers.ts')
        ).listServers(cwd, { isChecking: values.check === true, isJson: values.json === true });
      case 'login':
        personOnly('mcp login');
        return await (await import('./log-in-to-server.ts')).logInToServer(cwd, rest[0]);
      case 'adopt':
        personOnly('mcp adopt');
        return await (
          await import('./adopt-servers.ts')
        ).adopt(rest[0], cwd, { isAgreed: values.yes === true, isRemoving: values.remove === true });
      case 'logout':
        personOnly('mcp logout');
        return await (await import('./log-in-to-server.ts')).logOutOfServer(cwd, rest[0]);
    }
  },
};
