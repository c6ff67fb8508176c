// Real agents hosted by Rondo, against a fake model provider on this machine: no key, and no network except npm's
// registry for the first installation into .cache/interop.
//
//     npm run test:interop [claude codex gemini qwen copilot opencode kilo acpx mcp]
//
// For each agent: a whole turn (text, tool call, permission, tool runs, text), a cancel, a kill with a permission
// open, and a resume. Also a real client of `rondo acp`, and the reference MCP servers and inspector. The tables of a
// run of all go to docs/interop.md, above what was tried by hand.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { knownAgents } from '../src/acp/known-agents.ts';
import { optional } from '../src/kernel/optional.ts';
import { openProcessTable, SESSION_VARIABLE } from '../src/processes/process-table.ts';
import { createRondo, type Session } from '../src/rondo.ts';
import { startFakeProvider } from '../test/fixtures/fake-provider/fake-provider.ts';
import type { FakeReply } from '../test/fixtures/fake-provider/fake-reply.ts';
import { clientColumns, clientPackage, tryClient } from './interop-client.ts';
import { mcpPackages, tryMcp } from './interop-mcp.ts';
import { wrongOption } from './script-options.ts';

interface Trial {
  readonly package: string;
  /** The newest that can be installed, if the newest of all can't. */
  readonly version?: string;
  /** The model's call of the agent's own shell tool. */
  readonly shell: (command: string) => { readonly name: string; readonly args: unknown };
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files in its home folder; values other than strings are written as JSON. */
  readonly files: (url: string) => Readonly<Record<string, unknown>>;
  /** The agent's mode in which it asks before it runs a command. */
  readonly mode?: string;
  /** True if its package needs its install script, which we tell npm not to run. */
  readonly isSetUpByScript?: boolean;
  /** How old its session must be before it can be resumed. */
  readonly resumableAfterMs?: number;
}

