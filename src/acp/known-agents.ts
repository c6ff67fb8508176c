/**
 * Widely used agents that speak the protocol: how to start each, and its peculiarities. This is the only place in
 * the code that names an agent.
 */
import type { AgentSpec } from './client/agent-spec.ts';

export interface KnownAgent extends Omit<AgentSpec, 'env' | 'envAllowed' | 'loginHint'> {
  readonly title: string;
  readonly envAllowed: readonly string[];
  readonly loginHint: string;
  /** How to install it. */
  readonly install: string;
}

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

export const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    envAllowed: ['ANTHROPIC_*', 'CLAUDE_*', ...proxies],
    loginHint: 'Run `claude` once in a terminal and log in there, or set ANTHROPIC_API_KEY.',
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  {
    name: 'codex',
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    envAllowed: ['OPENAI_*', 'CODEX_*', ...proxies],
    loginHint: 'Run `codex login` in a terminal, or set OPENAI_API_KEY.',
    install: 'npm install -g @agentclientprotocol/codex-acp',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    envAllowed: ['GEMINI_*', 'GOOGLE_*', ...proxies],
    loginHint: 'Run `gemini` once in a terminal and log in there, or set GEMINI_API_KEY.',
    authMethod: 'gemini-api-key',
    // It can't create files through a client's file system.
    without: ['fs'],
    install: 'npm install -g @google/gemini-cli',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    envAllowed: ['OPENAI_*', 'QWEN_*', 'DASHSCOPE_*', ...proxies],
    loginHint:
      'Run `qwen` once in a terminal and log in there, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.',
    authMethod: 'openai',
    install: 'npm install -g @qwen-code/qwen-code',
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp'],
    envAllowed: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN', ...proxies],
    loginHint: 'Run `copilot` once in a terminal and use /login there, or set GH_TOKEN.',
    install: 'npm install -g @github/copilot',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    envAllowed: ['ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'OPENCODE_*', ...proxies],
    loginHint: 'Run `opencode auth login` in a terminal.',
    install: 'npm install -g opencode-ai',
  },
  {
    name: 'kilo',
    title: 'Kilo Code',
    command: 'kilo',
    args: ['acp'],
    envAllowed: ['ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'KILO_*', ...proxies],
    loginHint: 'Run `kilo auth login` in a terminal.',
    install: 'npm install -g @kilocode/cli',
  },
  {
    name: 'goose',
    title: 'Goose',
    command: 'goose',
    args: ['acp'],
    envAllowed: ['ANTHROPIC_*', 'OPENAI_*', 'GOOGLE_*', 'GOOSE_*', ...proxies],
    loginHint: 'Run `goose configure` in a terminal.',
    install: 'see block.github.io/goose',
  },
];
