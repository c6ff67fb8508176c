import type { Decision } from '../kernel/decision.ts';
import type { Capabilities } from './capabilities.ts';
import type { EffectHost } from '../ports/effect-host.ts';

/** A setting that no running agent received is applied when the agent starts. */
export function setAgent(
  { effect, setting }: Extract<Decision, { type: 'set-agent' }>,
  host: EffectHost,
  { agents }: Capabilities,
): void {
  const settled = agents?.set?.(host.session, setting);
  settled?.then(
    (outcome) => {
      if (outcome !== undefined) host.deliver({ type: 'agent-setting-settled', effect, outcome });
    },
    (error: unknown) => {
      const message = `Setting the agent failed: ${error instanceof Error ? error.message : String(error)}`;
      host.deliver({ type: 'agent-setting-settled', effect, outcome: { type: 'failed', message } });
    },
  );
}
