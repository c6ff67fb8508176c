import type { ShellWord } from './shell-word.ts';

/** The argument that makes an otherwise ordinary program start other programs. */
export function argumentThatRuns(program: string, words: readonly ShellWord[]): string | undefined {
  const pattern = RUNNING_ARGUMENTS.get(program);
  return pattern === undefined ? undefined : words.slice(1).find((word) => pattern.test(word.text))?.text;
}

const AWK = /\bsystem\s*\(|\|\s*&?\s*["a-z]|["\w]\s*\|\s*&?\s*getline|@load/;
// The `e` command and flag of GNU sed run a command. The redirection rules cover `w` and `r` of /dev paths.
const SED = /^(?:[\d$,/]*\s*e(?:\s|$)|.*;\s*[\d$,]*e\s|s(.).*\1.*\1[gpiIm\d]*e)|\n\s*[\d$,]*e\s/;
const EDITOR = /^(?:-c|-S|-s|-es?|--cmd|\+)/;

const RUNNING_ARGUMENTS: ReadonlyMap<string, RegExp> = new Map([
  ['awk', AWK],
  ['gawk', AWK],
  ['mawk', AWK],
  ['nawk', AWK],
  ['sed', SED],
  ['gsed', SED],
  ['vi', EDITOR],
  ['vim', EDITOR],
  ['nvim', EDITOR],
  ['view', EDITOR],
  ['ex', EDITOR],
  ['emacs', /^--?(?:eval|execute|script|batch|load|funcall|f|l)/],
  ['fd', /^(?:-[a-zA-Z]*[xX]|--exec)/],
  ['fdfind', /^(?:-[a-zA-Z]*[xX]|--exec)/],
  ['rg', /^--(?:pre|hostname-bin|search-zip)(?:=|$)/],
  [
    'tar',
    /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|checkpoint-action|to-command|info-script|new-volume-script|rsh-command|rmt-command))/,
  ],
  ['rsync', /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/],
  ['scp', /^-[a-zA-Z]*[oSF]/],
  ['sftp', /^-[a-zA-Z]*[oSFDb]/],
  ['make', /^(?:--eval|SHELL=|\.SHELLFLAGS=)/],
  ['gmake', /^(?:--eval|SHELL=|\.SHELLFLAGS=)/],
  ['go', /^-(?:exec|toolexec|vettool|overlay)/],
  ['cargo', /^--config/],
  ['sort', /^--compress-program/],
  ['split', /^--filter/],
  ['zip', /^(?:-TT|--unzip-command)/],
  ['man', /^(?:-[PH]|--pager|--html)/],
  ['less', /^\+/],
  ['tcpdump', /^-[a-zA-Z]*z/],
  ['ip', /^(?:netns|-b|-batch)/],
  ['crontab', /^-$/],
  ['sqlite3', /^\.(?:shell|system)|;\s*\.(?:shell|system)|^-cmd/],
  ['psql', /\\!|^(?:-f|--file)|to\s+program|from\s+program/i],
  ['mysql', /\\!|\bsystem\b/],
  ['gcc', /^-(?:wrapper|fplugin|B)/],
  ['ffmpeg', /^(?:concat|subfile):/],
  ['npm', /^(?:--script-shell|--shell|--node-options|set-script)/],
  ['openssl', /^-(?:engine|provider)/],
  ['wget', /^--use-askpass/],
  ['dpkg', /^--(?:pre-invoke|post-invoke)/],
  ['apt', /^-o/],
  ['apt-get', /^-o/],
]);
