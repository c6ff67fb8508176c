/** Command lines generated from a seed: everyday ones with a harmful addition, in all the ways bash allows. */

export interface Random {
  /** A number below the limit. */
  below(limit: number): number;
  of<Item>(items: readonly Item[]): Item;
  chance(percent: number): boolean;
}

/** The same seed gives the same lines (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    of: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    chance: (percent) => below(100) < percent,
  };
}

export interface Seeds {
  readonly everyday: readonly string[];
  readonly attacks: readonly string[];
}

export function commandLine(random: Random, seeds: Seeds): string {
  const parts = Array.from({ length: random.chance(70) ? 1 : 1 + random.below(3) }, () => simple(random, seeds));
  const joined = parts.reduce((line, part) => `${line}${random.of(JOINS)}${part}`);
  const wrapped = random.chance(8) ? random.of(WRAPPERS)(joined) : joined;
  return random.chance(12) ? mangled(wrapped, random) : wrapped;
}

function simple(random: Random, seeds: Seeds): string {
  const kind = random.below(10);
  const base =
    kind < 5
      ? random.of(seeds.everyday)
      : kind < 6
        ? random.of(seeds.attacks)
        : `${random.of(PROGRAMS)} ${words(random, 1 + random.below(3))}`;
  const prefix = random.chance(8) ? `${random.of(ASSIGNMENTS)} ` : '';
  const more = random.chance(35) ? ` ${words(random, 1 + random.below(2))}` : '';
  const redirect = random.chance(10) ? ` ${random.of(REDIRECTS)}` : '';
  return `${prefix}${base}${more}${redirect}`;
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () =>
    random.chance(50) ? option(random) : quoted(random.of(OPERANDS), random),
  ).join(' ');
}

function option(random: Random): string {
  if (random.chance(50)) return random.of(OPTIONS);
  const letter = random.of(Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'));
  return random.chance(60) ? `-${letter}` : `-${letter}${random.of(Array.from('rnioOfeEcdxDuVz'))}`;
}

function quoted(word: string, random: Random): string {
  switch (random.below(8)) {
    case 0:
      return `'${word}'`;
    case 1:
      return `"${word}"`;
    case 2:
      return word.replace(/^(.)/, '\\$1');
    default:
      return word;
  }
}

/** Inserts or removes pieces of syntax anywhere. */
function mangled(line: string, random: Random): string {
  const place = random.below(line.length + 1);
  return line.slice(0, place) + random.of(PIECES) + line.slice(place + random.below(3));
}

const JOINS = [' && ', '; ', ' | ', ' || ', ' & ', '\n', ' |& '];
const PROGRAMS =
  'ls cat head tail wc pwd echo stat realpath basename dirname du cut tr nl uniq sort diff cmp sha256sum which sed grep rg find date true cd node python3 git npm rm touch cp mv tee env xargs printf read test'.split(
    ' ',
  );
const OPTIONS =
  '-la -n -r -rn -o --output=marker --output marker -delete -exec -fprint -fprintf -name -type --pre=./evil.sh -f --files0-from=list --compress-program=./evil.sh -i --in-place -c core.fsmonitor=./evil.sh -O./evil.sh --ext-diff --upload-pack=./evil.sh --upload-pa=./evil.sh --no-index --textconv -e 1 --eval=1 --require ./evil.js --version -- - + {} ; --color=always --include=.env --exclude=* -R -L -H --hidden -uu --follow=name --retry -s -z -m1 -A2 --regexp=KEY --no-config --script-shell=./evil.sh --config evil --git-dir=evil --work-tree=/ -p -T -S --test -m -b -c'.split(
    ' ',
  );
const OPERANDS = [
  'names.txt',
  'README.md',
  'src',
  'src/main.ts',
  'src/*.ts',
  '*',
  '*.txt',
  '.en*',
  '.env',
  '.*',
  './.env',
  'link.txt',
  'link*',
  'out',
  'out/secret.txt',
  '../outside/secret.txt',
  '..',
  '/',
  '/etc/passwd',
  '~',
  '~/.ssh/id_rsa',
  '~/.rondo/token',
  '$HOME/.rondo/token',
  '/proc/self/environ',
  '/pro?/self/environ',
  './evil.sh',
  'evil.sh',
  'marker',
  '.git/config',
  '.git/hooks/pre-commit',
  'KEY',
  '1,3p',
  '1e./evil.sh',
  'w marker',
  's/a/b/e',
  '-rf',
  'pipe',
  'missing',
  '$(./evil.sh)',
  '`./evil.sh`',
  '<(./evil.sh)',
  '$x',
  '${x:-./evil.sh}',
  '{a,b}',
  '$?',
  '--include=*.ts',
  '--include=.en*',
  '--output=*',
  '[a-z]*',
  'HEAD',
  'main',
  '',
];
const ASSIGNMENTS = [
  'PATH=./evil:$PATH',
  'HOME=./evil',
  'GIT_DIR=evil',
  'GIT_TRACE=$PWD/marker',
  'GIT_EXTERNAL_DIFF=./evil.sh',
  'LC_ALL=C',
  'CI=1',
  'x=1',
  'BASH_ENV=./evil.sh',
  'GREP_OPTIONS=-f',
  'NODE_OPTIONS=--require=./evil.js',
  'npm_config_script_shell=./evil.sh',
  'LD_PRELOAD=./evil.so',
];
const REDIRECTS = [
  '> marker',
  '>> names.txt',
  '2>/dev/null',
  '2>&1',
  '< .env',
  '> /dev/null',
  '&> marker',
  '<<< ./evil.sh',
  '2> marker',
  '>| out.txt',
  '> ~/x',
];
const WRAPPERS: readonly ((line: string) => string)[] = [
  (line) => `( ${line} )`,
  (line) => `{ ${line}; }`,
  (line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `timeout 5 ${line}`,
  (line) => `env ${line}`,
  (line) => `if ${line}; then :; fi`,
  (line) => `for PATH in ./evil; do ${line}; done`,
  (line) => `f() { ${line}; }; f`,
  (line) => `eval "${line.replaceAll(/["$`\\]/g, '\\$&')}"`,
  (line) => `printf -v PATH ./evil; ${line}`,
  (line) => `export GIT_DIR=evil; ${line}`,
  (line) => `cd src && ${line}`,
  (line) => `time ${line}`,
  (line) => `! ${line}`,
  (line) => `git commit -m "$(cat <<'EOF'\n${line}\nEOF\n)"`,
  (line) => `git commit -m "$(cat <<EOF\n${line}\nEOF\n)"`,
  (line) => `cat() { ./evil.sh; }; git commit -m "$(cat <<'EOF'\n${line}\nEOF\n)"`,
  (line) => `bash -c "$(cat <<'EOF'\n${line}\nEOF\n)"`,
  (line) => `${line}; echo "exit $?"`,
  (line) => `${line}; exit \${PIPESTATUS[0]}`,
  (line) => `cd .. && ${line}`,
];
const PIECES = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '\\',
  ';',
  '|',
  '&',
  '<',
  '>',
  '\n',
  '#',
  '$',
  '{',
  '}',
  '*',
  '?',
  '[',
  ']',
  '~',
  '!',
  '\t',
  '\u200B',
  '\r',
  '\0',
  '=',
  '--',
  './evil.sh',
  '$(./evil.sh)',
];
