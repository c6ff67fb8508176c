import type { ConfigAtom, ConfigPolicy } from './config-atom.ts';

const everyone = ['read', 'list', 'glob', 'grep', 'git_status', 'git_log', 'git_diff', 'ask_user'];

/** Commands that change files, history or other machines; who only looks is asked before each. */
const changing: readonly ConfigPolicy[] = [
  'rm *',
  'mv *',
  'cp *',
  'dd *',
  'truncate *',
  'chmod *',
  'chown *',
  'tee *',
  'sed -i*',
  'git add*',
  'git commit*',
  'git push*',
  'git reset*',
  'git checkout*',
  'git restore*',
  'git switch*',
  'git merge*',
  'git rebase*',
  'git stash*',
  'git clean*',
  'git tag *',
  'git branch -*',
  'npm install*',
  'npm i *',
  'npm publish*',
  'pnpm add*',
  'pnpm publish*',
  'yarn add*',
  'yarn publish*',
  'pip install*',
  'cargo publish*',
  'docker *',
  'kubectl *',
  'terraform *',
  'ssh *',
  'scp *',
  'curl *',
  'wget *',
].map((command) => ({ verdict: 'ask', rule: `shell(${command})` }));

/** Where tests and what they need are kept, in the usual layouts. */
const testPlaces = [
  '**/test/**',
  '**/tests/**',
  '**/__tests__/**',
  '**/spec/**',
  '**/fixtures/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/test_*.py',
];

export const shippedConfigs: readonly ConfigAtom[] = [
  { for: 'general', tools: [...everyone, 'notes'], policies: [], priority: 10 },
  {
    for: 'coder',
    tools: [...everyone, 'write', 'edit', 'delete', 'shell', 'git_commit', 'run_tests'],
    policies: [],
    model: 'strong',
    priority: 50,
  },
  {
    for: 'tester',
    tools: [...everyone, 'shell', 'run_tests', 'write', 'edit'],
    policies: [
      { verdict: 'ask', rule: 'write', unless: testPlaces },
      { verdict: 'ask', rule: 'edit', unless: testPlaces },
    ],
    model: 'strong',
    priority: 40,
  },
  {
    for: 'reviewer',
    tools: [...everyone, 'shell', 'run_tests'],
    policies: changing,
    model: 'strong',
    priority: 30,
  },
  { for: 'researcher', tools: [...everyone, 'web_fetch', 'web_search', 'notes'], policies: [], priority: 20 },
  {
    for: 'git',
    tools: ['git_commit', 'shell'],
    policies: [{ verdict: 'ask', rule: 'shell(git push*)' }],
    priority: 55,
  },
  { for: 'delete', tools: ['delete'], policies: [{ verdict: 'ask', rule: 'shell(rm *)' }], priority: 55 },
  { for: 'init', tools: ['write'], policies: [], priority: 45 },
  { for: 'learn', tools: ['notes'], policies: [], priority: 25 },
  { for: 'greet', tools: [], policies: [], model: 'fast', priority: 15 },
  { for: 'help', tools: [], policies: [], model: 'fast', priority: 15 },
];
