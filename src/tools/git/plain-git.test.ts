import { expect, test } from 'vitest';

import { plainGit } from './plain-git.ts';

test.each([
  ['git add a && git commit -m "x y"', 'commits', false],
  ['git switch -c feature', 'checkouts', false],
  ['git status', 'work', false],
  ['git status; git stash', 'checkouts', false],
  ['git commit --no-verify -m x', 'commits', true],
  ['git commit -nm x', 'commits', true],
  ['npm test && git commit -m x', 'work', false],
  ['git -c core.hooksPath=x commit -m x', 'work', false],
  ['GIT_DIR=x git commit -m x', 'work', false],
  ['git commit -m "$(cat x)"', 'work', false],
  ['git add a && git commit -m "$(cat <<\'EOF\'\nx\n\ny\nEOF\n)"', 'commits', false],
  ['git commit -m "$(cat <<EOF\n$x\nEOF\n)"', 'work', false],
  ['git commit -m x; echo "$(cat <<\'EOF\'\nx\nEOF\n)"', 'work', false],
  ['git "$(cat <<\'EOF\'\ncommit\nEOF\n)"', 'work', false],
  ['git add a > .git/config', 'work', false],
  ['git rebase --exec ./x main', 'work', false],
  ['git push', 'work', false],
  ['bash -c "git commit -m x"', 'work', false],
  ['git commit -m x; ./evil', 'work', false],
])('safety S8h: %s runs in the profile %s', (command, profile, skipsHooks) => {
  expect(plainGit(command, 'bash')).toEqual({ profile, skipsHooks });
});
