// The reference MCP servers used by Rondo, and the reference inspector with `rondo mcp` as its server. Sessions are
// driven through `rondo mcp` by the official client, with the testing agent: no model is needed.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const mcpPackages = {
  everything: '@modelcontextprotocol/server-everything',
  filesystem: '@modelcontextprotocol/server-filesystem',
  memory: '@modelcontextprotocol/server-memory',
  inspector: '@modelcontextprotocol/inspector',
} as const;

type Results = Readonly<Record<keyof typeof mcpPackages, readonly string[]>>;

interface Report {
  readonly session: string;
  readonly state: string;
  readonly conversation: string;
  readonly questions: readonly { readonly id: string; readonly type: string }[];
}

/** What was tried with each, as `feature: yes` or `feature: no, why`. */
export async function tryMcp(cache: string, root: string): Promise<Results> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rondo-interop-mcp-'));
  const home = path.join(folder, 'home');
  const cwd = path.join(folder, 'work');
  mkdirSync(home);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'a.txt'), 'the text of a file\n');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    RONDO_HOME: path.join(home, '.rondo'),
    OLLAMA_HOST: '127.0.0.1:9',
    RONDO_BWRAP: 'none',
  };
  const bin = (name: string) => path.join(cache, 'node_modules/.bin', name);
  const rondoFile = path.join(root, 'bin/rondo.cjs');
  mkdirSync(env.RONDO_HOME, { mode: 0o700 });
  // The person's own configuration: a project's servers would run in the sandbox, which doesn't show the cache.
  const config = {
    mcpServers: {
      everything: { command: bin('mcp-server-everything'), args: ['stdio'] },
      filesystem: { command: bin('mcp-server-filesystem'), args: [cwd] },
      memory: {
        command: bin('mcp-server-memory'),
        env: { MEMORY_FILE_PATH: path.join(folder, 'memory.json') },
      },
    },
    policies: {
      default: { allow: ['mcp__everything__*', 'mcp__filesystem__*', 'mcp__memory__*', 'sampling(everything)'] },
    },
  };
  writeFileSync(path.join(env.RONDO_HOME, 'config.json'), JSON.stringify(config));
  const client = new Client({ name: 'interop', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [rondoFile, 'mcp', '--agent', 'testing'],
      cwd,
      env,
    }),
  );
  const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Report> => {
    const { content } = await client.callTool({ name, arguments: args });
    return JSON.parse(content.map((block) => (block.type === 'text' ? block.text : '')).join('')) as Report;
  };
  const prompt = (text: string) => call('start_session', { prompt: text });
  const results: Record<keyof typeof mcpPackages, string[]> = {
    everything: [],
    filesystem: [],
    memory: [],
    inspector: [],
  };
  const step = async (of: keyof typeof mcpPackages, feature: string, run: () => Promise<boolean>) => {
    const result = await run().then(
      (isDone) => (isDone ? 'yes' : 'no'),
      (error: unknown) => `no, ${error instanceof Error ? error.message : String(error)}`,
    );
    results[of].push(`${feature}: ${result.replaceAll(/[|\n]/g, ' ').slice(0, 120)}`);
  };
  const shows = async (line: string, wanted: string) => (await prompt(line)).conversation.includes(wanted);
  try {
    const everything = (tool: string, args: unknown) => `call mcp__everything__${tool} ${JSON.stringify(args)}`;
    await step('everything', 'tools', () => shows(everything('get-sum', { a: 2, b: 40 }), '42'));
    await step('everything', 'errors', () => shows(everything('get-sum', { a: 'x' }), 'error'));
    await step('everything', 'structured content', () =>
      shows(everything('get-structured-content', { location: 'New York' }), 'temperature'),
    );
    await step('everything', 'progress', () =>
      shows(everything('trigger-long-running-operation', { duration: 1, steps: 2 }), 'completed'),
    );
    await step('everything', 'roots', () => shows(everything('get-roots-list', {}), path.basename(folder)));
    await step('everything', 'prompts', () => shows('/mcp__everything__args-prompt Paris', 'Paris'));
    await step('everything', 'resources', async () => {
      const { session, state } = await prompt(
        'say read @everything:demo://resource/static/document/features.md now',
      );
      const { stdout } = await rondo('show', session, '--events', '--json');
      return state === 'idle' && stdout.includes('"name":"@everything:demo://');
    });
    await step('everything', 'sampling', () =>
      shows(everything('trigger-sampling-request', { prompt: 'hello', maxTokens: 20 }), 'LLM sampling result'),
    );
    await step('everything', 'elicitation', async () => {
      const asked = await prompt(everything('trigger-elicitation-request', {}));
      const [question] = asked.questions;
      if (question?.type !== 'form') return false;
      const form = { name: 'Ada', check: true };
      const settled = await call('answer_question', { session: asked.session, question: question.id, form });
      return settled.state === 'idle' && settled.conversation.includes('Ada');
    });
    await step('filesystem', 'reads a file in the session’s folder', () =>
      shows(
        `call mcp__filesystem__read_text_file ${JSON.stringify({ path: path.join(cwd, 'a.txt') })}`,
        'the text of a file',
      ),
    );
    await step('filesystem', 'refuses one outside', () =>
      shows('call mcp__filesystem__read_text_file {"path":"/etc/hostname"}', 'denied'),
    );
    const entity = { entities: [{ name: 'Rondo', entityType: 'tool', observations: ['plays in rounds'] }] };
    await step('memory', 'writes', () =>
      shows(`call mcp__memory__create_entities ${JSON.stringify(entity)}`, 'Rondo'),
    );
    await step('memory', 'reads', () => shows('call mcp__memory__read_graph {}', 'plays in rounds'));

    await step('inspector', 'stdio', async () => {
      const words = [process.execPath, rondoFile, 'mcp', '--agent', 'testing'];
      return await inspects(words);
    });
    await step('inspector', 'HTTP', async () => {
      const { stdout } = await rondo('token', 'create', 'inspector', '--role', 'prompter', '--json');
      const { token } = JSON.parse(stdout) as { readonly token: string };
      const server = spawn(process.execPath, [rondoFile, 'mcp', '--agent', 'testing', '--port', '0'], {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        const url = await new Promise<string>((resolve, reject) => {
          server.once('exit', () => reject(new Error('it ended')));
          server.stderr.on('data', (chunk: Buffer) => {
            const found = /http:\S+\/mcp/.exec(chunk.toString())?.[0];
            if (found !== undefined) resolve(found);
          });
        });
        return await inspects([url], ['--header', `Authorization: Bearer ${token}`]);
      } finally {
        server.kill();
      }
    });
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return results;

  function rondo(...words: readonly string[]) {
    return promisify(execFile)(process.execPath, [rondoFile, ...words], { cwd, env });
  }

  /** Lists the tools and calls one. */
  async function inspects(target: readonly string[], more: readonly string[] = []): Promise<boolean> {
    const inspect = async (...words: readonly string[]) =>
      (
        await promisify(execFile)(bin('mcp-inspector'), ['--cli', ...target, ...words, ...more], {
          cwd,
          env,
          timeout: 60_000,
        })
      ).stdout;
    const listed = await inspect('--method', 'tools/list');
    const startSession = ['--method', 'tools/call', '--tool-name', 'start_session'];
    const called = await inspect(...startSession, '--tool-arg', 'prompt=say hello there');
    return listed.includes('"start_session"') && called.includes('hello there');
  }
}
