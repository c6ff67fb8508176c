/** Uncommitted changes. */
import { failedCall } from '../failed-call.ts';
import { bullets, code, codeBlock } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, callAll, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

export const showChanges: OfflineSkill = {
  name: 'show changes',
  does: 'show what is changed and not committed',
  examples: ['show my changes', 'what has changed?', 'git status'],
  plan({ words }) {
    const asks =
      /^git (?:status|diff)\b/i.test(words) ||
      /^(?:what(?:'s| is| has| have)?(?: \w+){0,2} changed|what did (?:i|we|you|they) change|(?:show|print|give|list|see)\b.*\b(?:diff|changes|modifications|status)\b|(?:my |the |any )?(?:uncommitted|local|unstaged|staged) (?:changes|files)|diff|status|changes)\b/i.test(
        words,
      );
    return asks ? show() : undefined;
  },
};

const words: Readonly<Record<string, string>> = {
  M: 'changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  U: 'in conflict',
  T: 'of another type',
  '?': 'new',
};

function* show(): Plan<PlanEnd> {
  const status = yield* callTool('git_status', {});
  if (status.outcome !== 'success') return failedCall(status, 'reading the state of git');
  const [head = '', ...lines] = status.text.split('\n');
  const branch = head.replace(/^## (?:No commits yet on )?/, '').replace(/\.\.\..*$/, '');
  const changes = lines.flatMap((line) => {
    const match = /^(.)(.) (.+)$/.exec(line);
    return match === null ? [] : [{ staged: match[1] ?? ' ', unstaged: match[2] ?? ' ', path: match[3] ?? '' }];
  });
  if (changes.length === 0) return { ok: true, text: `Nothing has changed on ${code(branch)}.` };
  const isStaged = changes.some(({ staged }) => staged !== ' ' && staged !== '?');
  const isUnstaged = changes.some(({ unstaged }) => unstaged !== ' ' && unstaged !== '?');
  const diffs = yield* callAllOf([
    ...(isUnstaged ? [{ tool: 'git_diff', args: {} }] : []),
    ...(isStaged ? [{ tool: 'git_diff', args: { staged: true } }] : []),
  ]);
  const diff = diffs.flatMap(({ outcome, text }) => (outcome === 'success' ? [text] : [])).join('\n');
  const plus = diff.match(/^\+(?!\+\+ )/gm)?.length ?? 0;
  const minus = diff.match(/^-(?!-- )/gm)?.length ?? 0;
  return {
    ok: true,
    text: [
      `**${counted(changes.length, 'file')}** changed on ${code(branch)}${diff === '' ? '' : ` (+${plus} −${minus} lines)`}:`,
      bullets(
        changes.map(({ path, staged, unstaged }) => `${code(path)} — ${kindOf(staged, unstaged)}`),
        20,
      ),
      ...(diff === '' ? [] : [codeBlock(diff, { language: 'diff', lines: 60 })]),
    ].join('\n\n'),
  };
}

function* callAllOf(calls: Parameters<typeof callAll>[0]): ReturnType<typeof callAll> {
  return calls.length === 0 ? [] : yield* callAll(calls);
}

function kindOf(staged: string, unstaged: string): string {
  if (staged === '?') return 'new, not tracked';
  const kind = words[staged === ' ' ? unstaged : staged] ?? 'changed';
  return staged === ' ' ? kind : `${kind}, staged${unstaged === ' ' ? '' : ' in part'}`;
}
