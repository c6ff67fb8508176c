import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace, type GitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { generateGitDir } from './generated-git-dir.ts';
import { listConfig, outputOf } from './list-config.ts';
import { personSettings } from './person-settings.ts';
import { isPersons, overridesFor, remoteOverrides } from './program-keys.ts';
import type { GitFailure, GitCall, GitCommand, GitOutput } from './git-call.ts';

/** A git command that is ready to start. Disposing it removes its temporary files. */
interface PreparedGit extends AsyncDisposable {
  readonly command: GitCommand;
}

export async function prepareGit(call: GitCall): Promise<PreparedGit | GitFailure | GitOutput> {
  const isOurs = call.dir === 'own' || call.dir === 'remote';
  const place = call.place ?? (isOurs ? undefined : await findGitPlace(call.cwd));
  if (place?.type === 'refused') return { type: 'failed', message: place.message };
  if (place?.type === 'none')
    return { type: 'done', code: 128, stdout: '', stderr: place.message, truncated: false };
  const common = childEnvironment(process.env, {
    set: QUIET,
    ...(call.dir === 'remote' && { allow: TO_REACH_REMOTES }),
  });
  const git = findProgram('git', common['PATH'], place?.top === undefined ? [] : [place.top]);
  if (git === undefined)
    return { type: 'failed', message: 'git is not installed on this machine.', isMissing: true };
  const ready = (environment: Readonly<Record<string, string>>, dispose = async () => {}): PreparedGit => ({
    command: {
      argv: [git, ...(call.dir === 'generated' ? lookingArguments(call.args) : call.args)],
      env: { ...common, ...environment, ...call.environment },
      cwd: call.cwd,
    },
    [Symbol.asyncDispose]: dispose,
  });
  if (call.dir === 'remote') return ready(remoteOverrides);
  const { environment: quiet } = overridesFor([], { hasLfs: false });
  if (place === undefined) return ready({ ...ALONE, ...quiet });
  if (call.dir === 'generated') {
    // `git diff` refreshes the index despite GIT_OPTIONAL_LOCKS.
    const index = call.args.find((word) => !word.startsWith('-')) === 'diff' ? 'copied' : 'named';
    const generated = await generateGitDir(place, await personSettings(git, common), index);
    return ready(
      { ...ALONE, ...quiet, ...generated.environment },
      async () => await generated[Symbol.asyncDispose](),
    );
  }
  const environment = await repositoryEnvironment(git, common, place, call);
  return environment.type === 'failed' ? environment : ready(environment.variables);
}

/** Keeps read-only commands out of submodules, where git would start with the submodule's own configuration. */
function lookingArguments([command = '', ...rest]: readonly string[]): readonly string[] {
  const has = (option: string) => rest.some((word) => word.startsWith(option));
  const isIn = (...commands: readonly string[]) => commands.includes(command);
  return [
    command,
    ...(isIn('status', 'diff') && !has('--ignore-submodules') ? ['--ignore-submodules=all'] : []),
    ...(isIn('diff', 'log', 'show') ? ['--no-ext-diff', '--no-textconv'] : []),
    ...rest,
  ];
}

/** The environment for the repository's own git folder. It overrides settings that would start programs. */
async function repositoryEnvironment(
  git: string,
  common: Readonly<Record<string, string>>,
  place: GitPlace,
  call: GitCall,
): Promise<{ readonly type: 'ready'; readonly variables: Readonly<Record<string, string>> } | GitFailure> {
  const dirs = {
    GIT_DIR: place.gitDir,
    ...(place.top !== undefined && { GIT_WORK_TREE: place.top }),
    ...(call.reachesOut === true
      ? {
          GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
          GIT_ALLOW_PROTOCOL: 'file:ssh:https:http',
          GIT_TERMINAL_PROMPT: '0',
        }
      : { GIT_SSH_COMMAND: 'false', GIT_ALLOW_PROTOCOL: 'file' }),
  };
  if (!(await isRecent(git)))
    return {
      type: 'failed',
      message:
        "This needs git 2.31 or later: earlier versions can't be kept from running a repository's programs.",
    };
  const entries = await listConfig(git, place, common);
  if (entries === undefined)
    return { type: 'failed', message: `git cannot read the configuration of ${place.gitDir}.` };
  const hasLfs = findProgram('git-lfs', common['PATH'], place.top === undefined ? [] : [place.top]) !== undefined;
  const { environment, foreign } = overridesFor(entries, { ...call, hasLfs });
  const [filter] = foreign;
  if (filter !== undefined && WRITES_FILES.has(commandOf(call.args)))
    return {
      type: 'failed',
      message: `This repository's own configuration runs a program on its files (filter ${filter.name}: ${filter.command}). Rondo doesn't start it, and without it the files would be damaged. If it is yours, define it with: git config --global filter.${filter.name}.clean …`,
    };
  const remote = entries.find((entry) => REMOTE_PROGRAM.test(entry.key) && !isPersons(entry));
  if (remote !== undefined && REACHES_OUT.has(commandOf(call.args)))
    return {
      type: 'failed',
      message: `This repository's own configuration sets a program that reaches its remote (${remote.key} = ${remote.value}). Rondo doesn't start it. Remove the setting, or run the command yourself.`,
    };
  return { type: 'ready', variables: { ...dirs, ...environment } };
}

// Adding a worktree isn't in the list: its files stay as git stores them, and commits there are refused.
const WRITES_FILES: ReadonlySet<string> = new Set(['add', 'commit', 'merge', 'checkout', 'stash']);

// Git uses the first value of these keys, so they can't be overridden.
const REMOTE_PROGRAM = /^remote\..*\.(?:uploadpack|receivepack|vcs)$/is;
const REACHES_OUT: ReadonlySet<string> = new Set(['fetch', 'pull', 'push', 'ls-remote', 'remote', 'archive']);

function commandOf([first = '', _value, ...rest]: readonly string[]): string {
  return first === '-c' ? commandOf(rest) : first;
}

// The user's agent and proxies. Rondo's own calls get them, an agent's commands don't.
const TO_REACH_REMOTES: readonly string[] = [
  'SSH_AUTH_SOCK',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
];

const recent = new Map<string, Promise<boolean>>();

function isRecent(git: string): Promise<boolean> {
  const kept = recent.get(git);
  if (kept !== undefined) return kept;
  const asked = outputOf(git, ['--version'], {}).then((text) => {
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text ?? '') ?? [];
    return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31);
  });
  recent.set(git, asked);
  return asked;
}

const QUIET: Readonly<Record<string, string>> = {
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C.UTF-8',
};

// Excludes the system's and the user's configuration, because they may name programs too.
const ALONE: Readonly<Record<string, string>> = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
