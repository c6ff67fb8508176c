/**
 * Settings that let a repository's configuration start programs, and their overrides for a command that needs the
 * repository's own git folder.
 *
 * 1. Every key that names a program is overridden, whatever its scope. The overrides use GIT_CONFIG_COUNT because
 *    `-c` can't override names that contain `=`.
 * 2. A filter from the user's or the system's configuration stays, because committing without it corrupts the
 *    files. So does git-lfs with its standard settings. Any other filter is reported.
 */
export interface ConfigEntry {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

export interface ForeignFilter {
  readonly name: string;
  readonly command: string;
}

interface Overrides {
  readonly environment: Readonly<Record<string, string>>;
  /** Filters that the repository itself defines. They don't run. */
  readonly foreign: readonly ForeignFilter[];
}

/** Parses the output of `git config --list -z --show-scope`. */
export function readEntries(text: string): readonly ConfigEntry[] {
  const parts = text.split('\0');
  return parts.flatMap((scope, index) => {
    const entry = parts[index + 1];
    if (index % 2 === 1 || entry === undefined) return [];
    const end = entry.indexOf('\n');
    return [
      { scope, key: end === -1 ? entry : entry.slice(0, end), value: end === -1 ? 'true' : entry.slice(end + 1) },
    ];
  });
}

export function overridesFor(
  entries: readonly ConfigEntry[],
  options: {
    readonly hasLfs: boolean;
    readonly withFilters?: boolean;
    readonly withHooks?: boolean;
    readonly reachesOut?: boolean;
  },
): Overrides {
  const over = new Map<string, string>(options.withHooks === true ? [] : [['core.hooksPath', '/dev/null']]);
  for (const { key } of entries) {
    const neutral = neutralValue(key);
    if (neutral !== undefined) over.set(key, neutral);
  }
  const foreign: ForeignFilter[] = [];
  for (const key of new Set(entries.map((entry) => entry.key).filter((one) => FILTER.test(one)))) {
    const own = entries.findLast((entry) => entry.key === key && isPersons(entry));
    const used = entries.findLast((entry) => entry.key === key);
    if (used === undefined || used === own) continue;
    if (options.withFilters === true || (options.hasLfs && LFS.has(`${key}=${used.value}`))) continue;
    if (own !== undefined && own.value === used.value) continue;
    over.set(key, own?.value ?? '');
    if (own === undefined && used.value !== '')
      foreign.push({ name: key.replace(/^filter\.|\.[^.]*$/g, ''), command: used.value });
  }
  for (const { name } of foreign) over.set(`filter.${name}.required`, 'false');
  // The empty value among the overrides resets the list, so only the person's own helpers are left.
  const helpers =
    options.reachesOut === true ? entries.filter((one) => HELPER.test(one.key) && isPersons(one)) : [];
  const own = helpers.map(({ key, value }) => [key, value] as const);
  return { foreign, environment: environmentOf([...over, ...ALWAYS, ...own]) };
}

function environmentOf(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

export function isPersons({ scope }: Pick<ConfigEntry, 'scope'>): boolean {
  return scope === 'system' || scope === 'global';
}

const ALWAYS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['color.ui', 'false'],
  ['core.quotePath', 'false'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
  ['advice.detachedHead', 'false'],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['init.templateDir', ''],
];

/** For a git folder that Rondo wrote: the user's credential helpers and ssh command stay, hooks don't. */
export const remoteOverrides: Readonly<Record<string, string>> = {
  ...environmentOf([['core.hooksPath', '/dev/null'], ...ALWAYS.filter(([key]) => key !== 'credential.helper')]),
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
};

const HELPER = /^credential\.(?:.*\.)?helper$/is;

const FILTER = /^filter\..*\.(?:clean|smudge|process)$/is;

/** The settings that `git lfs install` writes. */
const LFS: ReadonlySet<string> = new Set([
  'filter.lfs.clean=git-lfs clean -- %f',
  'filter.lfs.smudge=git-lfs smudge -- %f',
  'filter.lfs.smudge=git-lfs smudge --skip -- %f',
  'filter.lfs.process=git-lfs filter-process',
  'filter.lfs.process=git-lfs filter-process --skip',
]);

function neutralValue(key: string): string | undefined {
  return NEUTRAL.find(([pattern]) => pattern.test(key))?.[1];
}

// An empty program fails to start, which is right for a command that shouldn't need it. An empty value resets a
// list.
const NEUTRAL: readonly (readonly [RegExp, string])[] = [
  [/^submodule\..*\.update$/is, 'checkout'],
  [/^remote\..*\.proxy$/is, ''],
  [/^hook\..*\.enabled$/is, 'false'],
  [/^core\.(?:sshcommand|editor|askpass|gitproxy|alternaterefscommand)$/is, ''],
  [/^(?:sequence\.editor|diff\.external|interactive\.difffilter|web\.browser|help\.browser)$/is, ''],
  [HELPER, ''],
  [
    /^(?:gpg|user|trailer|hook|uploadpack|receive|mergetool|difftool|browser|man|guitool|instaweb|sendemail)\..*(?:program|command|cmd|path|hook|browser|httpd|smtpserver|sendmailcmd|tocmd|cccmd)$/is,
    '',
  ],
  [/^diff\..*\.(?:command|textconv)$/is, ''],
  [/^merge\..*\.driver$/is, ''],
  [/^pager\./is, 'false'],
  [/^alias\./is, ''],
];
