/** Summarizes a folder: counts, kinds, marker files, the start of its README. */
import { failedCall } from '../failed-call.ts';
import { bullets, code, shortened } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callAll, type Plan, type CallResult, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed, readPage } from '../tool-output.ts';

export const overview: OfflineSkill = {
  name: 'look around',
  does: 'tell what is in this repository or a folder of it',
  examples: ['what is in this repository?', 'list the files in src/', 'give me an overview'],
  plan({ words, verb, path: named }) {
    const path = named ?? folderIn(words);
    const isFolder = path === undefined || path.endsWith('/') || !/\.\w+$/.test(path);
    if (!isFolder || /\b(?:files?|places) (?:that|which|with)\b/i.test(words)) return undefined;
    const asks =
      verb === 'explore' ||
      /^(?:list|ls|overview|tree|look around|show me around|show|what(?:'s| is) (?:in|inside|here)|(?:give|show) me an? (?:\w+ )?(?:overview|summary|tour)|what (?:files|folders) are|(?:explain|describe|what does) (?:this|the|our|my) (?:project|repo(?:sitory)?|code ?base|folder)|explain what (?:this|the|our|my) (?:project|repo(?:sitory)?|code ?base))\b/i.test(
        words,
      );
    const about =
      path !== undefined ||
      /\b(?:repo(?:sitory)?|project|folder|directory|code ?base|files?|folders|here|everything|overview|around|tree|tour|contents?)\b|^ls$|^list$/i.test(
        words,
      );
    return asks && about ? survey(path?.replace(/\/+$/, '')) : undefined;
  },
};

/** "the files in api": a folder without a slash. */
function folderIn(words: string): string | undefined {
  const place =
    /^(?:list|ls|show)\b.*\b(?:in|of|under|below|inside)\s+(?:the\s+)?(?:folder\s+)?([\w-]+)(?:\s+(?:folder|directory))?[.!?]*$/i.exec(
      words,
    )?.[1];
  const isHere =
    place === undefined ||
    /^(?:this|here|it|there|repo|repository|project|folder|directory|code|codebase|git|total)$/i.test(place);
  return isHere ? undefined : place;
}

const depth = 4;
const markers: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/, 'Node.js'],
  [/^tsconfig.*\.json$/, 'TypeScript'],
  [/^(?:pyproject\.toml|setup\.py|requirements.*\.txt)$/, 'Python'],
  [/^Cargo\.toml$/, 'Rust'],
  [/^go\.mod$/, 'Go'],
  [/^(?:pom\.xml|build\.gradle(?:\.kts)?)$/, 'Java or Kotlin'],
  [/^Gemfile$/, 'Ruby'],
  [/^(?:Dockerfile|docker-compose.*\.ya?ml|compose\.ya?ml)$/, 'Docker'],
  [/^Makefile$/, 'Make'],
];

function* survey(folder: string | undefined): Plan<PlanEnd> {
  const place = folder === undefined ? {} : { path: folder };
  // A deep listing of a large folder is cut, so the top level is listed separately and completely.
  const [shallow, listing] = yield* callAll([
    { tool: 'list', args: { ...place, depth: 1 } },
    { tool: 'list', args: { ...place, depth } },
  ]);
  if (shallow?.outcome !== 'success' || listing?.outcome !== 'success')
    return failedCall(
      shallow?.outcome === 'success' ? (listing ?? shallow) : (shallow ?? lost),
      'listing the folder',
    );
  const { lines, isCut } = listed(listing.text);
  const entries = lines.map(entryOf);
  const tops = listed(shallow.text).lines.map(entryOf);
  if (tops.length === 0)
    return { ok: true, text: `${folder === undefined ? 'This folder' : code(folder)} is empty.` };
  const top = tops.map(({ name }) => name);
  const worth = [top.find((name) => /^readme(\.\w+)?$/i.test(name)), top.find((name) => name === 'package.json')];
  const reads = worth.filter((name) => name !== undefined);
  const prefix = folder === undefined ? '' : `${folder}/`;
  const texts =
    reads.length === 0
      ? []
      : yield* callAll(reads.map((name) => ({ tool: 'read', args: { path: `${prefix}${name}`, limit: 60 } })));
  const files = entries.filter(({ isFolder }) => !isFolder);
  // a project may be one folder down, beside others
  const marking = files.filter(({ level }) => level < 2).map(({ name }) => name);
  const kinds = markers.filter(([pattern]) => marking.some((name) => pattern.test(name)));
  return {
    ok: true,
    text: [
      `**${titleOf(texts) ?? folder ?? 'This folder'}** — ${isCut ? 'at least ' : ''}${counted(files.length, 'file')} in ${counted(entries.length - files.length, 'folder')}${deepest(entries)}`,
      ...aboutOf(texts),
      [
        ...(kinds.length > 0 ? [`- **Made with:** ${kinds.map(([, kind]) => kind).join(', ')}`] : []),
        `- **Kinds of file:** ${endingsOf(files.map(({ name }) => name))}`,
      ].join('\n'),
      topLevel(tops, entries, isCut),
      ...(folder === undefined
        ? ['Try: `explain FILE`, `find TODO`, `show the last 5 commits`, `run the tests`.']
        : []),
    ].join('\n\n'),
  };
}

