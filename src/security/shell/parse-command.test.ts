import { describe, expect, test } from 'vitest';

import { parseCommand } from './parse-command.ts';
import type { Segment } from './segment.ts';

/** `via > text`, with `?` after opaque segments: the input of the permission check. */
function words(source: string): readonly string[] | string {
  const parsed = parseCommand(source);
  return parsed.type === 'unparsed' ? `unparsed: ${parsed.reason}` : parsed.segments.map(line);
}

function line(segment: Segment): string {
  return [...segment.via, segment.text].join(' > ') + (segment.opaque ? ' ?' : '');
}

test('a parsed command carries words, assignments, redirections, pipe and place [C43]', () => {
  expect(parseCommand(`A=1 B=$x sort "my file" *.txt < in 2>> log | tee $(name) > "$out" &`)).toEqual({
    type: 'parsed',
    segments: [
      {
        words: ['sort', 'my file', '*.txt'],
        dynamic: [2],
        text: "sort 'my file' *.txt",
        opaque: false,
        via: [],
        assignments: [
          { name: 'A', value: '1', dynamic: false },
          { name: 'B', value: '$x', dynamic: true },
        ],
        redirects: [
          { kind: 'read', target: 'in', dynamic: false },
          { kind: 'append', target: 'log', dynamic: false },
        ],
        background: true,
        pipe: { group: 0, stage: 0 },
      },
      {
        words: ['tee', '$(name)'],
        dynamic: [1],
        text: 'tee $(name)',
        opaque: false,
        via: [],
        assignments: [],
        redirects: [{ kind: 'write', target: '$out', dynamic: true }],
        background: true,
        pipe: { group: 0, stage: 1 },
      },
      {
        words: ['name'],
        dynamic: [],
        text: 'name',
        opaque: false,
        via: ['command-substitution'],
        assignments: [],
        redirects: [],
        background: true,
        within: 1,
      },
    ],
  });
});

describe('every construct gives up its commands [C43] [P8]', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['# only a comment', []],
    ['ls; rm -rf /', ['ls', 'rm -rf /']],
    ['a && b || c | d |& e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['(a; b) && { c; }', ['subshell > a', 'subshell > b', 'c']],
    ['echo $(a) `b`', ['echo $(a) `b`', 'command-substitution > a', 'command-substitution > b']],
    [
      'echo "x $(a "$(b)")"',
      ['echo "x $(a "$(b)")"', 'command-substitution > a $(b)', 'command-substitution > command-substitution > b'],
    ],
    ['cat <<E\n$(a) `b`\nE', ['cat', 'command-substitution > a', 'command-substitution > b']],
    ["cat <<'E'\n$(a)\nE", ['cat']],
    [
      'echo $(( $(a) + x[$(b)] ))',
      ['echo "$(( $(a) + x[$(b)] ))"', 'command-substitution > a', 'command-substitution > b'],
    ],
    ['X=$(a) b', ['b', 'command-substitution > a']],
    ['X=1', ['']],
    ['> f', ['']],
    [
      'echo ${x:-$(a)} "${y/$(b)/`c`}"',
      [
        'echo ${x:-$(a)} ${y/$(b)/`c`}',
        'command-substitution > a',
        'command-substitution > b',
        'command-substitution > c',
      ],
    ],
    ['diff <(a) >(b)', ['diff <(a) >(b)', 'process-substitution > a', 'process-substitution > b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in $(a); do b; done; select y in q; do c; done', ['command-substitution > a', 'b', 'c']],
    ['for ((i=$(a); i<3; i++)); do b; done', ['command-substitution > a', 'b']],
    ['case $(a) in x) b;; *) c;; esac', ['command-substitution > a', 'b', 'c']],
    ['f() { a; }; f', ['function f > a', 'f']],
    ['function g { a; } > $(b)', ['function g > ', 'function g > a', 'function g > command-substitution > b']],
    ['time a; ! b; coproc c', ['a', 'b', 'coproc > c']],
    ['[[ -n $(a) ]] && (( $(b) ))', ['[[', 'command-substitution > a', '((', 'command-substitution > b']],
    ['a <<< "$(b)"', ['a', 'command-substitution > b']],
    ['arr=(1 $(a))', ['', 'command-substitution > a']],
    ["r\\m x; $'\\x72m' y; \"r\"'m' z", ['rm x', 'rm y', 'rm z']],
    ['{ a; } > f', ['', 'a']],
  ])('%j', (source, expected) => {
    expect(words(source)).toEqual(expected);
  });
});

