import type { KeptFacts, SummaryOutcome } from '../context.ts';

/** What the model sees in place of the omitted part. Always the same words, to keep prompt caches valid. */
export function compactionNotice(
  outcome: Extract<SummaryOutcome, { type: 'completed' | 'failed' }>,
  summary: string,
): string {
  const opening =
    outcome.type === 'completed'
      ? `The conversation before this was summarized to make room. The summary:\n\n${summary.trim()}`
      : `The conversation before this was left out to make room, and summarizing it failed (${outcome.message}). Ask where you miss something.`;
  return [opening, ...(outcome.kept === undefined ? [] : factLines(outcome.kept))].join('\n\n');
}

function factLines({ constraints, open, files }: KeptFacts): readonly string[] {
  return [
    ...listed('What the user asked to be heeded, word for word', constraints),
    ...listed('Still open, word for word', open),
    ...listed('Files changed so far', files),
  ];
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`];
}
