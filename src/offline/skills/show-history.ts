/** Commits: the newest, those of a file, or those since a date, with their combined changes. */
import { optional } from '../../kernel/optional.ts';
import type { OfflineRequest } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { bullets, code, codeBlock } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, callAll, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

export const showHistory: OfflineSkill = {
  name: 'show history',
  does: 'list commits, also those since a day or of one file',
  examples: ['show the last 5 commits', 'what changed since yesterday?', 'history of README.md'],
  plan(request) {
    const { words } = request;
    const since = sinceIn(request);
    const speaksOfWork = /\b(?:chang\w*|happened|commit\w*|history|did|done|new|worked|log)\b/i.test(words);
    if (since !== undefined && speaksOfWork) return changesSince(since);
    const asks =
      /^git log\b/i.test(words) ||
      /^(?:show|list|print|give|see|what|who|display)\b.*\b(?:history|commits?|git log|committed)\b(?!.*\bmessage\b)/i.test(
        words,
      ) ||
      /^(?:the\s+)?(?:history|commits|log)\b/i.test(words);
    return asks ? log(request) : undefined;
  },
};

function* log({ words, path }: OfflineRequest): Plan<PlanEnd> {
  const limit = Math.min(50, Math.max(1, countIn(words)));
  const result = yield* callTool('git_log', { limit, ...optional({ path }) });
  if (result.outcome !== 'success') return failedCall(result, 'reading the history');
  const commits = commitsIn(result.text);
  const about = path === undefined ? '' : ` of ${code(path)}`;
  if (commits.length === 0) return { ok: true, text: `There are no commits${about} yet.` };
  return {
    ok: true,
    text: `**${counted(commits.length, 'commit')}**${about}, newest first:\n\n${bullets(commits.map(commitText), 50)}`,
  };
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function countIn(words: string): number {
  const digits = /\b(\d+)\s+(?:\w+\s+)?commits?\b/i.exec(words)?.[1];
  if (digits !== undefined) return Number(digits);
  const named = numbers.findIndex((number) =>
    new RegExp(`\\b${number}\\s+(?:\\w+\\s+)?commits?\\b`, 'i').test(words),
  );
  if (named >= 0) return named + 1;
  return /\b(?:last|latest|newest) commit\b/i.test(words) ? 1 : 10;
}

function* changesSince(since: string): Plan<PlanEnd> {
  const [history, status] = yield* callAll([
    { tool: 'git_log', args: { limit: 100 } },
    { tool: 'git_status', args: {} },
  ]);
  if (history === undefined || history.outcome !== 'success')
    return failedCall(history ?? { tool: 'git_log', outcome: 'cancelled', text: '' }, 'reading the history');
  const all = commitsIn(history.text);
  const recent = all.filter(({ date }) => date.slice(0, 10) >= since);
  const before = all.find(({ date }) => date.slice(0, 10) < since);
  const stat =
    before === undefined || recent.length === 0
      ? undefined
      : yield* callTool('git_diff', { from: before.hash, to: 'HEAD', stat: true });
  const open = (status?.outcome === 'success' ? status.text.split('\n').slice(1) : []).filter(
    (line) => /^.. \S/.test(line) && !line.startsWith('Nothing'),
  );
  return {
    ok: true,
    text: [
      recent.length === 0
        ? `No commits since ${since}.`
        : `**${counted(recent.length, 'commit')}** since ${since}:`,
      ...(recent.length === 0 ? [] : [bullets(recent.map(commitText), 15)]),
      ...(stat?.outcome === 'success' ? [codeBlock(stat.text, { lines: 20 })] : []),
      open.length === 0 ? 'Nothing is uncommitted.' : `Not committed yet: ${counted(open.length, 'file')}.`,
    ].join('\n\n'),
  };
}

interface Commit {
  readonly hash: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
}

function commitsIn(text: string): readonly Commit[] {
  return text.split('\n').flatMap((line) => {
    const [, hash, date, author, subject] = /^([0-9a-f]{4,40}) (\S+) (.*?): (.*)$/.exec(line) ?? [];
    return hash === undefined || date === undefined
      ? []
      : [{ hash, date, author: author ?? '', subject: subject ?? '' }];
  });
}

function commitText({ hash, date, author, subject }: Commit): string {
  return `${code(hash)} ${date.slice(0, 10)} ${author}: ${subject.slice(0, 100)}`;
}

/** The first date, as `YYYY-MM-DD`. */
function sinceIn({ words, today }: OfflineRequest): string | undefined {
  const start = /\bsince\s+(\d{4}-\d\d-\d\d)\b/i.exec(words)?.[1];
  if (start !== undefined) return start;
  const days = /\b(?:(?:last|past)\s+(\d+)\s+days?|(\d+)\s+days?\s+ago)\b/i.exec(words);
  const count = Number(days?.[1] ?? days?.[2] ?? Number.NaN);
  if (!Number.isNaN(count)) return daysBefore(today, count);
  if (/\byesterday\b/i.test(words)) return daysBefore(today, 1);
  if (/\b(?:this|last|past|a)\s+week\b/i.test(words)) return daysBefore(today, 7);
  return /\btoday\b/i.test(words) ? today : undefined;
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - Math.min(count, 3_650) * 86_400_000).toISOString().slice(0, 10);
}
