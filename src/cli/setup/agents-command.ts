import { problemToText } from '../../agents/config-problem.ts';
import type { ToolAccess } from '../../kernel/agent.ts';
import { commandWord } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { agentList } from './agent-list.ts';
import { configOf } from '../folder-config.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { homeFolder } from '../home.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';

const words = { list: 0, search: 1, add: 1, update: 1, remove: 1 } as const;

const options = {
  cwd: { type: 'string', value: 'DIR', of: ['list'], help: 'folder whose agents to list (default: this one)' },
  registry: {
    type: 'string',
    value: 'FILE',
    of: ['search', 'add', 'update'],
    help: 'registry file or HTTPS address (default: the ACP registry)',
  },
  yes: { type: 'boolean', of: ['add', 'update'], help: 'install without asking' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const agentsCommand: CliCommand = {
  usage: [
    'agents [list]',
    'agents search [WORDS] [--registry FILE]',
    'agents add NAME [--registry FILE] [--yes]',
    'agents update NAME [--registry FILE] [--yes]',
    'agents remove NAME',
  ],
  about: `Lists the agents available here and where each one comes from: the configuration, the ACP registry, or known
external agents on PATH. \`add\` installs an agent of the registry in an exact version, without install scripts.`,
  options,
  words,
  async run(argv) {
    const given = parseOptions(options, argv, { most: Infinity });
    const word = commandWord('agents', words, options, given, 'list');
    const {
      values,
      words: [, name],
    } = given;
    if (word !== 'list') {
      const registry = await import('./registry-commands.ts');
      const place = {
        home: homeFolder(),
        registry: values.registry ?? registry.defaultRegistry,
        isAgreed: values.yes === true,
        isJson: values.json === true,
      };
      switch (word) {
        case 'search':
          return await registry.searchAgents(place, name);
        case 'add':
          personOnly('agents add');
          return await registry.addAgent(place, name);
        case 'update':
          personOnly('agents update');
          return await registry.updateAgent(place, name);
        case 'remove':
          personOnly('agents remove');
          return await registry.removeAgent(place, name);
      }
    }
    const loaded = await configOf({ cwd: values.cwd ?? process.cwd() });
    const { agents, problems } = await agentList(loaded);
    if (values.json === true) printJson({ agents, problems });
    else {
      const columns = ['agent', 'from', 'model', 'tools', { title: 'what it is', gives: true }] as const;
      const rows = agents.map(({ name, layer, runs, model, tools, description, isDefault }) => [
        isDefault ? `${name} *` : name,
        layer,
        runs === 'external' ? '(its own)' : (model ?? '(first found)'),
        toolsText(tools),
        description,
      ]);
      printTable(columns, rows);
      for (const problem of problems) console.error(`rondo agents: ${problemToText(problem)}`);
    }
    return problems.length > 0 ? 2 : 0;
  },
};

function toolsText(tools: ToolAccess): string {
  return typeof tools === 'string' ? tools : tools.only.join(', ');
}