const trials: Readonly<Record<string, Trial>> = {
  claude: {
    package: '@agentclientprotocol/claude-agent-acp',
    shell: (command) => ({ name: 'Bash', args: { command, description: 'Tries it.' } }),
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_MODEL: 'fake-model',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: () => ({}),
  },
  codex: {
    package: '@agentclientprotocol/codex-acp',
    shell: (command) => ({
      name: 'exec_command',
      args: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'May I try it?' },
    }),
    env: () => ({ OPENAI_API_KEY: 'none' }),
    files: (url) => ({
      '.codex/config.toml': [
        'model = "fake-model"',
        'model_provider = "fake"',
        '[model_providers.fake]',
        'name = "Fake"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    }),
    mode: 'read-only',
  },
  gemini: {
    package: '@google/gemini-cli',
    shell: (command) => ({ name: 'run_shell_command', args: { command, description: 'Tries it.' } }),
    env: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
    files: () => ({ '.gemini/settings.json': { security: { auth: { selectedType: 'gemini-api-key' } } } }),
    // Its session file is named by the minute: resumed within the same minute, it is overwritten and its content
    // lost.
    resumableAfterMs: 60_000,
  },
  qwen: {
    package: '@qwen-code/qwen-code',
    shell: (command) => ({
      name: 'run_shell_command',
      args: { command, description: 'Tries it.', is_background: false },
    }),
    env: (url) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' }),
    files: () => ({ '.qwen/settings.json': { security: { auth: { selectedType: 'openai' } } } }),
  },
  copilot: {
    package: '@github/copilot',
    shell: (command) => ({ name: 'bash', args: { command, description: 'Tries it.' } }),
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'fake-model',
      COPILOT_OFFLINE: 'true',
    }),
    files: () => ({}),
  },
  opencode: {
    package: 'opencode-ai',
    isSetUpByScript: true,
    shell: (command) => ({ name: 'bash', args: { command, description: 'Tries it.' } }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true' }),
    files: (url) => ({ '.config/opencode/opencode.json': openAiCompatible(url) }),
  },
  kilo: {
    package: '@kilocode/cli',
    // The native packages of 7.8.1 aren't on npm's registry.
    version: '7.7.7',
    isSetUpByScript: true,
    shell: (command) => ({ name: 'bash', args: { command, description: 'Tries it.' } }),
    env: () => ({ KILO_DISABLE_AUTOUPDATE: 'true' }),
    files: (url) => ({ '.config/kilo/kilo.json': openAiCompatible(url) }),
  },
};

const root = path.resolve(import.meta.dirname, '..');
const cache = path.join(root, '.cache/interop');
const wanted = process.argv.slice(2);
const usage = `npm run test:interop -- [NAME]…

Tests real agents, a real client and MCP servers against a fake provider (default: all). A run of all writes docs/interop.md.
Names: ${[...Object.keys(trials), clientPackage, 'mcp'].join(', ')}.`;
if (wanted.includes('--help') || wanted.includes('-h')) {
  console.log(usage);
  process.exit(0);
}
const unknown = wanted.filter((name) => !(name in trials) && name !== clientPackage && name !== 'mcp');
if (unknown.length > 0) wrongOption(`Unknown name: ${unknown.join(', ')}.`, usage);
const names = Object.keys(trials).filter((name) => wanted.length === 0 || wanted.includes(name));
const triesClient = wanted.length === 0 || wanted.includes(clientPackage);
const triesMcp = wanted.length === 0 || wanted.includes('mcp');

mkdirSync(cache, { recursive: true });
const needed = [
  ...names.map((name) => trialOf(name).package),
  ...(triesClient ? [clientPackage] : []),
  ...(triesMcp ? Object.values(mcpPackages) : []),
];
const missing = needed.filter((name) => !existsSync(path.join(cache, 'node_modules', name)));
if (missing.length > 0) {
  writeFileSync(path.join(cache, 'package.json'), '{"private":true}');
  const versions = new Map(names.map(trialOf).map((trial) => [trial.package, trial.version]));
  const exact = missing.map((name) => `${name}@${versions.get(name) ?? 'latest'}`);
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...exact], {
    cwd: cache,
  });
  const scripts = names
    .map(trialOf)
    .filter((trial) => trial.isSetUpByScript === true && missing.includes(trial.package));
  for (const trial of scripts) {
    const entry = path.join(cache, 'node_modules', trial.package);
    const { scripts: own } = JSON.parse(readFileSync(path.join(entry, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    // Without it the agent's row says that it can't be started.
    await promisify(execFile)('sh', ['-c', own['postinstall'] ?? 'true'], { cwd: entry }).catch((error: unknown) =>
      console.error(`${trial.package}: its install script failed: ${String(error)}`),
    );
  }
}
const patienceMs = 180_000;
/** What follows it in docs/interop.md is written by hand and kept. */
const byHandTitle = '# Editors, tried by hand';
const rows: string[] = [];
for (const name of names) {
  const results = await tryAgent(name);
  rows.push(`| ${name} | ${versionOf(trialOf(name).package)} | ${results.join(' | ')} |`);
  console.log(rows.at(-1));
}
const clientRows: string[] = [];
if (triesClient) {
  const results = await tryClient(cache, root, patienceMs);
  clientRows.push(`| ${clientPackage} | ${versionOf(clientPackage)} | ${results.join(' | ')} |`);
  console.log(clientRows.at(-1));
}
const mcpRows: string[] = [];
if (triesMcp) {
  const tried = Object.entries(await tryMcp(cache, root));
  for (const [name, features] of tried) {
    const version = versionOf(mcpPackages[name as keyof typeof mcpPackages]);
    mcpRows.push(`| ${name} | ${version} | ${features.join(', ')} |`);
    console.log(mcpRows.at(-1));
  }
}
const table = [
  '# Real agents hosted by Rondo',
  '',
  `Run on ${new Date().toISOString().slice(0, 10)} with \`npm run test:interop\`, one agent at a time, against the fake provider.`,
  '',
  '| agent | version | whole turn | cancel | kill with a permission open | resume |',
  '|---|---|---|---|---|---|',
  ...rows,
  '',
  'Kilo is the newest whose native package is on npm’s registry: those of 7.8.1 aren’t.',
  '',
  'Whole turn: text, a tool call, a permission requested and given, the tool runs, text. Cancel: in the middle of a reply. Kill: the agent’s processes get SIGKILL while a permission request is open. The question stays open and is answered, and the turn completes with the agent that Rondo starts as a replacement. Resume: after Rondo itself was closed and reopened. `resumed` and `loaded` are methods of the agent; `replaced` means a new session of the agent, which receives the conversation as text.',
  '',
  'Gemini CLI 0.61.0 ends a reply that repeats itself (`max_turn_requests`). It also refuses to load a session within the minute in which it started (`session/load`: `Invalid session identifier`); Rondo then starts a new one and sends the conversation as text (`replaced`). The test waits for a minute before it resumes.',
  '',
  'After the installation, the agents were tried without a network: in a namespace that has only the loopback device. The install scripts of OpenCode and Kilo look for a native package on npm’s registry and download nothing else.',
  '',
  'Rondo asks agents for version 1 of the protocol. Offered version 2, Claude and Codex take it; Gemini CLI, Qwen Code, Copilot and Kilo answer with version 1. See `docs/decisions/external-agents.md`.',
  '',
  'Codex is tested in its mode `read-only`, in which it asks a person. In its default mode, a model reviews its actions instead. Goose isn’t on npm and wasn’t tested; its start command comes from its documentation.',
  '',
  '# A real client with `rondo acp` as its agent',
  '',
  `| client | version | ${clientColumns.join(' | ')} |`,
  `|---|---|${clientColumns.map(() => '---|').join('')}`,
  ...clientRows,
  '',
  '[acpx](https://www.npmjs.com/package/acpx) is another project’s command-line client. Resume: `rondo acp` gets SIGKILL, and the next prompt continues in the same session.',
  '',
  '# Reference MCP servers, and the inspector with `rondo mcp`',
  '',
  '| package | version | tried |',
  '|---|---|---|',
  ...mcpRows,
  '',
];
if (wanted.length === 0) {
  const file = path.join(root, 'docs/interop.md');
  const before = readFileSync(file, 'utf8');
  const byHand = before.slice(before.indexOf(byHandTitle));
  writeFileSync(file, `${table.join('\n')}\n${byHand}`);
}

/** The configuration of OpenCode and its relatives. */
function openAiCompatible(url: string): object {
  return {
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    permission: { bash: 'ask', edit: 'ask' },
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        models: { 'fake-model': { name: 'Fake' } },
      },
    },
  };
}