interface Entry {
  readonly name: string;
  readonly level: number;
  readonly isFolder: boolean;
}

function entryOf(line: string): Entry {
  const level = (/^ */.exec(line)?.[0].length ?? 0) / 2;
  const name = line.trim().replace(/ \(link\)$/, '');
  return { name: name.replace(/\/$/, ''), level, isFolder: name.endsWith('/') };
}

const lost: CallResult = { tool: 'list', outcome: 'cancelled', text: '' };
const filesShown = 20;

/** Every folder, with its file count if the deep listing covers it, then the files. */
function topLevel(tops: readonly Entry[], entries: readonly Entry[], isCut: boolean): string {
  const folders = tops
    .filter(({ isFolder }) => isFolder)
    .map(({ name }) => {
      const index = entries.findIndex((entry) => entry.level === 0 && entry.name === name);
      const end = entries.findIndex((entry, at) => at > index && entry.level === 0);
      if (index === -1 || (end === -1 && isCut)) return code(`${name}/`);
      const held = entries.slice(index + 1, end === -1 ? undefined : end).filter((entry) => !entry.isFolder);
      return `${code(`${name}/`)} — ${held.length === 0 ? 'no files' : counted(held.length, 'file')}`;
    });
  const files = tops.filter(({ isFolder }) => !isFolder).map(({ name }) => code(name));
  return [bullets(folders, Infinity), bullets(files, filesShown)].filter((part) => part !== '').join('\n');
}

function deepest(entries: readonly Entry[]): string {
  return entries.some(({ level }) => level === depth - 1) ? `, ${depth} levels deep` : '';
}

function endingsOf(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => /[^.](\.\w+)$/.exec(name)?.[1] ?? 'others');
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 6)
    .map(([ending, { length }]) => `${length} ${ending}`)
    .join(', ');
}

function titleOf(texts: readonly CallResult[]): string | undefined {
  const lines = texts.flatMap(({ outcome, text }) => (outcome === 'success' ? readPage(text).lines : []));
  const heading = lines.map((line) => /^#\s+(.+)/.exec(line)?.[1]).find((match) => match !== undefined);
  const named = lines
    .map((line) => /^\s*"name":\s*"([^"]+)"/.exec(line)?.[1])
    .find((match) => match !== undefined);
  return heading === undefined ? named : shortened(heading, 80);
}

function aboutOf(texts: readonly CallResult[]): readonly string[] {
  for (const { outcome, text } of texts) {
    if (outcome !== 'success') continue;
    const { lines } = readPage(text);
    const described = lines.map((line) => /^\s*"description":\s*"([^"]+)"/.exec(line)?.[1]).find((match) => match);
    const prose = /^\s*\{/.test(lines[0] ?? '') ? undefined : lines.find((line) => /^[A-Za-z*_]/.test(line));
    const match = prose ?? described;
    if (match !== undefined) return [`> ${shortened(match, 240)}`];
  }
  return [];
}
