import { expect, test } from 'vitest';

import { parseRule, type Rule, type Verdict } from '../../kernel/rule.ts';
import { checkMcpRules } from './mcp-rules.ts';

const tools = ['mcp__tickets__read', 'mcp__tickets__close'];

function rule(verdict: Verdict, text: string): Rule {
  const parsed = parseRule(text, verdict, 'user');
  if (parsed === undefined) throw new Error(`no rule: ${text}`);
  return parsed;
}

test('[S10] a deny on a tool that the server does not have withholds the server and names the nearest tool', () => {
  expect(checkMcpRules('tickets', tools, [rule('deny', 'mcp__tickets__clsoe')])).toEqual({
    type: 'refused',
    problems: [
      'Invalid rule "deny mcp__tickets__clsoe": unknown tool "mcp__tickets__clsoe"; did you mean "mcp__tickets__close"? Tools of tickets stay unavailable until you correct the rule.',
    ],
  });
});

test('[S10] a deny with a pattern, which no MCP call can match, is an error too', () => {
  expect(checkMcpRules('tickets', tools, [rule('deny', 'mcp__tickets__close(prod*)')])).toEqual({
    type: 'refused',
    problems: [
      'Invalid rule "deny mcp__tickets__close(prod*)": rules on MCP tools take no pattern. Tools of tickets stay unavailable until you correct the rule.',
    ],
  });
});

test('[S10] an allow that could never hold is a warning', () => {
  expect(checkMcpRules('tickets', tools, [rule('allow', 'mcp__tickets__raed')])).toEqual({
    type: 'good',
    problems: [
      'Invalid rule "allow mcp__tickets__raed": unknown tool "mcp__tickets__raed"; did you mean "mcp__tickets__read"? The rule is ignored.',
    ],
  });
});

test('[S10] rules that hold, wildcards, and rules on other servers pass', () => {
  const rules = [
    rule('deny', 'mcp__tickets__close'),
    rule('ask', 'mcp__tickets__*'),
    rule('deny', 'mcp__calendar__remove'),
    rule('deny', 'shell(rm *)'),
    rule('deny', '*'),
  ];
  expect(checkMcpRules('tickets', tools, rules)).toEqual({ type: 'good', problems: [] });
});