function trialOf(name: string): Trial {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`No test for agent ${name}.`);
  return trial;
}

function versionOf(name: string): string {
  const file = path.join(cache, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

async function tryAgent(name: string): Promise<readonly string[]> {
  const trial = trialOf(name);
  const known = knownAgents.find((agent) => agent.name === name);
  if (known === undefined) throw new Error(`${name} isn't a known agent.`);
  const folder = mkdtempSync(path.join(tmpdir(), `rondo-interop-${name}-`));
  const home = path.join(folder, 'home');
  const cwd = path.join(folder, 'work');
  mkdirSync(cwd);
  mkdirSync(home);
  await using provider = await startFakeProvider();
  for (const [file, content] of Object.entries(trial.files(provider.url))) {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  provider.respond((request): FakeReply => {
    const text = JSON.stringify(request.body);
    // Some agents first request a title for the conversation, without tools.
    if (!request.path.endsWith(':generateContent') && !/"tools":\[\{/.test(text)) return { text: 'A title' };
    // Gemini CLI first asks a small model to choose the model.
    if (request.path.endsWith(':generateContent'))
      return { text: '{"complexity_reasoning":"It is simple.","complexity_score":1}' };
    // All words differ, because Gemini CLI aborts a reply that repeats itself.
    if (text.includes('SLOWLY'))
      return { text: Array.from({ length: 300 }, (_, index) => `${index.toString(36)} `), chunkMs: 100 };
    if (text.includes('FINISH')) return { text: 'All done.' };
    const hasRun = /"functionResponse":|"role":"tool"|"type":"(?:function_call_output|tool_result)"/.test(text);
    if (!text.includes('TOUCH') || hasRun) return { text: 'All done.' };
    return { text: 'I shall run it.', calls: [trial.shell('touch made-by-agent.txt')] };
  });
  const start = () =>
    createRondo({
      store: `sqlite:${path.join(folder, 'rondo.db')}`,
      agents: {
        [name]: {
          command: {
            ...known,
            ...optional({ mode: trial.mode }),
            command: path.join(cache, 'node_modules/.bin', known.command),
            env: { ...trial.env(provider.url), HOME: home },
          },
        },
      },
    });
  let rondo = await start();
  const results: string[] = [];
  const step = async (run: () => Promise<string>) => {
    const late = sleep(patienceMs, undefined, { ref: false }).then(
      () => `no: it took more than ${patienceMs / 1000} s`,
    );
    const result = await Promise.race([run(), late]).catch((error: unknown) => `no: ${String(error)}`);
    results.push(result.replaceAll(/[|\n]/g, ' ').slice(0, 160));
  };
  const answerAll = async (session: Session) => {
    for (const { id } of (await session.status()).questions) await session.answer(id, { type: 'allow-once' });
    return session.wait();
  };

  const session = await rondo.sessions.create({ agent: name, cwd });
  await step(async () => {
    const asked = await session.chat('TOUCH a file');
    const reply = asked.outcome === 'needs-input' ? await answerAll(session) : asked;
    if (reply.outcome !== 'completed') return `no: ${reply.outcome}, ${reply.reason ?? ''}`;
    const made = existsSync(path.join(cwd, 'made-by-agent.txt'));
    return `${made && asked.outcome === 'needs-input' ? 'yes' : 'in part'}${made ? '' : ', no file'}${asked.outcome === 'needs-input' ? '' : ', not asked'}`;
  });
  const resumable = sleep(trial.resumableAfterMs ?? 0);
  const second = await rondo.sessions.create({ agent: name, cwd });
  await step(async () => {
    const running = second.chat('Talk SLOWLY');
    await sleep(6000);
    await second.interrupt();
    const reply = await running;
    return reply.outcome === 'cancelled' ? 'yes' : `no: ${reply.outcome}, ${reply.reason ?? ''}`;
  });
  const third = await rondo.sessions.create({ agent: name, cwd });
  rmSync(path.join(cwd, 'made-by-agent.txt'), { force: true });
  await step(async () => {
    const asked = await third.chat('TOUCH a file');
    if (asked.outcome !== 'needs-input') return `no: ${asked.outcome}, ${asked.reason ?? ''}`;
    await killOnce(third.id);
    await sleep(3000);
    const reply = await answerAll(third);
    return reply.outcome === 'completed' ? 'yes' : `no: ${reply.outcome}, ${reply.reason ?? ''}`;
  });
  await rondo.close();
  rondo = await start();
  await resumable;
  await step(async () => {
    const again = await rondo.sessions.open(session.id);
    const reply = await again.chat('FINISH it');
    const { events } = await again.events({ after: 0, limit: 10_000 });
    const how = events.flatMap(({ event }) =>
      event.type === 'agent-reported' && event.report.type === 'session' ? [event.report.how] : [],
    );
    return reply.outcome === 'completed' ? `yes, ${how.at(-1)}` : `no: ${reply.outcome}, ${reply.reason ?? ''}`;
  });
  await rondo.close();
  rmSync(folder, { recursive: true, force: true });
  return results;
}

/** Kills the session's current processes, not those that Rondo starts as a replacement. */
async function killOnce(session: string): Promise<void> {
  const table = await openProcessTable();
  for (const { pid } of table.list()) {
    if (pid !== process.pid && table.hasVariable(pid, SESSION_VARIABLE, session)) process.kill(pid, 'SIGKILL');
  }
}
