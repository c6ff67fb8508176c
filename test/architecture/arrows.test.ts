import { globSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { checkArrows, parseArrowTable, parsePartTable } from './arrows.ts';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/ARCHITECTURE.md', ROOT), 'utf8');
const TABLE = parseArrowTable(PAGE);
const PARTS = parsePartTable(PAGE);

describe('the arrows of docs/ARCHITECTURE.md', () => {
  test('hold for every file of src', { timeout: 60_000 }, () => {
    const folder = new URL('src/', ROOT);
    const files = globSync('**/*.ts', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
    const sources = new Map(files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]));

    expect(checkArrows(sources, TABLE, PARTS)).toEqual([]);
  });

  test('name no folder twice and only folders that have a row', () => {
    const unknown = [...TABLE.values()].flatMap(({ folders }) => folders.names).filter((name) => !TABLE.has(name));

    expect(unknown).toEqual([]);
  });

  test('name only parts that have a row, and those exist', () => {
    const named = [...PARTS].flatMap(([part, mayImport]) => [part, ...mayImport]);
    const existing = named.filter((part) => globSync(`src/${part}/*.ts`, { cwd: ROOT }).length > 0);

    expect({ unknown: named.filter((part) => !PARTS.has(part)), existing }).toEqual({
      unknown: [],
      existing: named,
    });
  });
});

const SAMPLE_PARTS = new Map([
  ['journal', []],
  ['journal/memory', ['journal']],
  ['journal/sqlite', ['journal', 'journal/memory']],
  ['workers', ['workers/seats']],
  ['workers/seats', ['workers']],
]);

describe('the checker', () => {
  test.for([
    {
      name: 'a static import',
      files: { 'kernel/step.ts': "\nimport { x } from '../journal/x.ts';" },
      broken: ["src/kernel/step.ts:2: import '../journal/x.ts': kernel may import nothing, not journal"],
    },
    {
      name: 'a type-only import',
      files: { 'views/a.ts': "import type { X } from '../journal/x.ts';" },
      broken: ["src/views/a.ts:1: import '../journal/x.ts': views may import only kernel, not journal"],
    },
    {
      name: 'an export from another folder',
      files: { 'agents/a.ts': "export { x } from '../host/x.ts';\nexport * from '../host/y.ts';" },
      broken: [
        "src/agents/a.ts:1: import '../host/x.ts': agents may import only kernel, security, ports, not host",
        "src/agents/a.ts:2: import '../host/y.ts': agents may import only kernel, security, ports, not host",
      ],
    },
    {
      name: 'a dynamic import',
      files: { 'runtime/a.ts': "export const load = () => import('../models/x.ts');" },
      broken: ["src/runtime/a.ts:1: import '../models/x.ts': runtime may import only kernel, ports, not models"],
    },
    {
      name: 'an import inside a type',
      files: { 'security/a.ts': "export type X = import('../tools/x.ts').X;" },
      broken: ["src/security/a.ts:1: import '../tools/x.ts': security may import nothing, not tools"],
    },
    {
      name: 'the command line imported by the front door',
      files: { 'rondo.ts': "import './cli/main.ts';\nimport './server/server.ts';" },
      broken: ["src/rondo.ts:1: import './cli/main.ts': rondo.ts may import everything but cli"],
    },
    {
      name: 'testing imported by anything but a test',
      files: {
        'cli/a.ts': "import '../testing/testing.ts';",
        'cli/a.test.ts': "import '../testing/testing.ts';",
        'testing/testing.ts': "import '../cli/b.ts';",
      },
      broken: ["src/cli/a.ts:1: import '../testing/testing.ts': testing is imported by tests only"],
    },
    {
      name: 'a package in the kernel, or one that is not listed',
      files: {
        'kernel/a.ts': "import 'node:fs';\nimport { z } from 'zod';",
        'protocol/a.ts': "import { z } from 'zod/v4';\nimport 'hono/ws';",
      },
      broken: [
        "src/kernel/a.ts:1: import 'node:fs': kernel may import no packages",
        "src/kernel/a.ts:2: import 'zod': kernel may import no packages",
        "src/protocol/a.ts:2: import 'hono/ws': protocol may import only zod packages",
      ],
    },
    {
      name: 'the package imported by its own name, and files outside src',
      files: { 'server/a.ts': "import 'rondo/testing';\nimport '../../web/a.ts';\nimport '../../package.json';" },
      broken: [
        "src/server/a.ts:1: import 'rondo/testing': inside src/ modules are imported by their relative path",
        "src/server/a.ts:2: import '../../web/a.ts': nothing outside src/ may be imported",
      ],
    },
    {
      name: 'a cycle of type-only imports',
      files: {
        'kernel/a.ts': "import type { B } from './b.ts';",
        'kernel/b.ts': "import type { C } from './c.ts';",
        'kernel/c.ts': "import type { A } from './a.ts';",
      },
      broken: ['import cycle: src/kernel/a.ts → src/kernel/b.ts → src/kernel/c.ts → src/kernel/a.ts'],
    },
    {
      name: 'an import against the arrows of parts, and a part without a row',
      files: {
        'journal/journal.ts': "import type { X } from './sqlite/x.ts';",
        'journal/memory/a.ts': "import '../journal.ts';\nimport '../sqlite/deep/y.ts';",
        'journal/sqlite/x.ts': "import '../memory/b.ts';\nimport '../../kernel/z.ts';",
        'journal/memory/b.ts': '',
        'journal/bundle/a.ts': '',
        'server/http/a.ts': "import '../socket/b.ts';",
      },
      broken: [
        'src/journal/bundle: not in the table of parts of docs/ARCHITECTURE.md',
        "src/journal/journal.ts:1: import './sqlite/x.ts': journal may import nothing, not journal/sqlite",
        "src/journal/memory/a.ts:2: import '../sqlite/deep/y.ts': journal/memory may import only journal, not journal/sqlite",
        'cycle of parts: src/journal → src/journal/sqlite → src/journal/memory → src/journal',
        'cycle of parts: src/journal/sqlite → src/journal/memory → src/journal/sqlite',
      ],
    },
    {
      name: 'a cycle of parts that their rows allow',
      files: {
        'workers/a.ts': "import './seats/b.ts';",
        'workers/c.ts': '',
        'workers/seats/b.ts': '',
        'workers/seats/d.ts': "import type { C } from '../c.ts';",
      },
      broken: ['cycle of parts: src/workers → src/workers/seats → src/workers'],
    },
    {
      name: 'barrels and names without a concept',
      files: { 'kernel/index.ts': '', 'session/utils.ts': '', 'helpers/a.ts': '' },
      broken: [
        'src/helpers/a.ts: "helpers" names no concept (no barrels, no utils)',
        'src/kernel/index.ts: "index.ts" names no concept (no barrels, no utils)',
        'src/session/utils.ts: "utils.ts" names no concept (no barrels, no utils)',
        'src/helpers: not in the arrow table of docs/ARCHITECTURE.md',
      ],
    },
    {
      name: 'nothing in a sound tree',
      files: {
        'kernel/step.ts': "import type { State } from './state.ts';",
        'kernel/state.ts': "// import '../journal/x.ts'\nexport const text = \"import '../cli/x.ts'\";",
        'session/loop.ts':
          "import { step } from '../kernel/step.ts';\nimport type { Journal } from '../journal/journal.ts';",
        'cli/main.ts': "const { createRondo } = await import('../rondo.ts');",
      },
      broken: [],
    },
  ])('finds $name', ({ files, broken }) => {
    expect(checkArrows(new Map(Object.entries(files)), TABLE, SAMPLE_PARTS)).toEqual(broken);
  });
});
