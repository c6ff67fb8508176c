import { isStdio, type McpServerConfig } from './server-config.ts';

/** Programs that download and run a package, with the words that make them do so. */
const runners: readonly { readonly program: RegExp; readonly words: readonly string[] }[] = [
  { program: /^(?:npx|pnpx|bunx|uvx)$/, words: [] },
  { program: /^npm$/, words: ['exec', 'x'] },
  { program: /^(?:pnpm|yarn)$/, words: ['dlx'] },
  { program: /^bun$/, words: ['x'] },
  { program: /^pipx$/, words: ['run'] },
  { program: /^deno$/, words: ['run'] },
];
const packageOption = /^(?:-p|--package|--from|--spec)(?:=(.*))?$/;

/** A package without an exact version may change at any time (S15). */
export function unpinnedPackage(server: string, config: McpServerConfig): readonly string[] {
  if (!isStdio(config)) return [];
  const name = fetchedPackage(config.command, config.args ?? []);
  if (name === undefined || isExact(name)) return [];
  const bare = /^(@?[^@=<>~!]+)/.exec(name)?.[1] ?? name;
  return [
    `MCP server ${server} runs the newest version of ${name}. Pin a version: ${bare}${separatorFor(config.command)}VERSION`,
  ];
}

function fetchedPackage(command: string, args: readonly string[]): string | undefined {
  const program = programName(command);
  const runner = runners.find((each) => each.program.test(program));
  if (runner === undefined) return undefined;
  const words = runner.words.length === 0 ? args : afterWord(args, runner.words);
  if (words === undefined) return undefined;
  for (const [at, word] of words.entries()) {
    const option = packageOption.exec(word);
    if (option !== null) return option[1] ?? words[at + 1];
    if (!word.startsWith('-')) return program === 'deno' && !/^(?:npm|jsr):/.test(word) ? undefined : word;
  }
  return undefined;
}

function afterWord(args: readonly string[], words: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((word) => !word.startsWith('-'));
  return words.includes(args[at] ?? '') ? args.slice(at + 1) : undefined;
}

/** True for `name@1.2.3` and `name==1.2.3`, a path on this machine, or a commit, which identifies its content. */
function isExact(name: string): boolean {
  return (
    /.(?:@|==)v?\d+(?:\.\d+)+(?:[-+.\w]*)$/.test(name) ||
    /^(?:file:|\.{0,2}\/)/.test(name) ||
    /[@#][0-9a-f]{40}$/.test(name)
  );
}

function separatorFor(command: string): string {
  return /^(?:uvx|pipx)$/.test(programName(command)) ? '==' : '@';
}

function programName(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? command).replace(/\.(?:cmd|exe|ps1)$/i, '');
}
