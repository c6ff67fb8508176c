import type { CliCommand, CommandEntry } from '../command.ts';
import { commonOptions, parseOptions } from '../option-table.ts';
import { unknownWord } from '../usage-error.ts';
import { completionScript, shells, type CompletedCommand } from './completion-script.ts';

const options = commonOptions;

export function createCompletionCommand(table: Readonly<Record<string, CommandEntry>>): CliCommand {
  return {
    usage: ['completion bash|zsh|fish'],
    about: `Prints shell completions. Load them with:
  bash   source <(rondo completion bash)
  zsh    source <(rondo completion zsh)
  fish   rondo completion fish | source`,
    options,
    words: Object.fromEntries(shells.map((shell) => [shell, 0])),
    async run(argv) {
      const { words } = parseOptions(options, argv, { most: 1 });
      const [given] = words;
      const shell = shells.find((name) => name === given);
      if (shell === undefined) {
        throw unknownWord('completion', given, shells);
      }
      const commands = await Promise.all(Object.entries(table).map(([name, entry]) => completed(name, entry)));
      console.log(completionScript(shell, commands));
      return 0;
    },
  };
}

async function completed(name: string, { summary, load }: CommandEntry): Promise<CompletedCommand> {
  const command = await load();
  const options = Object.entries(command.options).map(([option, { help, values, type }]) => ({
    name: option,
    help,
    takesValue: type === 'string',
    values: values ?? [],
  }));
  return { name, summary, words: Object.keys(command.words ?? {}), options };
}
