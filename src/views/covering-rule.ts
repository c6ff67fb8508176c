import type { PartFacts } from './part-risk.ts';
import type { OpenQuestion } from './open-question.ts';

/** The rule that allows a part by itself: as recorded when it was asked, else as the rules are now. */
export function coveringRule(
  { text }: Pick<PartFacts, 'text'>,
  index: number,
  { about, allowedBy }: OpenQuestion,
): string | undefined {
  const covered = about.type === 'approval' ? about.covered : undefined;
  return covered?.find(({ part }) => part === text)?.rule ?? allowedBy?.[index] ?? undefined;
}

/** The rule that asks about a part. Undefined if no rule mentions it. */
export function askingRule({ text }: Pick<PartFacts, 'text'>, { about }: OpenQuestion): string | undefined {
  return about.type === 'approval' && about.rule !== 'default' && about.unit === text ? about.rule : undefined;
}
