import {
  edit,
  failing,
  gitCommit,
  gitStatus,
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

/** A game whose images and sounds are in git-lfs, built with make. */
export const lfs: RecordedRepository = {
  kind: 'LFS',
  files: {
    '.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n*.wav filter=lfs diff=lfs merge=lfs -text\n',
    '.gitignore': 'build\n',
    'README.md': '# Blobs\n\nA game about blobs.\n',
    Makefile:
      'check:\n\tnode tools/check.mjs\n\ntest:\n\tnode --test\n\nbuild:\n\tmkdir -p build && node tools/pack.mjs\n\n.PHONY: check test build\n',
    'package.json': manifestText({
      name: 'blobs',
      version: '0.1.0',
      type: 'module',
      scripts: { test: 'node --test', start: 'node src/main.mjs' },
    }),
    'assets/logo.png': `PNG${'x'.repeat(3000)}`,
    'assets/blob.png': `PNG${'y'.repeat(2000)}`,
    'assets/pop.wav': `RIFF${'z'.repeat(1000)}`,
    'assets/index.json': '{\n  "images": ["logo.png", "blob.png"],\n  "sounds": ["pop.wav"]\n}\n',
    'src/main.mjs': "import { load } from './load.mjs';\nconsole.log(load().length, 'assets');\n",
    'src/load.mjs':
      "import { readFileSync } from 'node:fs';\n\nexport function load() {\n  const { images, sounds } = JSON.parse(readFileSync('assets/index.json', 'utf8'));\n  return [...images, ...sounds];\n}\n",
    'test/load.test.mjs':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { load } from '../src/load.mjs';\n\ntest('finds assets', () => {\n  assert.ok(load().length > 0);\n});\n",
    'tools/check.mjs':
      "import { existsSync } from 'node:fs';\nimport { load } from '../src/load.mjs';\nconst missing = load().filter((name) => !existsSync(`assets/${name}`));\nif (missing.length > 0) throw new Error(`missing ${missing}`);\nconsole.log('all there');\n",
    'tools/pack.mjs':
      "import { writeFileSync } from 'node:fs';\nimport { load } from '../src/load.mjs';\nwriteFileSync('build/pack.txt', load().join('\\n'));\n",
  },
  earlier: [
    turn('Do the assets fit together?', sh('make check'), sh('npm test 2>&1 | tail -5')),
    turn(
      'Say in the code what load gives back.',
      edit('src/load.mjs', 'export function load', '/** Names of all assets. */\nexport function load'),
      sh('make test'),
    ),
    turn('Commit it.', sh('git add -A && git commit -m "Document load"'), sh('git lfs ls-files')),
    turn('Build the pack.', sh('make build'), sh('cat build/pack.txt')),
    turn(
      'Add the title to the index.',
      edit('assets/index.json', '{\n', '{\n  "title": "Blobs",\n'),
      sh("node -e \"console.log(JSON.parse(require('fs').readFileSync('assets/index.json')).title)\""),
    ),
    turn(
      'Write a test of the title.',
      write(
        'test/title.test.mjs',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\n\ntest('has one', () => assert.ok(true));\n",
      ),
      sh('npm test'),
    ),
  ],
  turns: [
    turn('Which files does LFS keep?', read('.gitattributes'), sh('git lfs ls-files'), sh('ls -la assets')),
    turn(
      'Add a picture for the menu.',
      sh('cp assets/logo.png assets/menu.png'),
      edit('assets/index.json', '"blob.png"', '"blob.png", "menu.png"'),
      sh('make check'),
      sh('git add assets/menu.png assets/index.json'),
      sh('git diff --cached --stat'),
      sh('git commit -m "Add the picture of the menu"'),
    ),
    turn('Was it committed as a pointer?', sh('git show HEAD:assets/menu.png | head -3'), sh('git log -1 --stat')),
    turn(
      'Why does load read the disk each time?',
      [read('src/load.mjs'), read('src/main.mjs')],
      sh('grep -rn "load(" src tools test'),
    ),
    turn(
      'Keep what was loaded.',
      edit(
        'src/load.mjs',
        'export function load() {',
        'let kept;\n\nexport function load() {\n  kept ??= fromDisk();\n  return kept;\n}\n\nfunction fromDisk() {',
      ),
      sh('npm test'),
      sh('npm start'),
    ),
    turn(
      'Test that it is read once.',
      write(
        'test/once.test.mjs',
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { load } from '../src/load.mjs';\n\ntest('gives the same list again', () => {\n  assert.equal(load(), load());\n});\n",
      ),
      sh('node --test test/once.test.mjs'),
      sh('make test 2>&1 | tail -8'),
    ),
    turn(
      'Commit the code.',
      gitStatus,
      gitCommit('Keep the list of assets', 'src/load.mjs', 'test/once.test.mjs'),
    ),
    turn(
      'Keep archives in LFS, too.',
      sh('git lfs track "*.zip"'),
      sh('cat .gitattributes'),
      sh('git add .gitattributes && git commit -m "Keep archives in LFS"'),
    ),
    turn(
      'How large are the assets?',
      sh('du -sh assets'),
      sh('find assets -type f -size +1k'),
      sh('wc -c assets/* | sort -n | tail -5'),
    ),
    turn(
      'Replace the sound.',
      sh('cp assets/pop.wav assets/splat.wav && rm assets/pop.wav'),
      edit('assets/index.json', 'pop.wav', 'splat.wav'),
      sh('make check'),
      sh('git add -A assets && git commit -m "Splat in place of pop"'),
    ),
    turn('Build it.', sh('make build'), sh('head -5 build/pack.txt')),
    turn(
      'Check a broken index.',
      sh('cp assets/index.json build/index.bak && sed -i "s/menu.png/gone.png/" assets/index.json'),
      failing(sh('make check')),
      sh('cp build/index.bak assets/index.json && make check'),
    ),
    turn('List everything the tools write.', grep('writeFile', 'tools'), sh('git check-ignore -v build/pack.txt')),
    turn(
      'Try the new loader on a branch.',
      sh('git switch -c loader'),
      edit('src/main.mjs', "'assets'", "'assets loaded'"),
      sh('npm start'),
      sh('git commit -am "Say what was loaded"'),
      sh('git switch main && git merge loader'),
    ),
    turn(
      'What did the last five commits touch?',
      sh('git log -5 --name-only --oneline'),
      sh('git show --stat HEAD'),
    ),
    turn(
      'Say in the README how to get the assets.',
      edit('README.md', 'A game about blobs.', 'A game about blobs.\n\nRun `git lfs pull` after cloning.'),
      sh('git commit -am "README: how to get the assets"'),
    ),
    turn(
      'Write a small script that lists unused pictures and run it.',
      write(
        'tools/unused.mjs',
        "import { readdirSync } from 'node:fs';\nimport { load } from '../src/load.mjs';\nconst used = new Set(load());\nconsole.log(readdirSync('assets').filter((name) => !used.has(name)));\n",
      ),
      sh('node tools/unused.mjs'),
    ),
    turn(
      'Stash it and look whether main is clean.',
      sh('git stash -u'),
      sh('git status --short'),
      sh('git stash pop'),
    ),
    turn(
      'Which pictures changed since the first commit?',
      sh('git diff --name-only HEAD~3 -- assets'),
      list('assets'),
    ),
    turn('Fetch what others did.', sh('git branch -vv'), mustAsk(online('cat /etc/hostname'), 'reject')),
    turn('Push.', mustAsk(sh('git push origin main'), 'allow')),
  ],
};
