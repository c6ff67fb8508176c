/** What the start screen says about a folder of this machine: git, trust, sandbox, and agents that are installed. */
import { findAgents } from '../../acp/find-agents.ts';
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { runGit, splitNul } from '../../git/run-git.ts';
import { optional } from '../../kernel/optional.ts';
import type { FolderFacts } from '../../terminal/chat/folder-facts.ts';

/** A slow disk must not keep a process for long. The screen doesn't wait for it. */
const gitMs = 5000;

export async function folderFacts(
  folder: string,
  { trust }: Pick<LoadedConfig, 'trust'>,
  hasSandbox: () => Promise<boolean>,
): Promise<FolderFacts> {
  const [files, changedFiles, agents, isConfined] = await Promise.all([
    countOf(['ls-files', '-z'], folder),
    countOf(['status', '--porcelain', '--no-renames', '-z'], folder),
    findAgents(process.env),
    hasSandbox(),
  ]);
  return {
    ...optional({ files, changedFiles }),
    ...(trust.type !== 'nothing-to-trust' && { isTrusted: trust.type === 'trusted' }),
    agents: agents.filter(({ file }) => file !== undefined).map(({ agent }) => agent.title),
    hasSandbox: isConfined,
  };
}

async function countOf(args: readonly string[], cwd: string): Promise<number | undefined> {
  const answer = await runGit({ args, cwd, dir: 'generated', timeoutMs: gitMs });
  return answer.type === 'done' && answer.code === 0 ? splitNul(answer.stdout).length : undefined;
}
