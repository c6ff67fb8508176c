/**
 * Other agents' command lines, with `--peers`: how each is pointed at a provider on this machine and prompted, in
 * the mode in which it prints earliest. Exact versions, so that two runs measure the same and npm on an old Node
 * doesn't choose older ones. None is a dependency of this package.
 */
export interface CommandPeer {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Its name in `node_modules/.bin`. */
  readonly command: string;
  /** Files in its separate home folder. `url` is the provider's, without a path. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
  readonly env?: (url: string) => Readonly<Record<string, string>>;
  readonly words: (prompt: string, home: string) => readonly string[];
}

export const commandPeers: readonly CommandPeer[] = [
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.166.0',
    command: 'codex',
    files: (url) => ({
      '.codex/config.toml': [
        'model = "fake"',
        'model_provider = "fake"',
        '[model_providers.fake]',
        'name = "fake"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        '[analytics]',
        'enabled = false',
      ].join('\n'),
    }),
    env: () => ({ FAKE_KEY: 'none' }),
    words: (prompt) => ['exec', '--skip-git-repo-check', '--json', prompt],
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    // The newest version whose own packages are all on the registry.
    version: '0.87.1',
    command: 'pi',
    files: (url) => ({ '.pi/agent/models.json': JSON.stringify({ providers: { fake: piProvider(url) } }) }),
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
    words: (prompt) => ['-p', '--mode', 'json', '--provider', 'fake', '--model', 'fake', prompt],
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    command: 'claude',
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    words: (prompt) => ['-p', prompt, '--verbose', '--output-format', 'stream-json', '--include-partial-messages'],
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    command: 'copilot',
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'fake',
      COPILOT_OFFLINE: 'true',
    }),
    words: (prompt) => ['-p', prompt, '--allow-all-tools', '--output-format', 'json'],
  },
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        telemetry: { enabled: false },
      }),
    }),
    env: (url) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    words: (prompt) => ['-m', 'gemini-2.5-flash', '-o', 'stream-json', '-p', prompt],
  },
  {
    name: 'qwen-code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    command: 'qwen',
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
        telemetry: { enabled: false },
      }),
    }),
    env: (url) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake' }),
    words: (prompt) => ['--output-format', 'stream-json', '--include-partial-messages', '-p', prompt],
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake',
        small_model: 'fake/fake',
        provider: { fake: opencodeProvider(url) },
      }),
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    words: (prompt) => ['run', '--model', 'fake/fake', '--format', 'json', prompt],
  },
  {
    name: 'continue',
    package: '@continuedev/cli',
    version: '1.5.47',
    command: 'cn',
    files: (url) => ({
      'continue.yaml': [
        'name: fake',
        'version: 0.0.1',
        'schema: v1',
        'models:',
        '  - name: fake',
        '    provider: openai',
        '    model: fake',
        '    apiKey: none',
        `    apiBase: ${url}/v1`,
        '    roles: [chat]',
      ].join('\n'),
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    words: (prompt, home) => ['--config', `${home}/continue.yaml`, '-p', prompt],
  },
];

function piProvider(url: string): object {
  const model = {
    id: 'fake',
    name: 'fake',
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 8192,
  };
  return { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models: [model] };
}

function opencodeProvider(url: string): object {
  return {
    npm: '@ai-sdk/openai-compatible',
    name: 'fake',
    options: { baseURL: `${url}/v1`, apiKey: 'none' },
    models: { fake: { name: 'fake', limit: { context: 128_000, output: 8192 } } },
  };
}
