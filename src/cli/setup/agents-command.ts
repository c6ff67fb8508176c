import { problemToText } from '../../agents/config-problem.ts';
import type { ToolAccess } from '../../kernel/agent.ts';
import type { Command } from '../command.ts';
import { agentList } from './agent-list.ts';
import { configOf } from '../folder-config.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { tableText } from '../../wording/table.ts';
import { terminalOf } from '../terminal.ts';

const options = {
  cwd: { type: 'string', value: 'DIR', help: 'folder whose agents to list (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const agentsCommand: Command = {
  usage: ['agents'],
  about:
    'Lists the agents available here and where each one comes from: the configuration, or known external agents on PATH.',
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const loaded = await configOf({ cwd: values.cwd ?? process.cwd() });
    const { agents, problems } = await agentList(loaded);
    if (values.json === true) printJson({ agents, problems });
    else {
      const columns = [
        { title: 'agent' },
        { title: 'from' },
        { title: 'model' },
        { title: 'tools' },
        { title: 'what it is', gives: true },
      ] as const;
      const rows = agents.map(({ name, layer, runs, model, tools, description, isDefault }) => [
        isDefault ? `${name} *` : name,
        layer,
        runs === 'external' ? '(its own)' : (model ?? '(first found)'),
        toolsText(tools),
        description,
      ]);
      console.log(tableText(columns, rows, terminalOf(process.stdout)));
      for (const problem of problems) console.error(`rondo agents: ${problemToText(problem)}`);
    }
    return problems.length > 0 ? 2 : 0;
  },
};

function toolsText(tools: ToolAccess): string {
  return typeof tools === 'string' ? tools : tools.only.join(', ');
}
