import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { installPeer, machinePath } from '../harness/install-peer.ts';
import { isFailure, type ChildFailure } from '../harness/run-child.ts';
import type { CommandPeer } from './command-peers.ts';
import { timeCommand, type Command } from './time-command.ts';

export interface CommandPair {
  readonly version: Command;
  readonly prompt: Command;
}

interface Surroundings {
  /** A folder for its home, its settings and its project. */
  readonly folder: string;
  readonly url: string;
  readonly prompt: string;
  readonly answer: string;
}

/**
 * Installs a peer, creates its home and lets it answer once, which also fills its caches. Otherwise returns why it
 * is skipped.
 */
export async function preparePeer(
  peer: CommandPeer,
  { folder, url, prompt, answer }: Surroundings,
): Promise<CommandPair | ChildFailure> {
  const installed = await installPeer(peer.name, { packages: [`${peer.package}@${peer.version}`] });
  if (isFailure(installed)) return installed;

  const home = path.join(folder, peer.name);
  const cwd = path.join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  for (const [name, content] of Object.entries(peer.files?.(url) ?? {})) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  }
  const env = {
    // Scripts run on the same Node as ours.
    PATH: [path.dirname(process.execPath), machinePath()].join(path.delimiter),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    TMPDIR: folder,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    CI: '1',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    NO_UPDATE_NOTIFIER: '1',
    ...peer.env?.(url),
  };
  const file = path.join(installed.folder, 'node_modules/.bin', peer.command);
  const pair = {
    version: { file, words: ['--version'], env, cwd },
    prompt: { file, words: peer.words(prompt, home), env, cwd },
  };
  const version = await timeCommand(pair.version, '.');
  if (isFailure(version)) return version;
  const answered = await timeCommand(pair.prompt, answer);
  return isFailure(answered) ? answered : pair;
}
