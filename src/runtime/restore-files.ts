import type { RestoreOutcome } from '../kernel/checkpoint.ts';
import type { Decision } from '../kernel/decision.ts';
import { seqOfEffect } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Capabilities } from './capabilities.ts';
import type { Effort, Work } from './start-effect.ts';

/** Checkpoints the current files for the journal. Once that is recorded, restores them. */
export function restoreFiles(
  { checkpoint, before }: Extract<Decision, { type: 'restore-files' }>,
  { checkpoints }: Pick<Capabilities, 'checkpoints'>,
): Work {
  const settled = ({ effect, attempt }: Effort, outcome: RestoreOutcome): InputBody => ({
    type: 'restore-settled',
    effect,
    attempt,
    outcome,
  });
  const failed = (effort: Effort, message: string) => settled(effort, { type: 'failed', message });
  return {
    kind: 'files',
    name: before === undefined ? 'keep' : 'restore',
    onCancel: 'wait-for-end',
    async run(effort) {
      const { effect, attempt, host } = effort;
      const { state } = host;
      if (checkpoints === undefined) return failed(effort, `session ${host.session} keeps no files here`);
      if (before === undefined) {
        const taken = await checkpoints.takeBefore(state, checkpoint, `restore-${seqOfEffect(effect)}`);
        if (typeof taken === 'string') return failed(effort, taken);
        return { type: 'restore-prepared', effect, attempt, before: taken };
      }
      const changed = await checkpoints.restore(state, checkpoint, before);
      if (typeof changed === 'string') return failed(effort, changed);
      return settled(effort, { type: 'restored', changed: JSON.stringify(changed) });
    },
    cancelled: (effort) => failed(effort, 'The restore was cancelled.'),
    broke: failed,
  };
}
