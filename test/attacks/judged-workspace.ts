import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { Call } from '../../src/kernel/call.ts';
import type { CallId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { optional } from '../../src/kernel/optional.ts';
import { grantsFor, judge, type Judgement } from '../../src/kernel/policy/permission.ts';
import { parseRule, type Rule } from '../../src/kernel/rule.ts';
import { createShellTool } from '../../src/tools/shell/shell-tool.ts';

export interface JudgedWorkspace extends AsyncDisposable {
  readonly root: string;
  call(command: string, cwd?: string): Promise<Call>;
  judged(
    command: string,
    policy?: { readonly rules?: readonly string[]; readonly grants?: readonly Rule[] },
  ): Promise<Judgement>;
  /** Rules that "for this session" adds after each command, in order, if the command asked. */
  approve(commands: readonly string[]): Promise<readonly Rule[]>;
}

/** A small repository, and the gate over the shell tool in it. */
export async function judgedWorkspace(): Promise<JudgedWorkspace> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-judged-')));
  const files: Readonly<Record<string, string>> = {
    'package.json': '{"scripts":{"test":"vitest run","build":"tsc","lint":"eslint src"}}',
    'README.md': '# Read me\n',
    'names.txt': 'b\na\n',
    'requirements.txt': '',
    '.env': 'KEY=secret\n',
    '.gitignore': '.env\n',
    'evil.sh': '#!/bin/sh\ntouch pwned\n',
    'src/main.ts': 'export const main = 1;\n',
    'docs/engine/HEAD': 'ref: refs/heads/main\n',
    Makefile: 'test:\n\ttrue\n',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root });
  const shell = createShellTool();
  // Checkpoints make the widest grants possible.
  const keepsFiles = () => Promise.resolve(true);
  const context = { session: 'ses_judged' as SessionId, agent: 'test', cwd: root, roots: [root], keepsFiles };
  const call = async (command: string, cwd?: string): Promise<Call> => {
    const args = { command, ...optional({ cwd }) };
    return {
      id: 'c1' as CallId,
      tool: 'shell',
      args: JSON.stringify(args),
      facts: await shell.describe(args, context),
    };
  };
  const judged: JudgedWorkspace['judged'] = async (command, { rules = [], grants = [] } = {}) => {
    const parsed = rules.flatMap((text) => parseRule(text, 'allow', 'user') ?? []);
    return judge(await call(command), { rules: parsed, grants, tools: 'all' }, modes.interactive);
  };
  return {
    root,
    call,
    judged,
    async approve(commands) {
      const grants: Rule[] = [];
      for (const command of commands) {
        if ((await judged(command, { grants })).verdict !== 'ask') continue;
        grants.push(
          ...grantsFor(await call(command)).flatMap((text) => parseRule(text, 'allow', 'session') ?? []),
        );
      }
      return grants;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
