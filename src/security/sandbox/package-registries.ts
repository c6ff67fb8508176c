/**
 * Hosts from which package managers install (S8f). A sandboxed install command can reach them after one question
 * per project. Each of them could also be used to send data out.
 */
import { programName } from '../shell/shell-word.ts';
import type { Segment } from '../shell/segment.ts';

/** Their name in rules and questions. */
export const REGISTRIES = 'package registries';

export const REGISTRY_HOSTS: readonly string[] = [
  ...['registry.npmjs', 'pypi', 'files.pythonhosted', 'rubygems', 'index.rubygems'].map((name) => `${name}.org`),
  ...['index.crates', 'static.crates'].map((name) => `${name}.io`),
  ...['registry.yarnpkg'].map((name) => `${name}.com`),
  ...['proxy', 'sum'].map((name) => `${name}.golang.org`),
];

/** True if a command's words install packages. */
export function installsPackages({ words }: Segment): boolean {
  const [command = '', next = ''] = words.slice(1).filter((word) => !word.startsWith('-'));
  if (words.includes('--offline')) return false;
  switch (programName(words[0])) {
    case 'npm':
    case 'pnpm':
    case 'bun':
      return /^(?:install|ci|i|add|update|upgrade|up|dedupe|audit|outdated|view|info)$/.test(command);
    case 'yarn':
      return command === '' || /^(?:install|add|up|upgrade|dedupe)$/.test(command);
    case 'pip':
    case 'pip3':
      return /^(?:install|download)$/.test(command);
    case 'python':
    case 'python3':
      return words[1] === '-m' && command === 'pip' && /^(?:install|download)$/.test(next);
    case 'uv':
      return /^(?:sync|add|lock)$/.test(command) || (command === 'pip' && /^(?:install|sync)$/.test(next));
    case 'poetry':
    case 'bundle':
      return /^(?:install|add|update|lock)$/.test(command);
    case 'cargo':
      return /^(?:fetch|add|update|install)$/.test(command);
    case 'go':
      return command === 'get' || (command === 'mod' && /^(?:download|tidy)$/.test(next));
    default:
      return false;
  }
}
