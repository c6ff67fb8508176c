import { describe, expect, test } from 'vitest';

import { findReadOnly } from './find-read-only.ts';
import { understand } from './transducer.ts';

/** Everyday sentences that forbid all changes, with the words that do so. */
const narrowing: readonly (readonly [string, string])[] = [
  ["don't change anything, what is this?", "don't change anything"],
  ["just explain, don't change anything", "don't change anything"],
  ["just explain, don't change", "don't change"],
  ['explain the lock but do not touch anything', 'do not touch anything'],
  ["I don't want you to change anything, what is wrong here?", "don't want you to change anything"],
  ["explain it but don't change a thing", "don't change a thing"],
  ['you may not modify any file, look at src/a.ts', 'may not modify any file'],
  ["Please don't edit any files. Why is the build slow?", "don't edit any files"],
  ['do not change any of the code, tell me how it works', 'do not change any of the code'],
  ["don't make any changes yet, I only want a plan", "don't make any changes"],
  ['make sure not to change anything and tell me what fails', 'not to change anything'],
  ['no need to change anything, just look at src/a.ts', 'no need to change anything'],
  ['change nothing, just tell me why it fails', 'change nothing'],
  ['nothing may be changed: what is wrong here?', 'nothing may be changed'],
  ['review the code without making any changes', 'without making any changes'],
  ['without changing anything, how would you approach this?', 'without changing anything'],
  ['no code changes! how does the gate work?', 'no code changes'],
  ['take a look at my branch, no edits please', 'no edits'],
  ['only explain, no edits: what is wrong with this loop?', 'no edits'],
  ['analyze the bundle size, read-only', 'read-only'],
  ['look for dead code. Report only.', 'Report only'],
  ['review this, look but don’t touch', 'don’t touch'],
  ['hands off, what is wrong here?', 'hands off'],
  ['check the config and leave everything as it is', 'leave everything as it is'],
  ['dry run the release', 'dry run'],
  ['dry run: what would the release commit contain?', 'dry run'],
  ['figure out how to fix the login, do not change anything', 'do not change anything'],
  ['what if we moved to Postgres?', 'what if'],
  ['what would break if we removed the event bus?', 'what would break if'],
  ['suppose we split the monolith, what would that look like?', 'suppose we'],
  ['if we switched to gRPC, what would that mean for clients?', 'if we switched'],
  ['thought experiment: no database at all', 'thought experiment'],
];

/** Everyday sentences that sound similar but concern one thing, or something else. */
const free: readonly string[] = [
  "look into why login fails and get it working again, don't change the public API",
  "get the build green, don't touch the code of the parser",
  'find out why the importer is slow and speed it up, do not edit the tests',
  "explain it but don't touch the parser",
  "see why the header jumps and sort it out; the footer is fine, don't change it",
  'debug the flaky test, leave everything else alone',
  'what is wrong with the cache? make it work without changing the public API',
  'look at the router and make it faster without changing any behavior',
  "don't change anything in vendor/, update the docs",
  "don't change anything else, fix the typo",
  "don't change anything that is exported, tidy up the rest",
  "don't change anything unless the tests are green",
  "don't change anything visually, clean up the CSS",
  "don't change anything user-facing, simplify the reducer",
  'change nothing but the header',
  'change nothing in src, write the docs',
  'make no changes to the schema, but get the query under a second',
  'get it working with no changes to the API',
  'the linter says no changes were made, get it to format the file',
  'No changes were detected, look at the watcher and make it work',
  'why does git report no changes? make it notice the rename',
  'the tests don’t change anything, make them check something',
  'these flags do not change anything, get them to work',
  'the migration must not change anything twice, make it idempotent',
  "don't commit anything, fix the parser",
  "don't delete anything, tidy up the folder",
  "don't write any tests, add the field",
  'say "don\'t change anything" in the readme',
  'write `do not touch anything` above the table',
  'add a --dry-run flag to prune',
  'the dry run deletes files, get that sorted',
  'dry-run mode prints nothing, look into it',
  'open the database in read-only mode',
  'mount the volume read-only and start the server',
  'make the property read-only',
  'leave it as a TODO and move on',
  'leave them as strings, parse them later',
  'keep everything as it is but rename the package',
  'just find the bug and get rid of it',
  'only look at the parser and make it faster',
  'assume the user is logged in and repair the test',
  'simulate a crash in the test and make the recovery pass',
  'pretend you are a reviewer and improve the wording',
  'if you changed a.ts, run the tests',
  'if I deleted the cache by accident, restore it',
  'would you fix this',
  'could you change the port to 8080?',
  'hands off src/db/, clean up the rest',
  'do not forget to change the version',
  "don't worry, change everything you need",
];

describe('[C102] keyword intent', () => {
  test.each(narrowing)('%s: narrows because of "%s"', (text, words) => {
    expect(findReadOnly(text)).toBe(words);
    expect(understand(text)).toMatchObject({ readOnly: true, readOnlyBecause: words });
  });

  test.each(free)('%s: narrows nothing', (text) => {
    expect(findReadOnly(text)).toBeUndefined();
    expect(understand(text).readOnly).toBe(false);
  });
});
