/** "replace X with Y in F": every exact occurrence in that file, or everywhere if requested. */
import { namedPath, type OfflineRequest } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { bullets, code } from '../markdown.ts';
import { callTool, callAll, type Plan, type PlanEnd } from '../plan.ts';
import { isHalfQuoted, isQuoted, quotedShape, unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

const mostFiles = 20;

export const replaceText: OfflineSkill = {
  name: 'replace text',
  does: 'replace an exact text in a file',
  examples: ['replace "foo" with "bar" in src/app.ts', 'replace color by color everywhere'],
  takesAll: true,
  plan(request) {
    const target = wantedIn(request);
    if (target === undefined) return undefined;
    const { from, to, place } = target;
    if (place.type === 'file') return inFile(from, to, place.path);
    return place.type === 'everywhere' ? everywhere(from, to) : whereIsIt(from, to);
  },
};

interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly place: { readonly type: 'file'; readonly path: string } | { readonly type: 'everywhere' | 'unsaid' };
}

const piece = `(?:${quotedShape})|[\\s\\S]+?`;
const verb =
  '(?:replace|change|swap|substitute)\\s+(?:all\\s+|every\\s+|each\\s+|the\\s+(?:text|word)\\s+)?(?:occurrences?\\s+of\\s+)?';
const joint = '\\s+(?:by|with|to|into|for)\\s+';
const anywhere =
  '(?:everywhere|in\\s+(?:all|every|the\\s+whole|the\\s+entire)\\s+(?:the\\s+)?(?:files?|project|repo(?:sitory)?|code ?base))';
const shapes: readonly RegExp[] = [
  new RegExp(`^in\\s+(?<path>\\S+?),?\\s+${verb}(?<from>${piece})${joint}(?<to>${piece})[.!]?$`, 'i'),
  new RegExp(`^${verb}(?<from>${piece})${joint}(?<to>${piece})\\s+(?<all>${anywhere})[.!]?$`, 'i'),
  new RegExp(
    `^${verb}(?<from>${piece})${joint}(?<to>${piece})\\s+in\\s+(?:the\\s+)?(?:file\\s+)?(?<path>"[^"]+"|\`[^\`]+\`|\\S+)$`,
    'i',
  ),
  new RegExp(`^${verb}(?<from>${piece})${joint}(?<to>(?:${quotedShape})|\\S+)$`, 'i'),
];

function wantedIn(request: OfflineRequest): Wanted | undefined {
  const { words } = request;
  const match = shapes.map((shape) => shape.exec(words)?.groups).find((groups) => groups !== undefined);
  if (match === undefined) return undefined;
  const { from = '', to = '', path, all } = match;
  const isExact = [from, to].every((text) => isQuoted(text) || !/\s/.test(text));
  const place =
    path !== undefined
      ? ({ type: 'file', path: namedPath(path, request) ?? '' } as const)
      : ({ type: all === undefined ? 'unsaid' : 'everywhere' } as const);
  const isPath = place.type === 'file' && /[./]|^[A-Z]\w+$/.test(place.path);
  const target = { from: unquoted(from), to: isQuoted(to) ? unquoted(to) : to.replace(/[.!]$/, ''), place };
  if (isHalfQuoted(from) || isHalfQuoted(to)) return undefined;
  if (target.from === '' || (!isExact && !(isPath && /^(?:in|replace)\b/i.test(words)))) return undefined;
  return place.type === 'file' && !isPath ? undefined : target;
}

function editOf(from: string, to: string, path: string) {
  return { tool: 'edit', args: { path, edits: [{ old_text: from, new_text: to, replace_all: true }] } };
}

function* inFile(from: string, to: string, path: string): Plan<PlanEnd> {
  const { tool, args } = editOf(from, to, path);
  const result = yield* callTool(tool, args);
  if (result.outcome === 'success') return { ok: true, text: `✓ ${code(from)} → ${code(to)}. ${result.text}` };
  return result.outcome === 'error' && result.text.includes('is not in the file')
    ? {
        ok: false,
        text: `${code(from)} is not in ${code(path)}, so nothing was changed. Upper and lower case count.`,
      }
    : failedCall(result, `changing ${code(path)}`);
}

function* filesWith(text: string): Plan<readonly string[] | PlanEnd> {
  const pattern = text.split('\n')[0]?.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') ?? '';
  const result = yield* callTool('grep', { pattern, output: 'files' });
  if (result.outcome !== 'success') return failedCall(result, 'searching');
  const { lines } = listed(result.text);
  return lines.length === 0
    ? { ok: false, text: `${code(text)} was not found in any file. Nothing was changed.` }
    : lines;
}

function* everywhere(from: string, to: string): Plan<PlanEnd> {
  const files = yield* filesWith(from);
  if ('ok' in files) return files;
  if (files.length > mostFiles) {
    return {
      ok: false,
      text: `**Not done:** ${code(from)} is in ${files.length} files; I change at most ${mostFiles} at once. Name a file.`,
    };
  }
  const results = yield* callAll(files.map((file) => editOf(from, to, file)));
  const lines = results.map((result, index) =>
    result.outcome === 'success'
      ? `✓ ${result.text}`
      : `✗ ${code(files[index] ?? '')} — ${failedCall(result, 'changing it').text}`,
  );
  return {
    ok: results.every(({ outcome }) => outcome === 'success'),
    text: `${code(from)} → ${code(to)}:\n\n${bullets(lines, mostFiles)}`,
  };
}

function* whereIsIt(from: string, to: string): Plan<PlanEnd> {
  const files = yield* filesWith(from);
  if ('ok' in files) return files;
  const [first = ''] = files;
  return {
    ok: false,
    text: `In which file? ${code(from)} is in:\n\n${bullets(files.map(code))}\n\nSay for example: \`replace "${from}" with "${to}" in ${first}\`. Nothing was changed.`,
  };
}
