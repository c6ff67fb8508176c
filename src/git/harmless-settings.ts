/**
 * The few repository settings that describe how files are stored and can't name programs, read without git. A
 * mistake in this reader causes a wrong display at most: the keys are listed here, values have a fixed shape, and
 * includes are ignored.
 */
export interface Setting {
  readonly section: string;
  readonly subsection?: string;
  readonly key: string;
  readonly value: string;
}

export function harmlessSettings(config: string): readonly Setting[] {
  return readSettings(config).filter(isHarmless);
}

/** Formats settings as a configuration file. Every value is quoted. */
export function settingsToText(settings: readonly Setting[]): string {
  return settings
    .map(({ section, subsection, key, value }) => {
      const head = subsection === undefined ? section : `${section} ${quoted(subsection)}`;
      return `[${head}]\n\t${key} = ${quoted(value)}\n`;
    })
    .join('');
}

const WORDS: Readonly<Record<string, RegExp>> = {
  'core.filemode': /^(?:true|false)$/i,
  'core.symlinks': /^(?:true|false)$/i,
  'core.ignorecase': /^(?:true|false)$/i,
  'core.precomposeunicode': /^(?:true|false)$/i,
  'core.autocrlf': /^(?:true|false|input)$/i,
  'core.eol': /^(?:lf|crlf|native)$/i,
  'core.sparsecheckout': /^(?:true|false)$/i,
  'core.sparsecheckoutcone': /^(?:true|false)$/i,
  'index.sparse': /^(?:true|false)$/i,
  'user.name': /^[^\p{Cc}]{1,250}$/u,
  'user.email': /^[^\p{Cc}]{1,250}$/u,
  'core.repositoryformatversion': /^[01]$/,
  'extensions.objectformat': /^(?:sha1|sha256)$/i,
  'extensions.refstorage': /^(?:files|reftable)$/i,
};

// Upstream tracking, which `git status` shows.
const FOLLOWING = new Set(['branch.remote', 'branch.merge', 'remote.fetch']);

function isHarmless({ section, subsection, key, value }: Setting): boolean {
  const name = `${section}.${key}`;
  if (subsection === undefined) return WORDS[name]?.test(value) === true;
  return FOLLOWING.has(name) && /^[^\p{Cc}]{1,250}$/u.test(value) && /^[^\p{Cc}]{1,250}$/u.test(subsection);
}

function readSettings(config: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section: string | undefined;
  let subsection: string | undefined;
  for (const line of config.replaceAll('\\\n', '').split('\n')) {
    const head = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head !== null) {
      section = (head[1] ?? '').toLowerCase();
      subsection = head[2]?.replace(/\\(.)/g, '$1');
    }
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*?))?\s*$/.exec(line.slice(head?.[0].length ?? 0));
    if (entry === null || section === undefined) continue;
    settings.push({
      section,
      ...(subsection !== undefined && { subsection }),
      key: (entry[1] ?? '').toLowerCase(),
      value: entry[2] === undefined ? 'true' : valueOf(entry[2]),
    });
  }
  return settings;
}

function valueOf(text: string): string {
  const whole = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (whole !== null) return (whole[1] ?? '').replace(/\\(.)/g, '$1');
  return text.replace(/\s*[#;].*$/, '').trim();
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