describe('wrappers give up the command inside [C43] [P8]', () => {
  test.each<[string, readonly string[]]>([
    ['sudo -u bob -E A=1 rm x', ['sudo -u bob -E A=1 rm x', 'sudo > rm x']],
    ['sudo --user=bob -- rm x', ['sudo --user=bob -- rm x', 'sudo > rm x']],
    ['doas -u bob rm x', ['doas -u bob rm x', 'doas > rm x']],
    ['env -i A=1 -u B rm x', ['env -i A=1 -u B rm x', 'env > -u B rm x ?']],
    ['env -u B A=1 rm x', ['env -u B A=1 rm x', 'env > rm x']],
    ["env -S 'rm x'", ["env -S 'rm x'", 'env -S > rm x']],
    [
      'nice -n 5 nohup timeout -k 1 10 rm x',
      [
        'nice -n 5 nohup timeout -k 1 10 rm x',
        'nice > nohup timeout -k 1 10 rm x',
        'nice > nohup > timeout -k 1 10 rm x',
        'nice > nohup > timeout > rm x',
      ],
    ],
    [
      'stdbuf -oL setsid -f ionice -c3 rm x',
      [
        'stdbuf -oL setsid -f ionice -c3 rm x',
        'stdbuf > setsid -f ionice -c3 rm x',
        'stdbuf > setsid > ionice -c3 rm x',
        'stdbuf > setsid > ionice > rm x',
      ],
    ],
    ['chroot /x rm y', ['chroot /x rm y', 'chroot > rm y']],
    ['unshare -r rm y', ['unshare -r rm y', 'unshare > rm y']],
    ['ls | xargs -n1 rm', ['ls', 'xargs -n1 rm', 'xargs > rm {}']],
    ['xargs -I% sh -c "rm %"', ["xargs -I% sh -c 'rm %'", 'xargs > sh -c "rm %" ?', 'xargs > sh -c > rm %']],
    [
      'find . -name x -exec rm {} \\; -execdir cp {} y +',
      ["find . -name x -exec rm {} ';' -execdir cp {} y +", 'find -exec > rm {}', 'find -execdir > cp {} y +'],
    ],
    ["bash -c 'a; b'", ["bash -c 'a; b'", 'bash -c > a', 'bash -c > b']],
    ["bash -euo pipefail -lc 'a' arg", ['bash -euo pipefail -lc a arg', 'bash -c > a']],
    ['/bin/sh -c \'bash -c "a"\'', ['/bin/sh -c \'bash -c "a"\'', 'sh -c > bash -c a', 'sh -c > bash -c > a']],
    ['zsh -c a', ['zsh -c a ?', 'zsh -c > a']],
    ["sh -c '[[ a && rm ]]'", ["sh -c '[[ a && rm ]]' ?", 'sh -c > [[']],
    ['bash <<< "a; b"', ['bash', 'bash << > a', 'bash << > b']],
    ["bash <<'E'\na\nE", ['bash', 'bash << > a']],
    ['echo a | sh', ['echo a', 'sh ?']],
    ['bash script.sh', ['bash script.sh']],
    ['bash "$x"', ['bash $x ?']],
    ["eval 'a;' b", ["eval 'a;' b", 'eval > a', 'eval > b']],
    ['eval "$x"', ['eval $x ?', 'eval > $x ?']],
    ['exec -a n rm x', ['exec -a n rm x', 'exec > rm x']],
    [
      'command -p rm x; builtin cd y; command -v rm',
      ['command -p rm x', 'command > rm x', 'builtin cd y', 'builtin > cd y', 'command -v rm'],
    ],
    ["watch -n 1 'a; b'", ["watch -n 1 'a; b'", 'watch > a', 'watch > b']],
    ['parallel rm {} ::: a b', ['parallel rm {} ::: a b ?', 'parallel > rm {}']],
    ["ssh -p 2 host 'a; b'", ["ssh -p 2 host 'a; b'", 'ssh > a', 'ssh > b']],
    ['ssh -o ProxyCommand=evil host', ['ssh -o ProxyCommand=evil host ?']],
    ["su bob -c 'a'", ['su bob -c a', 'su -c > a']],
    ["script -qc 'a' /dev/null", ['script -qc a /dev/null', 'script -c > a']],
    ["git -c alias.x='!a; b' x", ["git -c 'alias.x=!a; b' x", 'git -c > a', 'git -c > b']],
    [
      "git submodule foreach --recursive 'a; b'",
      ["git submodule foreach --recursive 'a; b'", 'git submodule foreach > a', 'git submodule foreach > b'],
    ],
    ['git rebase -x "a" main', ['git rebase -x a main', 'git -x > a']],
    ['git bisect run a b', ['git bisect run a b', 'git bisect run > a b']],
    ['npx -y rimraf x', ['npx -y rimraf x', 'npx > rimraf x']],
    ["npm exec -c 'a; b'", ["npm exec -c 'a; b'", 'npm exec -c > a', 'npm exec -c > b']],
    ['source ./x; . "$y"', ['source ./x', '. $y ?']],
    [
      "trap 'a; b' EXIT; trap - INT; trap '' TERM",
      ["trap 'a; b' EXIT", 'trap > a', 'trap > b', 'trap - INT', "trap '' TERM"],
    ],
    ["alias x='a; b'", ["alias 'x=a; b'", 'alias > a', 'alias > b']],
    ["mapfile -C 'a' -c 1 v", ['mapfile -C a -c 1 v', 'mapfile -C > a']],
    ['docker run x', ['docker run x ?']],
    ['sudo A=1 -u bob rm x', ['sudo A=1 -u bob rm x', 'sudo > -u bob rm x ?']],
    ['sudo --frobnicate rm x', ['sudo --frobnicate rm x ?', 'sudo > rm x']],
    ["bash -c 'if'", ['bash -c if ?']],
    ['$cmd x', ['$cmd x ?']],
    ['{rm,-rf,/}', ['{rm,-rf,/} ?']],
    ['~/bin/tool x', ['~/bin/tool x']],
    ['PROMPT_COMMAND=x ls', ['ls ?']],
    ['awk \'BEGIN { system("x") }\'', ['awk \'BEGIN { system("x") }\' ?']],
    ['tar cf x --checkpoint-action=exec=y z', ['tar cf x --checkpoint-action=exec=y z ?']],
    ['python3 - <<E\nprint(1)\nE', ['python3 - ?']],
  ])('%j', (source, expected) => {
    expect(words(source)).toEqual(expected);
  });
});

