// Nothing dangerous can hide from the permission check. Generated command lines contain a marker command. If a
// shell would run it, the parser must report it or mark the line as uncertain. FUZZ_RUNS and FUZZ_SEED run more:
//   FUZZ_RUNS=200000 FUZZ_SEED=7 npx vitest run --project unit src/security/parse-command.fuzz.test.ts
import { execFileSync, spawnSync } from 'node:child_process';

import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { parseCommand } from './shell/parse-command.ts';
import { bubblewrap, skipped } from '../../test/fixtures/bubblewrap.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 1000);
const seed = process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) };

vi.setConfig({ testTimeout: Math.max(60_000, runs * 10) });

const MARKER = 'DANGER_CMD';

type Sight = 'seen' | 'doubted' | 'missed';

function sightOf(source: string): Sight {
  const parsed = parseCommand(source);
  if (parsed.type === 'unparsed') return 'doubted';
  if (parsed.segments.some((segment) => segment.words[0] === MARKER)) return 'seen';
  return parsed.segments.some((segment) => segment.opaque) ? 'doubted' : 'missed';
}

type Context = (code: string) => string;

const single: Context = (code) => `'${code.replaceAll("'", `'\\''`)}'`;
const double: Context = (code) => `"${code.replace(/[\\"$`]/g, '\\$&')}"`;
const backticks: Context = (code) => `\`${code.replace(/[\\`$]/g, '\\$&')}\``;

const executing: readonly Context[] = [
  (code) => `: ; ${code}`,
  (code) => `: && ${code}`,
  (code) => `false || ${code}`,
  (code) => `: | ${code}`,
  (code) => `: |& ${code}`,
  (code) => `:\n${code}`,
  (code) => `: & ${code}`,
  (code) => `( ${code}\n)`,
  (code) => `{ ${code}\n}`,
  (code) => `: $(${code}\n)`,
  (code) => `: "a $(${code}\n) b"`,
  (code) => `: ${backticks(code)}`,
  (code) => `: <(${code}\n)`,
  (code) => `: >(${code}\n)`,
  (code) => `: \${x:-$(${code}\n)}`,
  (code) => `: "\${x:-$(${code}\n)}"`,
  (code) => `: "\${x/a/$(${code}\n)}"`,
  (code) => `: $(( $(${code}\n) + 1 ))`,
  (code) => `: <<END_OF_IT\n$(${code}\n)\nEND_OF_IT\n`,
  (code) => `: <<< "$(${code}\n)"`,
  (code) => `x=$(${code}\n)`,
  (code) => `x=(1 $(${code}\n))`,
  (code) => `: > /dev/null$(${code}\n)`,
  (code) => `if ${code}\nthen :; fi`,
  (code) => `if :; then ${code}\nfi`,
  (code) => `if false; then :; else ${code}\nfi`,
  (code) => `while ${code}\ndo break; done`,
  (code) => `until ${code}\ndo break; done`,
  (code) => `for i in 1; do ${code}\ndone`,
  (code) => `for ((i=0;i<1;i++)); do ${code}\ndone`,
  (code) => `case x in x) ${code}\n;; esac`,
  (code) => `f() { ${code}\n}; f`,
  (code) => `! { ${code}\n}`,
  (code) => `time { ${code}\n}`,
  (code) => `coproc { ${code}\n}`,
  (code) => `[[ -n $(${code}\n) ]]`,
  (code) => `(( $(${code}\n) ))`,
  (code) => `: {a,$(${code}\n)}`,
  (code) => `: @(a|$(${code}\n))`,
  (code) => `bash -c ${single(code)}`,
  (code) => `bash -c ${double(code)}`,
  (code) => `eval ${single(code)}`,
  (code) => `eval ${double(code)}`,
  (code) => `sudo -n -- bash -c ${single(code)}`,
  (code) => `env A=1 timeout 5 bash -c ${single(code)}`,
  (code) => `find . -exec bash -c ${single(code)} \\;`,
  (code) => `xargs -n 1 bash -c ${single(code)}`,
  (code) => `ssh host ${single(code)}`,
  (code) => `trap ${single(code)} EXIT`,
  (code) => `git -c alias.x=${single(`!${code}`)} x`,
  (code) => `bash <<'END_OF_IT'\n${code}\nEND_OF_IT\n`,
];

const inert: readonly Context[] = [
  (code) => `: ${single(code)}`,
  (code) => `: ${double(code)}`,
  (code) => `: # ${code.replaceAll('\n', ' ')}`,
  (code) => `: <<'END_OF_TEXT'\n${code}\nEND_OF_TEXT\n`,
  (code) => `grep ${single(code)} file`,
];

const nested = (contexts: readonly Context[]) =>
  fc
    .array(fc.constantFrom(...contexts), { minLength: 1, maxLength: 5 })
    .map((path) => path.reduce((code, context) => context(code), `${MARKER} x`));

describe('a command hidden in nested constructs', () => {
  test('is never missed [C43] [P8]', () => {
    const seenOrDoubted = fc.property(nested(executing), (source) => sightOf(source) !== 'missed');
    const outcome = fc.check(seenOrDoubted, { numRuns: runs, ...seed });
    expect(outcome.counterexample).toBe(null);
  });

  test('is seen, not only doubted, in each construct by itself [C43]', () => {
    expect(executing.map((context) => context(MARKER)).filter((source) => sightOf(source) !== 'seen')).toEqual([]);
  });

  test('is not seen where it is only text [C43]', () => {
    const text = fc
      .tuple(fc.constantFrom(...inert), fc.constantFrom(...executing))
      .map(([quote, context]) => quote(context(MARKER)));
    fc.assert(
      fc.property(text, (source) => {
        return sightOf(source) !== 'seen';
      }),
      { numRuns: 500 },
    );
    expect(inert.map((quote) => sightOf(quote(MARKER)))).toEqual(inert.map(() => 'missed'));
  });
});

