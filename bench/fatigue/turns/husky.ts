import {
  edit,
  failing,
  gitCommit,
  gitDiff,
  gitStatus,
  glob,
  grep,
  list,
  manifestText,
  mustAsk,
  online,
  read,
  type RecordedRepository,
  runTests,
  sh,
  turn,
  write,
} from '../recorded-turn.ts';

/** A JavaScript library whose hooks lint what is staged and check the commit message. */
export const husky: RecordedRepository = {
  kind: 'husky',
  files: {
    'package.json': manifestText({
      name: 'cart',
      version: '1.4.0',
      type: 'module',
      scripts: {
        test: 'node --test',
        lint: 'node scripts/lint.js src test',
        build: 'node scripts/build.js',
        format: 'node scripts/format.js',
      },
      devDependencies: { husky: '^9.0.0' },
    }),
    '.gitignore': 'node_modules\ndist\ncoverage\n',
    'README.md': '# cart\n\nPrices of carts.\n',
    'CHANGELOG.md': '# Changelog\n\n## 1.4.0\n\n- Discounts\n',
    'docs/usage.md': '# Usage\n\n    import { total } from "cart";\n',
    'src/index.js': "export { total } from './cart.js';\nexport { money } from './format.js';\n",
    'src/cart.js':
      "import { discount } from './discount.js';\n\n// TODO: taxes\nexport function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n  return sum - discount(sum);\n}\n",
    'src/discount.js': 'export function discount(sum) {\n  return sum > 100 ? sum * 0.1 : 0;\n}\n',
    'src/format.js': 'export function money(amount) {\n  return `${amount} EUR`;\n}\n',
    'test/cart.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { total } from '../src/cart.js';\n\ntest('adds up', () => {\n  assert.equal(total([{ price: 2, count: 3 }]), 6);\n});\n",
    'test/format.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { money } from '../src/format.js';\n\ntest('names the currency', () => {\n  assert.match(money(5), /EUR/);\n});\n",
    'scripts/lint.js':
      "import { readdirSync, readFileSync } from 'node:fs';\nlet bad = 0;\nfor (const folder of process.argv.slice(2)) {\n  for (const name of readdirSync(folder)) {\n    if (readFileSync(`${folder}/${name}`, 'utf8').includes('debugger')) bad += 1;\n  }\n}\nprocess.exit(bad);\n",
    'scripts/build.js':
      "import { cpSync } from 'node:fs';\ncpSync('src', 'dist', { recursive: true });\nconsole.log('built');\n",
    'scripts/format.js': "console.log('formatted');\n",
    '.husky/pre-commit': 'npm run lint --silent\n',
    '.husky/commit-msg':
      'node -e "process.exit(require(\'fs\').readFileSync(process.argv[1]).length > 5 ? 0 : 1)" "$1"\n',
  },
  programs: {
    '.husky/_/pre-commit': '#!/bin/sh\nexec sh -e .husky/pre-commit "$@"\n',
    '.husky/_/commit-msg': '#!/bin/sh\nexec sh -e .husky/commit-msg "$@"\n',
    'node_modules/.bin/eslint': "#!/usr/bin/env node\nconsole.log('ok');\n",
    'node_modules/.bin/prettier': "#!/usr/bin/env node\nconsole.log('All matched files use the style.');\n",
  },
  prepare: 'git config core.hooksPath .husky/_',
  earlier: [
    turn(
      'What does this package do, and do its tests pass?',
      [read('package.json'), read('README.md')],
      sh('npm test 2>&1 | tail -15'),
    ),
    turn(
      'Round amounts to cents.',
      read('src/format.js'),
      edit('src/format.js', '${amount} EUR', '${amount.toFixed(2)} EUR'),
      sh('npm test'),
      sh('npm run lint'),
    ),
    turn(
      'Add a test for an empty cart.',
      write(
        'test/empty.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { total } from '../src/cart.js';\n\ntest('an empty cart costs nothing', () => {\n  assert.equal(total([]), 0);\n});\n",
      ),
      sh('node --test test/empty.test.js'),
      sh('git add -A && git commit -m "test: cover the empty cart"'),
    ),
    turn('Build it and look at the result.', sh('npm run build'), sh('ls -la dist')),
    turn('Install the dependencies.', online('npm install')),
    turn('Start a branch for taxes.', sh('git checkout -b taxes'), sh('git status --short')),
    turn(
      'Note the rounding in the changelog.',
      edit('CHANGELOG.md', '- Discounts\n', '- Discounts\n- Rounded amounts\n'),
    ),
  ],
  turns: [
    turn(
      'Where is the discount worked out?',
      grep('discount', 'src'),
      sh('grep -rn "discount" src test | head -20'),
      read('src/discount.js'),
    ),
    turn(
      'Orders over 500 should get 15 percent.',
      [read('src/discount.js'), read('src/cart.js')],
      edit('src/discount.js', 'return sum > 100', 'if (sum > 500) return sum * 0.15;\n  return sum > 100'),
      sh('npm test'),
    ),
    turn(
      'Add tests for the discounts.',
      list('test'),
      write(
        'test/discount.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { discount } from '../src/discount.js';\n\ntest('grows with the sum', () => {\n  assert.deepEqual([50, 200, 1000].map(discount), [0, 20, 150]);\n});\n",
      ),
      sh('node --test test/discount.test.js'),
      sh('npm test 2>&1 | tail -20'),
    ),
    turn(
      'Commit that.',
      sh('git status'),
      sh('git diff'),
      sh('git log --oneline -5'),
      sh('git add src/discount.js test/discount.test.js'),
      sh(
        'git commit -m "$(cat <<\'EOF\'\nfeat: larger discount above 500\n\nOrders above 500 get 15 percent.\nEOF\n)"',
      ),
    ),
    turn(
      'Why does the linter not see debugger statements in scripts?',
      read('scripts/lint.js'),
      sh('npm run lint'),
      sh('node scripts/lint.js scripts; echo "exit $?"'),
    ),
    turn(
      'Format amounts with the locale.',
      read('src/format.js'),
      write(
        'src/format.js',
        "const euros = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });\n\nexport function money(amount) {\n  return `${euros.format(amount)} EUR`;\n}\n",
      ),
      sh('node -e "import(\'./src/format.js\').then(m => console.log(m.money(1234.5)))"'),
      runTests,
    ),
    turn(
      'Run the linters.',
      [sh('npx eslint src'), sh('npx prettier --check src')],
      sh('npm run lint 2>&1 | tail -5'),
    ),
    turn(
      'How large is the source?',
      sh('wc -l src/*.js'),
      sh('find . -name "*.js" -not -path "./node_modules/*" | sort'),
      sh('du -sh src && ls -la'),
    ),
    turn(
      'Put the taxes in: 19 percent, with a test first.',
      write(
        'test/tax.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { withTax } from '../src/tax.js';\n\ntest('adds 19 percent', () => {\n  assert.equal(withTax(100), 119);\n});\n",
      ),
      failing(sh('node --test test/tax.test.js')),
      write('src/tax.js', 'export function withTax(net) {\n  return Math.round(net * 119) / 100;\n}\n'),
      sh('node --test test/tax.test.js'),
      edit('src/index.js', 'export { money }', "export { withTax } from './tax.js';\nexport { money }"),
      sh('npm test'),
    ),
    turn('What changed so far?', gitStatus, gitDiff, sh('git diff --stat')),
    turn(
      'Commit it with the tool.',
      gitCommit('feat: taxes', 'src/tax.js', 'test/tax.test.js', 'src/index.js', 'src/format.js'),
    ),
    turn(
      'Build and check that dist can be imported.',
      sh('npm run build'),
      sh('node -e "import(\'./dist/index.js\').then(m => console.log(Object.keys(m)))"'),
    ),
    turn('Clean the build and build again.', sh('rm -rf dist && npm run build && ls dist')),
    turn(
      'Add a helper for dates from the registry.',
      online('npm install tiny-dates'),
      sh('cat package.json'),
      sh('npm test'),
    ),
    turn(
      'Set my change aside, look at main, bring it back.',
      edit('README.md', 'Prices of carts.', 'Prices of carts, with taxes.'),
      sh('git stash'),
      sh('git checkout -q main && git log --oneline -3'),
      sh('git checkout -q - && git stash pop'),
    ),
    turn(
      'Make a branch, commit the docs and switch back.',
      sh('git checkout -b docs'),
      edit('docs/usage.md', 'import { total }', 'import { total, withTax }'),
      sh('git add README.md docs/usage.md && git commit -m "docs: taxes"'),
      sh('git branch'),
    ),
    turn(
      'Debug: print the totals of a large order.',
      write(
        'scripts/debug.js',
        "import { total } from '../src/cart.js';\nconsole.log(total([{ price: 600, count: 1 }]));\n",
      ),
      sh('node scripts/debug.js'),
      sh('rm scripts/debug.js'),
    ),
    turn(
      'Check the syntax of every file.',
      sh('for f in src/*.js; do node --check "$f" || exit 1; done; echo fine'),
    ),
    turn(
      'Raise the version and release.',
      read('package.json'),
      edit('package.json', '"version": "1.4.0"', '"version": "1.5.0"'),
      sh('npm test && npm run build'),
      sh('git commit -am "release: 1.5.0" && git tag v1.5.0'),
      mustAsk(sh('npm publish'), 'reject'),
    ),
    turn(
      'Is there anything left to do?',
      glob('src/**/*.js'),
      sh('grep -rn TODO src test README.md'),
      sh('cd {root} && git status --short'),
    ),
    turn('Push it.', sh('git log origin/main..HEAD --oneline'), mustAsk(sh('git push origin HEAD'), 'allow')),
  ],
};
