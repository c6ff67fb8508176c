/** What a plain command deletes, writes or installs, if its words alone show it. A redirection is `write FILE`. */

export function deletedBy(command: string): string | undefined {
  return /^(?:rm|rmdir|unlink)(?: -\S+)* (?![-;&|<>$`])(\S[^;&|<>$`]*)$/.exec(command)?.[1];
}

export function writtenBy(command: string): string | undefined {
  return /^(?:touch|tee|mkdir|write)(?: -\S+)* (?![-;&|<>$`])(\S[^;&|<>$`]*)$/.exec(command)?.[1];
}

/** Packages by name, with versions. Without names a command installs what the project lists. */
export function installedBy(command: string): string | undefined {
  const [, names] =
    /^(?:(?:npm|pnpm|bun) (?:install|i|add)|(?:yarn|uv|poetry|cargo|bundle) add|cargo install|pip3? install|go get)((?: [^\s;&|<>$`]+)+)$/.exec(
      command,
    ) ?? [];
  const packages =
    names
      ?.trim()
      .split(' ')
      .filter((word) => !word.startsWith('-')) ?? [];
  return packages.length === 0 ? undefined : packages.join(' ');
}
