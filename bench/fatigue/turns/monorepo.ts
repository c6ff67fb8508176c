import {
  edit,
  failing,
  gitCommit,
  gitStatus,
  glob,
  grep,
  list,
  manifestText,
  mustAsk,
  online,
  read,
  type RecordedRepository,
  sh,
  turn,
  write,
} from '../recorded-turn.ts';

const manifest = (name: string, more: object = {}) =>
  manifestText({
    name: `@shop/${name}`,
    version: '1.0.0',
    type: 'module',
    scripts: { test: 'node --test', build: 'node ../../tools/build.mjs', lint: 'node --check src/index.js' },
    ...more,
  });

/** Three packages of one workspace, used through pnpm, npm workspaces and turbo. */
export const monorepo: RecordedRepository = {
  kind: 'monorepo',
  files: {
    'package.json': manifestText({
      name: 'shop',
      private: true,
      type: 'module',
      workspaces: ['packages/*'],
      scripts: {
        test: 'npm test --workspaces --if-present',
        build: 'npm run build --workspaces',
        lint: 'npm run lint --workspaces',
      },
    }),
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    'turbo.json': '{ "tasks": { "build": {}, "test": {} } }\n',
    '.gitignore': 'node_modules\ndist\n',
    'README.md': '# shop\n',
    'tools/build.mjs':
      "import { cpSync } from 'node:fs';\ncpSync('src', 'dist', { recursive: true });\nconsole.log('built', process.cwd());\n",
    'packages/core/package.json': manifest('core'),
    'packages/core/src/index.js': 'export function add(a, b) {\n  return a + b;\n}\n',
    'packages/core/test/add.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../src/index.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
    'packages/web/package.json': manifest('web', { dependencies: { '@shop/core': '1.0.0' } }),
    'packages/web/src/index.js':
      "import { add } from '../../core/src/index.js';\n\nexport const page = () => `<p>${add(1, 1)}</p>`;\n",
    'packages/web/test/page.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { page } from '../src/index.js';\n\ntest('shows', () => assert.match(page(), /2/));\n",
    'packages/cli/package.json': manifest('cli', { bin: { shop: 'src/index.js' } }),
    'packages/cli/src/index.js': "import { add } from '../../core/src/index.js';\n\nconsole.log(add(2, 2));\n",
  },
  programs: {
    'node_modules/.bin/turbo':
      "#!/usr/bin/env node\nconst { execFileSync } = require('node:child_process');\nconst [, , , task, filter = ''] = process.argv;\nconst name = filter.replace('--filter=', '');\nexecFileSync('npm', ['run', task, '-w', `packages/${name}`], { stdio: 'inherit' });\n",
    'node_modules/.bin/tsc': "#!/usr/bin/env node\nconsole.log('no errors');\n",
  },
  earlier: [
    turn(
      'Which packages are there?',
      list('packages'),
      sh('cat packages/*/package.json | grep \'"name"\''),
      sh('pnpm -r test'),
    ),
    turn(
      'Core should subtract.',
      edit(
        'packages/core/src/index.js',
        'export function add',
        'export function subtract(a, b) {\n  return a - b;\n}\n\nexport function add',
      ),
      sh('pnpm --filter @shop/core test'),
      sh('npm run build -w packages/core'),
    ),
    turn('Commit it.', sh('git add -A && git commit -m "core: subtract"')),
    turn('Build all.', sh('npm run build'), sh('ls packages/core/dist')),
    turn(
      'Test subtracting.',
      write(
        'packages/core/test/subtract.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { subtract } from '../src/index.js';\n\ntest('subtracts', () => assert.equal(subtract(3, 2), 1));\n",
      ),
      sh('cd packages/core && npm test'),
      sh('npx turbo run test --filter=core'),
    ),
    turn(
      'A word about it in web.',
      edit('packages/web/src/index.js', 'export const page', '/** The page. */\nexport const page'),
      sh('pnpm --filter @shop/web test'),
    ),
    turn('Check types.', sh('npx tsc --noEmit')),
  ],
  turns: [
    turn('Who uses add?', grep('add', 'packages'), sh('grep -rln "core/src" packages --include=*.js')),
    turn(
      'Core should multiply.',
      read('packages/core/src/index.js'),
      edit(
        'packages/core/src/index.js',
        'export function add',
        'export function multiply(a, b) {\n  return a * b;\n}\n\nexport function add',
      ),
      write(
        'packages/core/test/multiply.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { multiply } from '../src/index.js';\n\ntest('multiplies', () => assert.equal(multiply(2, 3), 6));\n",
      ),
      sh('pnpm --filter @shop/core test'),
    ),
    turn('Build core alone.', sh('npx turbo run build --filter=core'), sh('ls packages/core/dist')),
    turn(
      'Show the product on the page.',
      read('packages/web/src/index.js'),
      edit('packages/web/src/index.js', 'import { add }', 'import { add, multiply }'),
      edit('packages/web/src/index.js', '${add(1, 1)}', '${add(1, 1)} ${multiply(2, 2)}'),
      sh('cd packages/web && npm test'),
    ),
    turn('Do all packages still pass?', sh('pnpm -r test 2>&1 | tail -20'), sh('npm test -w packages/core')),
    turn(
      'Commit by package.',
      gitStatus,
      sh('git add packages/core && git commit -m "core: multiply"'),
      sh('git add packages/web && git commit -m "web: show the product"'),
    ),
    turn(
      'The command should take arguments.',
      read('packages/cli/src/index.js'),
      write(
        'packages/cli/src/index.js',
        "import { add } from '../../core/src/index.js';\n\nconst [a = 2, b = 2] = process.argv.slice(2).map(Number);\nconsole.log(add(a, b));\n",
      ),
      sh('node packages/cli/src/index.js 3 4'),
      sh('npm run lint -w packages/cli'),
    ),
    turn(
      'Give it a test.',
      sh('mkdir -p packages/cli/test'),
      write(
        'packages/cli/test/cli.test.js',
        "import assert from 'node:assert';\nimport { execFileSync } from 'node:child_process';\nimport { test } from 'node:test';\n\ntest('adds its arguments', () => {\n  assert.equal(String(execFileSync('node', ['src/index.js', '3', '4'])), '7\\n');\n});\n",
      ),
      sh('pnpm --filter @shop/cli test'),
      sh('cd packages/cli && node --test'),
    ),
    turn('Commit the command.', gitCommit('cli: arguments', 'packages/cli')),
    turn(
      'Check types everywhere.',
      sh('npx tsc --noEmit'),
      sh('npx tsc --noEmit -p packages/core 2>&1 | tail -5; echo done'),
    ),
    turn(
      'Which versions do the packages have?',
      glob('packages/*/package.json'),
      sh('grep -h \'"version"\' packages/*/package.json | sort | uniq -c'),
      sh('node -p "require(\'./packages/core/package.json\').version"'),
    ),
    turn(
      'Break it on purpose to see whether the tests notice.',
      edit('packages/core/src/index.js', 'return a + b', 'return a - b'),
      failing(sh('pnpm --filter @shop/core test')),
      edit(
        'packages/core/src/index.js',
        'export function add(a, b) {\n  return a - b',
        'export function add(a, b) {\n  return a + b',
      ),
      sh('pnpm --filter @shop/core test'),
    ),
    turn(
      'Build everything and see how large it is.',
      sh('npm run build'),
      sh('du -sh packages/*/dist'),
      sh('find packages -name dist -type d'),
    ),
    turn('Remove the builds.', sh('rm -rf packages/core/dist packages/web/dist packages/cli/dist')),
    turn(
      'Install a package in web.',
      online('npm install tiny-dates -w packages/web'),
      sh('git diff --stat'),
      sh('cat packages/web/package.json'),
    ),
    turn('Commit the dependency.', sh('git add -A && git commit -m "web: tiny-dates"')),
    turn('Lint all.', sh('npm run lint'), sh('npm run lint --workspaces --if-present 2>&1 | grep -c lint')),
    turn(
      'Make a new package for prices.',
      sh('mkdir -p packages/prices/src'),
      write('packages/prices/package.json', manifest('prices')),
      write('packages/prices/src/index.js', 'export const vat = 0.19;\n'),
      sh('cd packages/prices && npm run lint'),
    ),
    turn(
      'Commit on a branch.',
      sh('git switch -c prices'),
      sh('git add packages/prices && git commit -m "prices: a new package"'),
      sh('git switch main && git merge --no-ff prices -m "Merge prices"'),
    ),
    turn(
      'What changed since yesterday?',
      sh('git log --since=yesterday --oneline --stat | head -40'),
      sh('git diff HEAD~2 --stat'),
    ),
    turn(
      'Publish core and push.',
      mustAsk(sh('pnpm --filter @shop/core publish'), 'reject'),
      mustAsk(sh('git push origin main'), 'allow'),
    ),
  ],
};
