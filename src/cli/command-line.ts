import { tolerateClosedPipe } from './closed-pipe.ts';
import { commands, isCommandName, type CommandName } from './command-table.ts';
import type { CliCommand } from './command.ts';
import { homeFolder } from './home.ts';
import { tightenHome } from './private-home.ts';

/** Finds, loads and runs a command, and loads nothing else. Returns its exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined)
    return process.stdin.isTTY && process.stdout.isTTY ? runCommand('chat', []) : noTerminal();
  if (first === '--help' || first === '-h' || first === 'help') {
    const [topic] = rest;
    if (topic !== undefined && isCommandName(topic)) return runCommand(topic, ['--help']);
    if (topic !== undefined && !topic.startsWith('-')) return noCommand(topic);
    const { helpText } = await import('./help.ts');
    console.log(helpText());
    return 0;
  }
  if (isCommandName(first)) return runCommand(first, rest);
  // `rondo -c` and `rondo --session ID`: options of the chat.
  if (first.startsWith('-')) return runCommand('chat', argv);
  return noCommand(first);
}

/** A chat needs a terminal, and a script that calls plain `rondo` needs to know what to call instead. */
async function noTerminal(): Promise<number> {
  const { helpText } = await import('./help.ts');
  console.error(helpText());
  return 2;
}

async function noCommand(given: string): Promise<number> {
  const { nearestName } = await import('../kernel/nearest-name.ts');
  const near = nearestName(given, Object.keys(commands));
  console.error(`rondo: unknown command "${given}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
  console.error('Run `rondo --help` for a list of commands.');
  return 2;
}

async function runCommand(name: CommandName, argv: readonly string[]): Promise<number> {
  try {
    tolerateClosedPipe(process.stdout, process.stderr);
    const command: CliCommand = await commands[name].load();
    if (asksForHelp(argv)) {
      const { commandHelp } = await import('./command.ts');
      console.log(commandHelp(command));
      return 0;
    }
    keepHomePrivate();
    return await command.run(argv);
  } catch (error) {
    const [{ describeProblem }, { printable }] = await Promise.all([
      import('./problem.ts'),
      import('../views/printable.ts'),
    ]);
    const { lines, exitCode } = describeProblem(error, name);
    for (const line of lines) console.error(printable(line));
    return exitCode;
  }
}

function keepHomePrivate(): void {
  for (const file of tightenHome(homeFolder())) {
    console.error(`rondo: other users can read ${file}, and its permissions can't be changed. Check its owner.`);
  }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
