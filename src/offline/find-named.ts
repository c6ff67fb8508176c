/** Finds a named file: at its path, or the only file with that name. */
import { nearestName } from '../kernel/nearest-name.ts';
import { failedCall } from './failed-call.ts';
import { bullets, code } from './markdown.ts';
import { callTool, type Plan, type PlanEnd } from './plan.ts';
import { listed, readPage, type ReadPage } from './tool-output.ts';

type NamedFile = { readonly type: 'file'; readonly path: string; readonly page: ReadPage } | Refusal;

interface Refusal {
  readonly type: 'none';
  readonly end: PlanEnd;
}

interface Wanted {
  readonly offset?: number;
  readonly limit?: number;
}

export function* readNamed(path: string, target: Wanted = {}): Plan<NamedFile> {
  const first = yield* callTool('read', { path, ...target });
  if (first.outcome === 'success') return { type: 'file', path, page: readPage(first.text) };
  const failed: Refusal = { type: 'none', end: failedCall(first, `reading ${code(path)}`) };
  if (first.outcome !== 'error' || !/does not exist/.test(first.text)) return failed;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const search = yield* callTool('glob', { pattern: `**/${name.replaceAll(/[[\]{}()*?!]/g, '\\$&')}` });
  const files = search.outcome === 'success' ? listed(search.text).lines : [];
  const [only] = files;
  if (only === undefined) return { type: 'none', end: yield* missing(path) };
  if (files.length > 1) return { type: 'none', end: several(path, files) };
  const second = yield* callTool('read', { path: only, ...target });
  return second.outcome === 'success'
    ? { type: 'file', path: only, page: readPage(second.text) }
    : { type: 'none', end: failedCall(second, `reading ${code(only)}`) };
}

const mostPages = 20;

/** The whole file, or the reason. Returns nothing for a file with more pages. */
export function* readAll(path: string): Plan<ReadPage | PlanEnd> {
  const lines: string[] = [];
  let offset = 1;
  let isLossy = false;
  for (let count = 0; count < mostPages; count += 1) {
    const result = yield* callTool('read', offset === 1 ? { path } : { path, offset });
    if (result.outcome !== 'success') return failedCall(result, `reading ${code(path)}`);
    const page = readPage(result.text);
    lines.push(...page.lines);
    isLossy ||= page.isLossy;
    if (page.next === undefined) return { ...page, lines, from: 1, isLossy };
    offset = page.next;
  }
  return { ok: false, text: `**Not done:** ${code(path)} is too long for me to take in whole.` };
}

/** Suggests the file that was probably meant. */
function* missing(path: string): Plan<PlanEnd> {
  const ending = /\.\w+$/.exec(path)?.[0] ?? '';
  const search = yield* callTool('glob', { pattern: `**/*${ending}` });
  const files = search.outcome === 'success' ? listed(search.text).lines : [];
  const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
  const nearest = nearestName(nameOf(path), files.map(nameOf));
  const similar = files.filter((file) => nameOf(file) === nearest).slice(0, 3);
  const hint = similar.length === 0 ? '' : ` Did you mean ${similar.map(code).join(' or ')}?`;
  return {
    ok: false,
    text: `There is no file ${code(path)} here, and none of that name in another folder.${hint}`,
  };
}

function several(path: string, files: readonly string[]): PlanEnd {
  return {
    ok: false,
    text: `There is no ${code(path)} here. Which of these do you mean?\n\n${bullets(files.map(code))}`,
  };
}
