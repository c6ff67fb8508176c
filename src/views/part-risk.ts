/**
 * How bad one part of a command could be, for the order in which people read it. It never decides whether
 * something may run: the gate does, from facts.
 */
export interface PartRisk {
  /** 0 where nothing is known against it; 3 can't be undone. */
  readonly level: 0 | 1 | 2 | 3;
  /** What it does, after its text. */
  readonly effect?: string;
}

/** What is known of a part besides its text. */
export interface PartFacts {
  readonly text: string;
  readonly opaque?: boolean;
  /** Reasons why the gate calls it dangerous. */
  readonly dangers: readonly string[];
}

export function partRisk({ text, opaque, dangers }: PartFacts): PartRisk {
  const known = knownRisk(text);
  const [danger] = dangers;
  if (danger !== undefined) return { level: 3, effect: danger };
  if (opaque === true && known.level < 3) return { level: 3, effect: 'runs code that can’t be read beforehand' };
  return known;
}

/** The first of the worst; undefined where there is no part. */
export function worstPart<Part extends PartFacts>(parts: readonly Part[]): Part | undefined {
  let worst: Part | undefined;
  for (const part of parts) {
    if (worst === undefined || partRisk(part).level > partRisk(worst).level) worst = part;
  }
  return worst;
}

function knownRisk(text: string): PartRisk {
  const found = shapes.find(({ shape }) => shape.test(text));
  return found === undefined ? { level: 0 } : { level: found.level, effect: found.effect };
}

/** A program at the beginning, with or without its folder. */
const program = (names: string) => `^(?:\\S*/)?(?:${names})(?=\\s|$)`;

const shapes: readonly { readonly shape: RegExp; readonly level: 1 | 2 | 3; readonly effect: string }[] = [
  {
    shape: new RegExp(`${program('rm|rmdir|unlink|shred|srm|rimraf|del|git rm|git clean')}|\\s-delete(?=\\s|$)`),
    level: 3,
    effect: 'deletes files',
  },
  {
    shape: new RegExp(
      program('git push|git send-email|(?:npm|pnpm|yarn|cargo|gem|twine|docker) (?:publish|push|upload)'),
    ),
    level: 3,
    effect: 'sends work to others',
  },
  {
    shape: new RegExp(program('git (?:reset|checkout|restore|stash|rebase|filter-branch|gc|reflog|update-ref)')),
    level: 3,
    effect: 'can discard work in the repository',
  },
  { shape: new RegExp(program('dd|mkfs\\S*|fdisk|parted|wipefs|truncate')), level: 3, effect: 'overwrites data' },
  { shape: new RegExp(program('sudo|su|doas|pkexec')), level: 3, effect: 'runs as another user' },
  {
    shape: new RegExp(program('kill|pkill|killall|shutdown|reboot|systemctl')),
    level: 2,
    effect: 'stops processes',
  },
  {
    shape: new RegExp(program('curl|wget|ssh|scp|rsync|sftp|ftp|nc|ncat|telnet|socat')),
    level: 2,
    effect: 'uses the network',
  },
  {
    shape: new RegExp(
      program(
        '(?:npm|pnpm|yarn|bun|pip|pip3|gem|cargo|go|brew|apt|apt-get) (?:i|ci|install|add|get|update|upgrade)',
      ),
    ),
    level: 2,
    effect: 'downloads packages and can run their scripts',
  },
  {
    shape: new RegExp(program('chmod|chown|chgrp|mv|cp|ln|install|tee|patch')),
    level: 1,
    effect: 'changes files',
  },
];
