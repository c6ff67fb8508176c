import { expect, test } from 'vitest';

import type { EffectId } from '../../kernel/ids.ts';
import type { AgentReport } from '../../kernel/report.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import type { EffectHost } from '../../ports/effect-host.ts';
import { redactAgent } from './redact-agent.ts';

const secret = 'hunter2-hunter3';
const token = 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa';
const effect = 'ses_1.4' as EffectId;

test('[C47] a known secret that an external agent repeats is hidden in its stream, the record and its failure', async () => {
  const heard: string[] = [];
  const reports: AgentReport[] = [];
  const host = { progress: ({ text }: { readonly text: string }) => heard.push(text) } as unknown as EffectHost;
  const turn = {
    effect,
    attempt: 1,
    host,
    report: (report: AgentReport) => reports.push(report),
  } as unknown as AgentTurn;
  const prompt = redactAgent(
    async (given) => {
      for (const text of ['The key is hunter2', '-hunter3', ' so there, hunter2-'])
        given.host.progress({ effect, attempt: 1, kind: 'text', text });
      given.report({ type: 'message', text: `The key is ${secret} so there, hunter2-`, effect });
      given.report({ type: 'tool-call', call: 'c', title: `echo ${secret}`, state: 'completed', content: token });
      given.report({ type: 'plan', entries: [{ text: `use ${secret}`, state: 'pending' }] });
      given.report({ type: 'notice', severity: 'info', text: secret });
      return { type: 'failed', code: 'agent-failed', message: `It wrote: ${secret}` };
    },
    [secret],
  );
  const outcome = await prompt(turn);
  expect(heard.join('')).toBe('The key is [redacted] so there, hunter2-');
  expect(reports).toEqual([
    { type: 'message', text: 'The key is [redacted] so there, hunter2-', effect },
    { type: 'tool-call', call: 'c', title: 'echo [redacted]', state: 'completed', content: '[redacted]' },
    { type: 'plan', entries: [{ text: 'use [redacted]', state: 'pending' }] },
    { type: 'notice', severity: 'info', text: '[redacted]' },
  ]);
  expect(outcome).toEqual({ type: 'failed', code: 'agent-failed', message: 'It wrote: [redacted]' });
});
