import type { Call, CallFacts } from '../../kernel/call.ts';
import type { Mode } from '../../kernel/mode.ts';
import { judge, type Judgement, type Policy } from '../../kernel/policy/permission.ts';

export interface JudgedPart {
  /** The command, path, address or danger, in words. */
  readonly part: string;
  readonly judgement: Judgement;
}

/** Each part of a call judged as if it were alone, in order. The whole takes the most severe of them. */
export function judgeParts(call: Call, policy: Policy, mode: Mode): readonly JudgedPart[] {
  const { segments = [], paths = [], urls = [], dangers = [], ...rest } = call.facts;
  const alone = (part: string, facts: Partial<CallFacts>): JudgedPart => ({
    part,
    judgement: judge({ ...call, facts: { ...rest, ...facts } }, policy, mode),
  });
  return [
    ...segments.map((segment) => alone(segment.text, { segments: [segment] })),
    ...paths.map((path) => alone(`${path.access} ${path.path}`, { paths: [path] })),
    ...urls.map((url) => alone(url, { urls: [url] })),
    ...dangers.map(({ rule, severity, reason }): JudgedPart => ({
      part: 'the command as a whole',
      judgement: { verdict: severity, rule, origin: 'built-in', reason },
    })),
  ];
}
