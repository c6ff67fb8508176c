/** Counts the lines of a file or the project. */
import { optional } from '../../kernel/optional.ts';
import { failedCall } from '../failed-call.ts';
import { readNamed } from '../find-named.ts';
import { code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

export const countLines: OfflineSkill = {
  name: 'count lines',
  does: 'count the lines of a file or of the project',
  examples: ['how many lines are there?', 'how many lines does src/app.ts have?'],
  plan({ words, path }) {
    const asks =
      /^(?:how many|count(?: all)?(?: the)?|number of|what(?:'s| is) the number of)\s+(?:lines|loc)\b/i.test(
        words,
      ) || /^how (?:long|big|large) is\b/i.test(words);
    if (!asks) return undefined;
    if (path === undefined)
      return /^how/i.test(words) || /\b(?:code|project|repo\w*|here|all)\b|lines$/i.test(words)
        ? ofProject()
        : undefined;
    return /\.\w+$|^[A-Z]\w+$/.test(path) ? ofFile(path) : ofProject(path.replace(/\/+$/, ''));
  },
};

function* ofFile(path: string): Plan<PlanEnd> {
  const match = yield* readNamed(path, { limit: 1 });
  if (match.type === 'none') return match.end;
  const total = match.page.total ?? match.page.lines.length;
  return { ok: true, text: `${code(match.path)} has ${counted(total, 'line')}.` };
}

/** Git's empty tree: the diff against it is everything. */
const nothing = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function* ofProject(folder?: string): Plan<PlanEnd> {
  const where = folder === undefined ? 'This project' : code(folder);
  const diff = yield* callTool('git_diff', {
    from: nothing,
    stat: true,
    ...(folder !== undefined && { paths: [folder] }),
  });
  const total = /(\d+) files? changed(?:, (\d+) insertions?)?[^\n]*$/.exec(diff.text.trimEnd());
  if (diff.outcome === 'success' && total !== null) {
    return {
      ok: true,
      text: `${where} has **${counted(Number(total[2] ?? 0), 'line')}** in ${counted(Number(total[1]), 'file')} that git knows.`,
    };
  }
  const search = yield* callTool('grep', {
    pattern: '^',
    output: 'counts',
    ...optional({ path: folder }),
  });
  if (search.outcome !== 'success') return failedCall(search, 'counting');
  const { lines, isCut } = listed(search.text);
  const counts = lines.map((line) => Number(/:\s*(\d+)$/.exec(line)?.[1] ?? /^(\d+)/.exec(line)?.[1] ?? 0));
  const sum = counts.reduce((a, b) => a + b, 0);
  return {
    ok: true,
    text: `${where} has ${isCut ? 'at least ' : ''}**${counted(sum, 'line')}** in ${counted(counts.length, 'file')}.`,
  };
}
