import type { Decision } from '../kernel/decision.ts';
import type { InputBody } from '../kernel/input.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Capabilities } from './capabilities.ts';
import type { Effort, Work } from './start-effect.ts';

type StartJob = Extract<Decision, { type: 'start-job' }>;

export function startJob({ call }: StartJob, { jobs }: Capabilities): Work {
  const settled = ({ effect, attempt }: Effort, result: ToolResult): InputBody => ({
    type: 'job-settled',
    effect,
    attempt,
    result,
  });
  return {
    kind: 'job',
    name: call.tool,
    onCancel: 'wait-for-end',
    async run(effort) {
      if (jobs === undefined) {
        const message = 'This session cannot start jobs: no workers are set up.';
        return settled(effort, { type: 'error', code: 'no-workers', message });
      }
      return settled(effort, await jobs.run(call, effort.host, effort.context));
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }),
    broke: (effort, message) => settled(effort, { type: 'error', code: 'fault', message, fault: true }),
  };
}
