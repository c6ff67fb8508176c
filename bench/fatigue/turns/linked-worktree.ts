import {
  edit,
  failing,
  gitCommit,
  gitDiff,
  gitLog,
  gitStatus,
  grep,
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

/** A small service; the session works on another branch, in a linked worktree beside the repository. */
export const linkedWorktree: RecordedRepository = {
  kind: 'linked worktree',
  files: {
    'package.json': manifestText({
      name: 'notes-service',
      version: '2.0.0',
      type: 'module',
      scripts: { test: 'node --test', lint: 'node --check src/server.js', start: 'node src/server.js' },
    }),
    '.gitignore': 'node_modules\n*.log\n',
    'README.md': '# Notes\n\nKeeps notes.\n',
    'src/store.js':
      'export function createStore() {\n  const notes = new Map();\n  return {\n    add: (id, text) => void notes.set(id, text),\n    get: (id) => notes.get(id),\n  };\n}\n',
    'src/server.js':
      "import { createServer } from 'node:http';\nimport { createStore } from './store.js';\n\nconst store = createStore();\nexport const server = createServer((request, response) => {\n  if (request.url === '/health') return response.end('ok');\n  response.end(store.get(request.url) ?? '');\n});\nif (process.argv[1]?.endsWith('server.js')) server.listen(Number(process.env.PORT ?? 8123));\n",
    'test/store.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { createStore } from '../src/store.js';\n\ntest('keeps a note', () => {\n  const store = createStore();\n  store.add('a', 'milk');\n  assert.equal(store.get('a'), 'milk');\n});\n",
    'test/server.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { server } from '../src/server.js';\n\ntest('is healthy', async () => {\n  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));\n  const answer = await fetch(`http://127.0.0.1:${server.address().port}/health`);\n  assert.equal(await answer.text(), 'ok');\n  server.close();\n});\n",
    'config/default.json': '{\n  "port": 8123\n}\n',
  },
  prepare: [
    'git worktree add -q -b feature ../feature',
    'echo "Made by hand." >> README.md && git commit -qam "README: made by hand"',
    'echo "{}" > config/test.json && git add config && git commit -qm "Configuration of the tests"',
  ].join('\n'),
  workFolder: 'feature',
  earlier: [
    turn('Where are we?', sh('git status'), sh('git worktree list'), sh('npm test 2>&1 | tail -8')),
    turn(
      'Add a list of all notes.',
      read('src/store.js'),
      edit('src/store.js', 'get: (id)', 'all: () => [...notes.values()],\n    get: (id)'),
      sh('npm test'),
      sh('npm run lint'),
    ),
    turn('Commit the list.', sh('git add -A'), sh('git commit -m "List all notes"')),
    turn('What is on main that we lack?', sh('git log --oneline HEAD..main')),
    turn(
      'Test the list.',
      write(
        'test/all.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { createStore } from '../src/store.js';\n\ntest('lists', () => assert.deepEqual(createStore().all(), []));\n",
      ),
      sh('node --test test/all.test.js'),
      gitCommit('Test the list', 'test/all.test.js'),
    ),
    turn('Change the port.', edit('config/default.json', '8123', '8124')),
  ],
  turns: [
    turn(
      'How does the server find a note?',
      grep('store', 'src'),
      read('src/server.js'),
      sh("sed -n '1,20p' src/store.js"),
    ),
    turn(
      'Notes should be deletable.',
      [read('src/store.js'), read('test/store.test.js')],
      edit('src/store.js', 'add: (id, text)', 'remove: (id) => notes.delete(id),\n    add: (id, text)'),
      sh('npm test'),
    ),
    turn(
      'Test it.',
      write(
        'test/remove.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { createStore } from '../src/store.js';\n\ntest('removes a note', () => {\n  const store = createStore();\n  store.add('a', 'milk');\n  store.remove('a');\n  assert.equal(store.get('a'), undefined);\n});\n",
      ),
      sh('node --test test/remove.test.js'),
      runTests,
    ),
    turn(
      'Commit.',
      [sh('git status'), sh('git diff HEAD'), sh('git log --oneline -5')],
      sh('git add src test && git commit -m "Remove notes"'),
    ),
    turn(
      'How far are we from main?',
      sh('git fetch --dry-run . 2>&1; git rev-list --left-right --count main...HEAD'),
      sh('git diff main...HEAD --stat'),
    ),
    turn(
      'Bring main in.',
      sh('git merge main -m "Merge main"'),
      sh('git log --oneline --graph -8'),
      sh('npm test'),
    ),
    turn(
      'Is the server healthy when it runs?',
      sh('PORT=18231 node src/server.js & pid=$!; sleep 0.7; curl -s http://127.0.0.1:18231/health; kill $pid'),
    ),
    turn(
      'Answer 404 for notes that are not there.',
      edit(
        'src/server.js',
        "response.end(store.get(request.url) ?? '');",
        "const note = store.get(request.url);\n  if (note === undefined) response.statusCode = 404;\n  response.end(note ?? '');",
      ),
      sh('npm run lint && npm test'),
    ),
    turn(
      'Write the test of that, and fix what fails.',
      write(
        'test/missing.test.js',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { server } from '../src/server.js';\n\ntest('does not find', async () => {\n  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));\n  const answer = await fetch(`http://127.0.0.1:${server.address().port}/x`);\n  server.close();\n  assert.equal(answer.status, 405);\n});\n",
      ),
      failing(sh('npm test 2>&1 | tail -30; exit ${PIPESTATUS[0]}')),
      edit('test/missing.test.js', '405', '404'),
      sh('npm test'),
    ),
    turn(
      'Commit with the tool.',
      gitStatus,
      gitDiff,
      gitCommit('Answer 404', 'src/server.js', 'test/missing.test.js'),
    ),
    turn('What did I do today?', gitLog, sh('git log --since=midnight --oneline'), sh('git shortlog -sn HEAD')),
    turn('Who wrote this line?', sh('git blame -L 1,5 src/server.js'), sh('git log -3 -- src/server.js')),
    turn(
      'Try another name for the store, on a branch.',
      sh('git switch -c rename'),
      sh("sed -i 's/createStore/createNotes/g' src/*.js test/*.js"),
      sh('npm test'),
      sh('git commit -am "Call it notes"'),
      sh('git switch feature'),
    ),
    turn(
      'Take the commit over.',
      sh('git cherry-pick rename'),
      sh('git branch -d rename || git branch'),
      sh('npm test 2>&1 | tail -4'),
    ),
    turn(
      'Set a change aside for a moment.',
      edit('README.md', 'Keeps notes.', 'Keeps and removes notes.'),
      sh('git stash push -m readme'),
      sh('git stash list'),
      sh('git stash pop'),
    ),
    turn('Commit the README.', sh('git commit -am "README: removing"')),
    turn(
      'Undo the staging of the configuration.',
      edit('config/default.json', 'port', 'PORT'),
      sh('git add config'),
      sh('git restore --staged config'),
      sh('git diff config'),
    ),
    turn('Then throw it away.', sh('git checkout -- config/default.json'), sh('git status --short')),
    turn(
      'Compare with the first version of the store.',
      sh('git show main:src/store.js'),
      sh('git diff main -- src/store.js'),
    ),
    turn(
      'Look at the other worktree.',
      sh('git worktree list'),
      mustAsk(online('cat ../repository/README.md'), 'reject'),
    ),
    turn('Push the branch.', mustAsk(sh('git push -u origin feature'), 'allow')),
  ],
};
