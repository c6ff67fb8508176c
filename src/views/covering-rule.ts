/** The policy's verdict on each part of a request, and the parts for which it asks. */
import { optional } from '../kernel/optional.ts';
import type { OpenQuestion } from './open-question.ts';
import { partsOf, worstPart, type PartFacts } from './part-risk.ts';

type Asked = Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>;

export interface JudgedPart extends PartFacts {
  /** The rule that allows it by itself: as recorded when it was asked, else as the rules are now. */
  readonly allowing?: string;
  /** The rule that asks about it. Absent if no rule mentions it. */
  readonly asking?: string;
}

export function judgedParts({ about, facts, allowedBy }: Asked): readonly JudgedPart[] {
  const { covered = [], rule, unit } = about.type === 'approval' ? about : { rule: 'default', unit: undefined };
  return partsOf(facts).map((part, index) => {
    const allowing = covered.find((one) => one.part === part.text)?.rule ?? allowedBy?.[index] ?? undefined;
    // What the gate calls dangerous asks, whatever its rule says.
    if (allowing !== undefined && part.dangers.length === 0) return { ...part, allowing };
    const isNamed = rule === 'supervised' || unit === part.text;
    return { ...part, ...optional({ asking: isNamed && rule !== 'default' ? rule : undefined }) };
  });
}

/** The parts that no rule allows. All of them if every part is allowed and only the call as a whole asks. */
export function askingParts(question: Asked): readonly JudgedPart[] {
  const parts = judgedParts(question);
  const asking = parts.filter(({ allowing }) => allowing === undefined);
  return asking.length === 0 ? parts : asking;
}

/** The part that a title names: of those that ask, the most dangerous one. */
export function namedPart(question: Asked): JudgedPart | undefined {
  return worstPart(askingParts(question));
}
