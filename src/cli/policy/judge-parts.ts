import type { Call, CallFacts } from '../../kernel/call.ts';
import type { Mode } from '../../kernel/mode.ts';
import { judge, type Judgement, type Policy } from '../../kernel/policy/permission.ts';

interface JudgedPart {
  /** The command, path, URL or danger as text. */
  readonly part: string;
  readonly judgement: Judgement;
}

/** Judges each part of a call separately, in order. The whole call gets the most severe verdict. */
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
