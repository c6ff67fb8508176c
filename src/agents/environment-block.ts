/** Facts about where a session runs. They change, so they stand at the end of the system text. */
export interface EnvironmentFacts {
  readonly cwd: string;
  readonly platform: string;
  /** The day, as `YYYY-MM-DD`. A time of day would change the prompt with every request. */
  readonly date: string;
  readonly gitBranch?: string;
  /** Folders the session may touch, where they are more than `cwd`. */
  readonly roots?: readonly string[];
  /** Further facts, by name. */
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

/** Names of folders and branches are data: one line each, and no tag that would end the block. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll('</', '<\\/');
}
