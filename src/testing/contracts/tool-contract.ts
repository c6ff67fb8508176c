/** Contract of the Tool port. */
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { EffectId, SessionId } from '../../kernel/ids.ts';
import type { Tool, ToolContext, ToolRun } from '../../ports/tool.ts';

/** A tool, and arguments to test it with. */
export interface ToolUnderTest {
  readonly tool: Tool;
  /** Valid arguments that work in the workspace. */
  readonly good: unknown;
  /** Arguments that violate the schema. Absent if the schema accepts everything. */
  readonly bad?: unknown;
  /** Arguments with which the tool runs for at least ten seconds unless cancelled. */
  readonly slow?: unknown;
  /** Arguments that lead out of the workspace, each in a different way. */
  readonly escapes?: readonly unknown[];
}

/** Creates the tool for a workspace. */
export type OpenTool = (workspace: ToolWorkspace) => ToolUnderTest | Promise<ToolUnderTest>;

/** Contract of every tool. */
export function toolContract(name: string, open: OpenTool): void {
  describe(`tool contract: ${name}`, () => {
    it('shows a name, a description and an object schema that are plain data', async () => {
      await using workspace = await createToolWorkspace();
      const { tool } = await open(workspace);
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(tool.description).not.toBe('');
      expect(tool.parameters).toMatchObject({ type: 'object' });
      expect(tool.parameters).toEqual(throughJson(tool.parameters));
    });

    it('C46: describes a call with facts that are plain data, the same each time, without touching anything', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, good } = await open(workspace);
      const before = await workspace.snapshot();
      const facts = await tool.describe(good, workspace.context());
      expect(facts.problem).toBeUndefined();
      expect(facts).toEqual(throughJson(facts));
      expect(await tool.describe(good, workspace.context())).toEqual(facts);
      expect(await workspace.snapshot()).toEqual(before);
    });

    it('C30: settles with a result that is plain data', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, good } = await open(workspace);
      const result = await tool.run(good, workspace.run());
      expect(['success', 'error']).toContain(result.type);
      expect(result).toEqual(throughJson(result));
    });

    it('C30: answers arguments that do not fit with a problem and an error, and does nothing', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, bad } = await open(workspace);
      if (bad === undefined) return;
      const before = await workspace.snapshot();
      expect((await tool.describe(bad, workspace.context())).problem).toMatchObject({ code: 'invalid-arguments' });
      expect(await tool.run(bad, workspace.run())).toMatchObject({ type: 'error', code: 'invalid-arguments' });
      expect(await workspace.snapshot()).toEqual(before);
    });

    it('P6: does nothing when the call was cancelled before it began', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, good } = await open(workspace);
      const before = await workspace.snapshot();
      const facts = await tool.describe(good, workspace.context());
      if (facts.asks !== undefined) return;
      expect((await tool.run(good, workspace.run(AbortSignal.abort()))).type).toBe('cancelled');
      expect(await workspace.snapshot()).toEqual(before);
    });

    it('P6: settles as cancelled soon after the signal', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, slow } = await open(workspace);
      if (slow === undefined) return;
      const controller = new AbortController();
      const settled = tool.run(slow, workspace.run(controller.signal));
      setTimeout(() => controller.abort(), 300);
      const started = performance.now();
      expect((await settled).type).toBe('cancelled');
      expect(performance.now() - started).toBeLessThan(6_000);
    });

    it('C32 C53: is judged outside, and refused when it runs, on every way out of the roots', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, escapes = [] } = await open(workspace);
      const before = await workspace.snapshot();
      for (const args of escapes) {
        const facts = await tool.describe(args, workspace.context());
        const isRefused = facts.problem !== undefined || facts.paths?.some(({ inside }) => !inside) === true;
        expect([args, isRefused]).toEqual([args, true]);
        expect([args, await tool.run(args, workspace.run())]).toMatchObject([
          args,
          { type: 'error', code: 'SANDBOX_VIOLATION' },
        ]);
      }
      expect(await workspace.snapshot()).toEqual(before);
    });

    it('P2: leaves the same world when a call that says it may be repeated is repeated', async () => {
      await using workspace = await createToolWorkspace();
      const { tool, good } = await open(workspace);
      const facts = await tool.describe(good, workspace.context());
      if (facts.repeat !== 'safe' || facts.asks !== undefined) return;
      await tool.run(good, workspace.run());
      const once = await workspace.snapshot();
      await tool.run(good, { ...workspace.run(), attempt: 2 });
      expect(await workspace.snapshot()).toEqual(once);
    });
  });
}

/** A folder to work in, and one that must stay unchanged. */
export interface ToolWorkspace extends AsyncDisposable {
  /** The session's root: `notes.txt`, `src/main.ts`, and `out`, a link to `outside`. */
  readonly root: string;
  /** A folder outside the session, with `secret.txt` in it. */
  readonly outside: string;
  context(): ToolContext;
  run(signal?: AbortSignal): ToolRun;
  /** Progress that tools reported while running. */
  readonly progress: readonly string[];
  /** Every file of both folders with its content. */
  snapshot(): Promise<Readonly<Record<string, string>>>;
}

export async function createToolWorkspace(): Promise<ToolWorkspace> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'rondo-tools-')));
  const root = path.join(base, 'root');
  const outside = path.join(base, 'outside');
  await mkdir(path.join(root, 'src'), { recursive: true });
  await mkdir(outside);
  await writeFile(path.join(root, 'notes.txt'), 'first line\nsecond line\n');
  await writeFile(path.join(root, 'src', 'main.ts'), "export const main = 'here';\n");
  await writeFile(path.join(outside, 'secret.txt'), 'hidden\n');
  await symlink(outside, path.join(root, 'out'));
  const progress: string[] = [];
  const context: ToolContext = { session: 'ses_tools' as SessionId, agent: 'assistant', cwd: root, roots: [root] };
  let effects = 0;
  return {
    root,
    outside,
    progress,
    context: () => context,
    run: (signal = new AbortController().signal) => {
      effects += 1;
      return {
        ...context,
        effect: `ses_tools.${path.basename(base)}.${effects}` as EffectId,
        epoch: 1,
        attempt: 1,
        signal,
        progress: (text) => progress.push(text),
      };
    },
    snapshot: () => readTree(base),
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

/** Paths to the same outside file: by `../`, absolute, and by a link. */
export function waysOut(workspace: ToolWorkspace): readonly string[] {
  return [
    '../outside/secret.txt',
    path.join(workspace.outside, 'secret.txt'),
    'out/secret.txt',
    '/etc/hostname',
    'src/../../outside/secret.txt',
  ];
}

async function readTree(base: string, folder = base): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(files, await readTree(base, file));
    else
      files[path.relative(base, file)] = entry.isSymbolicLink()
        ? `-> ${await readlink(file)}`
        : await readFile(file, 'utf8');
  }
  return files;
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
