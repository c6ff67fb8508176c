/**
 * Checks rules when they are read (S10). A deny or ask rule that can never match is an error, because people rely
 * on it. Such an allow rule is a warning, unless the person who wrote it is present.
 */
import { parseRule, type Verdict } from '../kernel/rule.ts';
import { ruleToolProblem } from '../kernel/policy/rule-tool.ts';
import type { PlaceOf } from './config-document.ts';
import { problemAt, type ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';

/** Problems of the rules with these verdicts. */
export function ruleProblems(
  config: Config,
  file: string,
  placeOf: PlaceOf,
  verdicts: readonly Verdict[],
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [name, policy] of Object.entries(config.policies ?? {})) {
    for (const verdict of verdicts) {
      for (const [index, text] of (policy[verdict] ?? []).entries()) {
        const problem = problemOf(text, verdict);
        if (problem === undefined) continue;
        const path = ['policies', name, verdict, index];
        problems.push(problemAt({ file, ...placeOf(path) }, path, 'bad-rule', problem.message, problem.nearest));
      }
    }
  }
  return problems;
}

function problemOf(
  text: string,
  verdict: Verdict,
): { readonly message: string; readonly nearest?: string } | undefined {
  const rule = parseRule(text, verdict, 'user');
  if (rule !== undefined) return ruleToolProblem(rule);
  return { message: `invalid rule "${text}"; write tool or tool(pattern), such as shell(git status*).` };
}