describe('text that is not executed is not a command [C43]', () => {
  test.each<[string, readonly string[]]>([
    ['echo "rm -rf /"', ["echo 'rm -rf /'"]],
    ["echo 'a; rm -rf / && $(b)'", ["echo 'a; rm -rf / && $(b)'"]],
    ["grep 'sudo' f", ['grep sudo f']],
    ['confirm', ['confirm']],
    ['ls # rm -rf /', ['ls']],
    ['echo \\$\\(rm\\) \\`rm\\`', ["echo '$(rm)' '`rm`'"]],
    ['echo "\\$(rm) \\`rm\\`"', ["echo '$(rm) `rm`'"]],
    ["cat <<'E' > f\nrm -rf / $(rm)\nE", ['cat']],
    ['cat <<E\nrm -rf /\nE', ['cat']],
    ["echo $'a\\n$(rm)'", ["echo 'a\n$(rm)'"]],
    ['echo a#b', ["echo 'a#b'"]],
    [
      'git commit -m "$(cat <<\'E\'\nfix `x` and $(y)\nE\n)"',
      ["git commit -m 'fix `x` and $(y)'", 'command-substitution > cat'],
    ],
    ["git commit -m 'remove `x`; rm -rf dist'", ["git commit -m 'remove `x`; rm -rf dist'"]],
    ["sed 's/;/\\n/' f", ["sed 's/;/\\n/' f"]],
    ["awk '{print $1}' f", ["awk '{print $1}' f"]],
    ['[[ $a =~ ^(b|c)$ ]]', ['[[']],
    ['echo 1 | python3 script.py', ['echo 1', 'python3 script.py']],
  ])('%j', (source, expected) => {
    expect(words(source)).toEqual(expected);
  });
});

