/** Facts about a session's environment. They change, so they come last in the system prompt. */
export interface EnvironmentFacts {
  readonly cwd: string;
  readonly platform: string;
  /** The date as `YYYY-MM-DD`. A time would change the prompt with every request. */
  readonly date: string;
  readonly gitBranch?: string;
  /** Folders the session may touch, if more than `cwd`. */
  readonly roots?: readonly string[];
  /** Additional facts by name. */
  readonly other?: Readonly<Record<string, string>>;
}

export function environmentBlock(facts: EnvironmentFacts): string {
  const lines = [
    ['Working folder', facts.cwd],
    ...(facts.roots ?? []).map((root) => ['Folder', root]),
    ['Platform', facts.platform],
    ['Date', facts.date],
    ['Git branch', facts.gitBranch],
    ...Object.entries(facts.other ?? {}),
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${oneLine(name ?? '')}: ${oneLine(value)}`]));
  return ['<environment>', ...lines, '</environment>'].join('\n');
}

/** Folder and branch names are data: one line each, and no tag that would close the block. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll('</', '<\\/');
}
