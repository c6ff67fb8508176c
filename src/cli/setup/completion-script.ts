/** Generates shell completions from the tables of commands and options. */
export const shells = ['bash', 'zsh', 'fish'] as const;
type CompletionShell = (typeof shells)[number];

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Its subcommands. */
  readonly words: readonly string[];
  readonly options: readonly {
    readonly name: string;
    readonly help: string;
    readonly takesValue: boolean;
    readonly values: readonly string[];
  }[];
}

export function completionScript(shell: CompletionShell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
  }
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, words, options }) => {
    const flags = options.map((option) => `--${option.name}`).join(' ');
    return `    ${name}) words="${[...words, flags].join(' ')}" ;;`;
  });
  return `# bash completion for rondo
_rondo() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "$command $previous" in
${valueCases(commands)}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _rondo rondo`;
}

function valueCases(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ name, options }) =>
      options.flatMap((option) => {
        if (option.values.length > 0) {
          const reply = `COMPREPLY=($(compgen -W "${option.values.join(' ')}" -- "$word"))`;
          return [`    "${name} --${option.name}") ${reply}; return ;;`];
        }
        return option.takesValue ? [`    "${name} --${option.name}") COMPREPLY=(); return ;;`] : [];
      }),
    )
    .join('\n');
}

function zsh(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, words, options }) => {
    const specs = options.map(({ name: option, help, takesValue, values }) => {
      const value = takesValue ? `:value:${values.length > 0 ? `(${values.join(' ')})` : '_files'}` : '';
      return quoted(`--${option}[${help.replace(/[[\]]/g, '').replaceAll(':', ' ')}]${value}`);
    });
    const first = words.length > 0 ? [quoted(`1:what:(${words.join(' ')})`)] : [];
    return `    ${name}) _arguments ${[...specs, ...first, quoted('*:word:_default')].join(' ')} ;;`;
  });
  return `#compdef rondo
# zsh completion for rondo
_rondo() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _rondo rondo`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, words, options }) => {
    const here = `complete -c rondo -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c rondo -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(words.length > 0 ? [`${here} -f -a ${quoted(words.join(' '))}`] : []),
      ...options.map(({ name: option, help, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
        return `${here} -l ${option}${value} -d ${quoted(help)}`;
      }),
    ];
  });
  return ['# fish completion for rondo', ...lines].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