// Pieces of syntax that split a line in unusual ways.
const pieces = [
  MARKER,
  ' ',
  ';',
  '\n',
  '"',
  "'",
  '$(',
  ')',
  '`',
  '\\',
  '${x:-',
  '}',
  '$((',
  '))',
  '<(',
  '{ ',
  '; }',
  '(',
  '|',
  '&',
  '<<E\n',
  "<<'E'\n",
  '\nE\n',
  '<<<',
  '>',
  '>&',
  '#',
  "$'",
  '$"',
  'x=',
  'x=(',
  '[[ ',
  ' ]]',
  'f() ',
  ': ',
  '\\\n',
  '${x#',
  '${x/',
  '!',
  'time ',
  '~',
  '*',
  '@(',
  '{a,',
  '$x',
  '$[',
  ']',
  'x[',
  ']=',
  '\r',
  'esac',
  'done',
  'then ',
  'in ',
];

const mangled = fc
  .tuple(
    nested(executing.slice(0, 41)),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces), fc.nat(2)), { maxLength: 4 }),
  )
  .map(([source, edits]) =>
    edits.reduce((text, [seed, piece, cut]) => {
      const place = seed % (text.length + 1);
      return text.slice(0, place) + (cut === 0 ? piece : '') + text.slice(place + cut);
    }, source),
  );

test('nothing makes the parser throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        mangled,
        fc.string({ unit: 'binary' }),
        fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
      ),
      (source) => {
        expect(['parsed', 'unparsed']).toContain(parseCommand(source).type);
      },
    ),
    { numRuns: runs, ...seed },
  );
});

const sandbox = [
  '--ro-bind',
  '/',
  '/',
  '--tmpfs',
  '/tmp',
  '--dev',
  '/dev',
  '--unshare-all',
  '--die-with-parent',
  '--chdir',
  '/tmp',
];

// The oracle: what bash itself runs. Sandboxed, because the generated lines are unpredictable.
test.skipIf(bubblewrap === undefined)(
  `the parser predicts every program that bash runs${skipped} [C43] [P8]`,
  () => {
    const sources = fc
      .sample(mangled, { numRuns: runs / 4, seed: 1, ...seed })
      .filter((source) => !source.includes('\0'));
    const driver = [
      'export PATH=/nonexistent',
      `${MARKER}() { builtin echo HIT >&9; }; export -f ${MARKER}`,
      'i=0',
      "while IFS= read -r -d '' line <&7; do",
      '  builtin echo -n >/tmp/hit; n=0',
      '  /usr/bin/timeout -s KILL 2 /bin/bash -c "$line" 9>>/tmp/hit >/dev/null 2>&1 </dev/null',
      // Background processes may still report. A loop there would otherwise never end.
      '  while kill -0 -1 && [[ $n -lt 20 ]]; do /bin/sleep 0.02; n=$((n+1)); done 2>/dev/null',
      '  kill -KILL -1 2>/dev/null',
      '  [[ -s /tmp/hit ]] && builtin echo "$i"',
      '  i=$((i+1))',
      'done',
    ].join('\n');
    const run = ['exec 7<&0', driver].join('\n');
    const output = execFileSync(bubblewrap ?? '', [...sandbox, 'bash', '-c', run], {
      input: `${sources.join('\0')}\0`,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const executed = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => sources[Number(line)] ?? '');
    expect(executed.length).toBeGreaterThan(20);
    expect(executed.filter((source) => sightOf(source) === 'missed')).toEqual([]);
  },
);

test('each construct is valid bash, so that these tests test something', () => {
  expect(
    executing
      .map((context) => context(MARKER))
      .filter((source) => spawnSync('bash', ['-O', 'extglob', '-n', '-c', source]).status !== 0),
  ).toEqual([]);
}, 30_000);

describe('long input is read in time proportional to its length', () => {
  const size = 100_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length));
  test.each([
    ['a chain', fill('ls -l; ')],
    ['a pipe', `${fill('a | ')}b`],
    ['one long word', `echo ${fill('x')}`],
    ['one long quoted word', `echo '${fill('$(x) ')}'`],
    ['substitutions', `echo ${fill('$(a) ')}`],
    ['open parentheses', fill('(')],
    ['nested substitutions', `${fill('$(')}${fill(')')}`],
    ['open quotes', fill('"\'')],
    ['backticks', fill('`a` ')],
    ['a long sum', `echo $((${fill('1+')}1))`],
    ['sudo of sudo', fill('sudo ')],
    ['eval of eval', fill('eval ')],
    ['find with many actions', `find . ${fill('-exec a {} \\; ')}`],
    ['xargs of xargs', fill('xargs ')],
    ['here-documents', fill('cat <<E\nx\nE\n')],
    ['redirections', `a ${fill('>b ')}`],
    ['assignments', fill('a=1 ')],
    ['expansions in expansions', fill('${x:-')],
    ['braces', fill('{')],
    ['brackets', fill('[a')],
    ['old arithmetic', fill('$[ ')],
    ['backslashes', fill('\\')],
    ['git options', `git ${fill('-c alias.x=!a ')}`],
  ])('%s', (_name, source) => {
    // Processor time: on a busy machine the clock on the wall counts the work of others.
    const start = process.cpuUsage();
    parseCommand(source);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});
