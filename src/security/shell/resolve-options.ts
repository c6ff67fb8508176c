// Expands abbreviated long options. GNU programs, git and npm accept any unambiguous prefix of a long option:
// `--upload-pa=x` is `--upload-pack=x` and `--outp` is `--output`.
//
// Only options that make a command do more are listed. Rules, dangers and grants look for them.
import { programName, type ShellWord } from './shell-word.ts';

/** The words as the program reads them. Words known only at run time stay as written. */
export function resolveOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  const listed = RAISING_LONG.get(programName(words[0]));
  if (listed === undefined) return words;
  const end = words.findIndex((word) => word.text === '--');
  return words.map((word, index) => {
    const isOption = index > 0 && (end === -1 || index < end) && /^--[a-z]/.test(word.text);
    return isOption ? { ...word, text: inFull(word.text, listed) } : word;
  });
}

/** The word after the program that makes it do more than usual. */
export function raisingWord(words: readonly string[]): string | undefined {
  const program = programName(words[0]);
  const long = RAISING_LONG.get(program) ?? [];
  const other = RAISING_WORDS.get(program);
  const end = words.indexOf('--');
  return words.find((word, index) => {
    if (index === 0 || isNewBranch(words, index)) return false;
    if (other?.test(word) === true) return true;
    if (end !== -1 && index > end) return false;
    return word.startsWith('--') && long.includes(word.slice(2).replace(/=.*/s, ''));
  });
}

/** `git switch -c` names a branch; before a subcommand, `-c` is a setting. */
function isNewBranch(words: readonly string[], index: number): boolean {
  return programName(words[0]) === 'git' && words[1] === 'switch' && index > 1 && words[index] === '-c';
}

function inFull(text: string, listed: readonly string[]): string {
  const [, given = '', rest = ''] = /^--([^=]*)(.*)$/s.exec(text) ?? [];
  if (given.length < 2 || listed.includes(given) || IN_FULL_ALREADY.has(given)) return text;
  const meant = listed.find((name) => name.startsWith(given));
  return meant === undefined ? text : `--${meant}${rest}`;
}

/** Complete names of harmless options that are also a prefix of a listed one. */
const IN_FULL_ALREADY: ReadonlySet<string> = new Set(['text', 'file', 'config', 'no', 'script', 'exec', 'files']);

const names = (text: string): readonly string[] => text.split(' ');

const GIT = names(
  'upload-pack receive-pack exec output open-files-in-pager ext-diff textconv extcmd exec-path config-env git-dir ' +
    'work-tree force force-with-lease force-if-includes mirror delete prune no-verify hard discard-changes gpg-sign ' +
    'show-signature template separate-git-dir recurse-submodules tree-filter index-filter env-filter msg-filter ' +
    'commit-filter parent-filter tag-name-filter pathspec-from-file no-index super-prefix namespace attr-source',
);
const PACKAGES = names(
  'script-shell shell node-options prefix dir cwd userconfig globalconfig registry location globaldir cache ' +
    'ignore-scripts call eval require modules-folder config-dir shell-mode git init-module editor viewer',
);

const RAISING_LONG: ReadonlyMap<string, readonly string[]> = new Map([
  ['git', GIT],
  ...['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx'].map((name) => [name, PACKAGES] as const),
  ['sort', names('output compress-program temporary-directory files0-from random-source')],
  ['grep', names('file exclude-from')],
  ['rg', names('pre hostname-bin search-zip file ignore-file')],
  ['wc', names('files0-from')],
  ['du', names('files0-from exclude-from')],
  ['tail', names('follow retry pid')],
  ['sed', names('in-place file expression')],
  ['date', names('set file reference')],
  ['split', names('filter')],
  ['shuf', names('output random-source')],
  [
    'tar',
    names(
      'use-compress-program checkpoint-action to-command info-script new-volume-script rsh-command rmt-command directory file remove-files absolute-names',
    ),
  ],
  ['rsync', names('rsh rsync-path delete remove-source-files files-from password-file')],
  [
    'curl',
    names(
      'output upload-file data data-binary data-raw data-urlencode form json config output-dir remote-name netrc-file proxy cookie-jar dump-header trace trace-ascii unix-socket next engine',
    ),
  ],
  [
    'wget',
    names(
      'output-document post-file post-data body-file body-data use-askpass execute output-file config directory-prefix input-file',
    ),
  ],
  ['make', names('eval file makefile directory include-dir environment-overrides')],
  ['env', names('split-string chdir unset ignore-environment')],
  ['xargs', names('arg-file')],
  ['cp', names('target-directory remove-destination force')],
  ['mv', names('target-directory force')],
  ['ln', names('target-directory force')],
  ['diff', names('to-file from-file')],
  ['patch', names('output directory reject-file input')],
  ['touch', names('reference')],
  ['chmod', names('reference recursive')],
  ['file', names('compile magic-file files-from')],
  ['cargo', names('config manifest-path target-dir')],
]);

/** Other words with this effect: single-dash options, expressions, make assignments. */
const RAISING_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls|files0-from)$/],
  ['sort', /^-[a-zA-Z]*[oTS]/],
  ['git', /^-(?:O.*|c.*|C|[a-zA-Z]*[fD])$|^[+:]\S|^ext::/],
  ['npm', /^-(?:C|c)$/],
  ['pnpm', /^-C$/],
  ['make', /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)\W|^-[a-zA-Z]*[fCEIe]/],
  ['gmake', /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)\W|^-[a-zA-Z]*[fCEIe]/],
  ['go', /^--?(?:exec|toolexec|vettool|overlay|modfile|C|o|pkgdir|gccgoflags|ldflags|gcflags|asmflags)(?:=|$)/],
  ['cargo', /^-(?:Z|C)/],
  ['sed', /^-[a-zA-Z]*[ifs]/],
  ['grep', /^-[a-zA-Z]*f/],
  ['rg', /^-[a-zA-Z]*[fz]/],
  ['tail', /^-[a-zA-Z]*[fF]/],
  ['curl', /^-[a-zA-Z]*[oOTdFKDcxJ]/],
  ['wget', /^-[a-zA-Z]*[OPoiae]/],
  ['tar', /^-[a-zA-Z]*[IFCP]/],
  ['date', /^-[a-zA-Z]*[sfr]/],
  ['chmod', /^-[a-zA-Z]*R/],
  ['tsc', /^--?(?:outDir|outFile|declarationDir|tsBuildInfoFile|project|p|build|b|init)$/],
  ['pytest', /^(?:-[pco]|--(?:rootdir|basetemp|confcutdir|junitxml|override-ini))/],
  [
    'node',
    /^(?:-[erp]|--(?:eval|require|import|loader|experimental-loader|print|env-file|inspect|build-sea|test-reporter-destination|cpu-prof-dir|diagnostic-dir|redirect-warnings|report-dir|trace-event-file-pattern))/,
  ],
]);
