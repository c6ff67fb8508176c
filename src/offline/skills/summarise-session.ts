/** Summarizes this session from its messages. */
import type { OfflineRequest } from '../offline-request.ts';
import type { Deed } from '../facts.ts';
import { bullets, code, shortened } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { tell, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

export const summariseSession: OfflineSkill = {
  name: 'summarize the session',
  does: 'summarize this session',
  examples: ['what did we do so far?', 'summarise this session'],
  plan(request) {
    const { words, path } = request;
    const asks =
      /^(?:summari[sz]e|sum up|recap|summary|(?:give|show) me (?:a )?(?:summary|recap))\b(?:.*\b(?:session|conversation|chat|so far|was done|we did|you did|done|happened)\b|[\s.?!]*$)/i.test(
        words,
      ) ||
      /^what (?:did|have|has) (?:you|we|been) (?:do|done|did)\b|^what (?:was done|happened)(?: here| so far| in this session)?[\s.?!]*$/i.test(
        words,
      );
    return asks && path === undefined ? tell(summary(request)) : undefined;
  },
};

const changing = new Set(['write', 'edit', 'delete', 'git_commit', 'shell']);

function summary(request: OfflineRequest): PlanEnd {
  const here = summaryHere(request);
  const { imported } = request;
  if (imported.length === 0) return here;
  const text = [
    `This session has an imported history with ${counted(imported.length, 'request')}, which I only quote:`,
    bullets(
      imported.map((prompt) => shortened(prompt, 80)),
      20,
    ),
    here.text,
  ].join('\n\n');
  return { ...here, text };
}

function summaryHere({ prompts, deeds, imported }: OfflineRequest): PlanEnd {
  const before = prompts.slice(0, -1);
  if (before.length === 0 && imported.length > 0) return { ok: true, text: 'Nothing has been done since.' };
  if (before.length === 0)
    return {
      ok: true,
      text: 'Nothing has been done in this session yet: this is its first request. `rondo ls` shows earlier sessions, `rondo show ID` what was done in one.',
    };
  const last = deeds.at(-1)?.prompt ?? 0;
  const first = Math.max(0, last - before.length + 1);
  const lines = before.map(
    (prompt, index) =>
      `${shortened(prompt, 80)} — ${callsText(deeds.filter((deed) => deed.prompt === first + index))}`,
  );
  const done = deeds.filter(({ tool, outcome }) => changing.has(tool) && outcome === 'success');
  const refused = deeds.filter(({ outcome }) => outcome === 'refused');
  const failed = deeds.filter(({ outcome }) => outcome === 'error' || outcome === 'cancelled');
  return {
    ok: true,
    text: [
      `**${counted(before.length, 'request')}, ${counted(deeds.length, 'tool call')}** in this session so far:`,
      lines.map((line, index) => `${index + 1}. ${line}`).join('\n'),
      done.length === 0 ? 'Nothing was changed.' : `**Changed or run:**\n${bullets(done.map(deedText))}`,
      ...(refused.length > 0 ? [`**Not allowed:**\n${bullets(refused.map(deedText), 5)}`] : []),
      ...(failed.length > 0 ? [`**Gave nothing:**\n${bullets(failed.map(deedText), 5)}`] : []),
    ].join('\n\n'),
  };
}

function callsText(deeds: readonly Deed[]): string {
  if (deeds.length === 0) return 'answered without tools';
  return [...Map.groupBy(deeds, ({ tool }) => tool)]
    .map(([tool, { length }]) => (length === 1 ? tool : `${tool} ×${length}`))
    .join(', ');
}

function deedText({ tool, about }: Deed): string {
  return about === '' ? tool : `${tool} ${code(shortened(about, 80))}`;
}
