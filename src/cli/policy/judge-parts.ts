import type { Call } from '../../kernel/call.ts';
import type { Mode } from '../../kernel/mode.ts';
import { judgeEach, type Judgement, type Policy } from '../../kernel/policy/permission.ts';

interface JudgedPart {
  /** The command, path, URL or danger as text. */
  readonly part: string;
  readonly judgement: Judgement;
}

/** The verdict on each part of a call, in order. The whole call gets the most severe one. */
export function judgeParts(call: Call, policy: Policy, mode: Mode): readonly JudgedPart[] {
  const { segments = [], paths = [], urls = [], dangers = [] } = call.facts;
  const names = [
    ...segments.map(({ text }) => text),
    ...paths.map(({ path, access }) => `${access} ${path}`),
    ...urls,
  ];
  const judged = judgeEach(call, policy, mode);
  return [
    ...names.flatMap((part, index) => {
      const judgement = judged[index];
      return judgement === undefined ? [] : [{ part, judgement }];
    }),
    ...dangers.map(({ rule, severity, reason }): JudgedPart => ({
      part: 'the command as a whole',
      judgement: { verdict: severity, rule, origin: 'built-in', reason },
    })),
  ];
}
