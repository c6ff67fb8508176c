import { expect, test } from 'vitest';

import { structureOf } from './file-structure.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a.ts',
    "import { x } from './x.ts';\nexport const a = 1;\nexport async function b() {}\nclass C {}\nfunction d() {}\nconst e = (n: number) => n;\ninterface F {}",
    [
      'Imports ./x.ts:1',
      'Exports const a:2',
      'Exports async function b:3',
      'Classes C:4',
      'Functions d:5',
      'Functions e:6',
      'Types F:7',
    ],
  ],
  ['a.test.js', "describe('one', () => {\n  it('two', () => {});\n});", ['Tests one:1', 'Tests two:2']],
  [
    'a.py',
    'import os\nLIMIT = 3\nclass A:\n    def b(self):\n        pass\ndef c():\n    pass',
    ['Imports os:1', 'Classes A:3', 'Methods b:4', 'Functions c:6', 'Constants LIMIT:2'],
  ],
  [
    'a.go',
    'package main\ntype T struct{}\nfunc (t T) M() {}\nfunc main() {}',
    ['Package main:1', 'Types T:2', 'Methods (t T) M:3', 'Functions main:4'],
  ],
  [
    'a.rs',
    'use std::fs;\npub struct S;\nimpl S {\n    pub fn new() -> S { S }\n}',
    ['Uses std::fs:1', 'Types struct S:2', 'Implementations S:3', 'Functions new:4'],
  ],
  [
    'A.java',
    'package a.b;\npublic class A {\n    public int size() {\n        return 1;\n    }\n}',
    ['Package a.b:1', 'Types class A:2', 'Methods size:3'],
  ],
  ['a.md', '# One\n```\n# not this\n```\n## Two ##', ['Headings One:1', 'Headings Two:5']],
  ['a.json', '{\n  "a": { "x": 1 },\n  "b": [\n    { "c": 2 }\n  ]\n}', ['Keys a:2', 'Keys b:3']],
  ['a.txt', 'function x() {}', []],
];

test.each(cases)('the structure of %s', (path, text, expected) => {
  const titles = structureOf(path, text.split('\n')).flatMap(({ title, entries }) =>
    entries.map(({ name, line }) => `${title} ${name}:${line}`),
  );
  expect(titles).toEqual(expected);
});