describe('ambiguous input is unparsed [C43] [P8]', () => {
  test.each([
    ['if', "expected 'then'"],
    ['echo "abc', 'unterminated double quote'],
    ['$(', 'unterminated command substitution'],
    ['a ) b', "unexpected token ')'"],
    ['a\0b', 'contains a NUL byte'],
    ["cat <<E\n${x:-'$(rm)'}\nE", "quotes that may not protect: '$(rm)'"],
    ['echo (a', 'the parser skipped " ("'],
    ['echo $\\\n-', 'unexpected syntax in a plain word: $\\\n-'],
    ['echo $(a <<E\nx\nE\nb <<E\ny\nE\n)', 'several here-documents in one substitution'],
    ['cat << "$(rm)"\n$(rm)', 'a here-document has code as its delimiter'],
    [': <<E\n$(rm\nE\n', 'an expansion without its end'],
    [': <<E\n${x:-`rm\nE\n', 'an expansion without its end'],
    [': "$(: <<E\n$(( bash <<\'E\'\nrm\nE\n\n)\n)\nE\n\n)"', 'an expansion without its end'],
    ['echo "`a \\"; rm\\"`"', 'an escaped quote in backticks'],
    ['((rm); (rm))', '(( may or may not start arithmetic'],
    ['echo $((rm); rm)', '$(( may or may not start arithmetic'],
    ['x=(1 $(rm))y', 'unexpected syntax in a plain word: (1 $(rm))y'],
    [": >&'$(rm)'", 'the target of >& can run as code'],
    ["x['$(rm)']=1", 'a quoted array subscript can run as code'],
    ["f 'a[$(rm)]'", 'a quoted array subscript can run as code'],
    ["x='a['; y='$(rm)]'; ((${x}${y}))", 'quoted code next to arithmetic, which could run it'],
    ["x='$(rm)'; echo ${x@P}", 'a prompt expansion runs the value of a variable'],
  ])('%j', (source, reason) => {
    expect(words(source)).toBe(`unparsed: ${reason}`);
  });
});

test('a message in a quoted here-document is text for git commit, and nowhere else [C43]', () => {
  const message = (start: string, delimiter = "'EOF'") => `${start} "$(cat <<${delimiter}\na $b\n\nc\nEOF\n)"`;
  const words = (command: string) => {
    const parsed = parseCommand(command);
    return parsed.type === 'parsed' ? parsed.segments.map((segment) => [segment.words, segment.dynamic]) : parsed;
  };
  expect(words(message('git commit -am'))).toEqual([
    [['git', 'commit', '-am', 'a $b\n\nc'], []],
    [['cat'], []],
  ]);
  const isKnown = (command: string) => JSON.stringify(words(command)).includes('"a $b\\n\\nc"');
  expect(
    [
      message('bash -c'),
      message('git'),
      message('git commit'),
      message('git commit -m', 'EOF'),
      message('git commit -m').replace('cat', './cat'),
      message('git commit -m').replace('cat', 'cat x'),
      message('git commit -m x'),
    ].map(isKnown),
  ).toEqual(Array.from({ length: 7 }, () => false));
});

test('for sh, what only bash reads this way is unparsed [C43]', () => {
  expect(parseCommand('[[ a && rm ]]', { shell: 'sh' })).toEqual({
    type: 'unparsed',
    reason: '[[ ]] means something else in sh',
    at: 0,
  });
});
