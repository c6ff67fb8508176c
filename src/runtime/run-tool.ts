import type { AgentAnswer } from '../kernel/agent-request.ts';
import type { Decision } from '../kernel/decision.ts';
import { optional } from '../kernel/optional.ts';
import type { InputBody } from '../kernel/input.ts';
import { fileRulesAmong } from '../kernel/policy/file-rules.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { ToolRun } from '../ports/tool.ts';
import type { Capabilities } from './capabilities.ts';
import { describeCalls } from './describe-calls.ts';
import type { FileKeeper } from './keep-files.ts';
import { createSampling, type Sampling } from './sample-model.ts';
import type { Effort, Work } from './start-effect.ts';

type ToolSettled = Extract<InputBody, { type: 'tool-settled' }>;
type RunTool = Extract<Decision, { type: 'run-tool' }>;

export function runTool({ call }: RunTool, capabilities: Capabilities, files: FileKeeper): Work {
  const { tools } = capabilities;
  const settled = ({ effect, attempt }: Effort, result: ToolResult): ToolSettled => ({
    type: 'tool-settled',
    effect,
    attempt,
    result,
    ...optional({ sampled: sampling?.used() }),
  });
  let sampling: Sampling | undefined;
  let asked = 0;
  const asking = new Map<string, (answer: AgentAnswer) => void>();
  return {
    kind: 'tool',
    answer(key, answer) {
      asking.get(key)?.(answer);
      asking.delete(key);
    },
    name: call.tool,
    onCancel: 'wait-for-end',
    async run(effort) {
      const { host, context, effect, attempt } = effort;
      const tool = await tools.get(call.tool, host.state, host.epoch);
      if (tool === undefined) {
        const message = `The tool ${call.tool} is no longer available.`;
        return settled(effort, { type: 'error', code: 'unknown-tool', message });
      }
      const args = typeof call.args === 'string' ? call.args : await host.read(call.args);
      if (changes.has(call.facts.access)) await files.beforeChange(effort, writtenBy(call));
      const { discards, deletes = [] } = call.facts;
      const unkept = discards === 'kept' ? await files.beforeDiscard(effort, deletes) : undefined;
      if (unkept !== undefined) {
        const message = `It throws uncommitted files away, and a checkpoint of them could not be taken, so it was not run: ${unkept}`;
        return settled(effort, { type: 'error', code: 'not-kept', message });
      }
      // Cancelled during preparation.
      if (context.signal.aborted) return settled(effort, { type: 'cancelled' });
      const { session, epoch, agent, cwd, roots, signal } = context;
      const ask: NonNullable<ToolRun['ask']> = (question) => {
        const { promise, resolve } = Promise.withResolvers<AgentAnswer>();
        const key = String(asked++);
        asking.set(key, resolve);
        signal.addEventListener('abort', () => resolve({ type: 'cancelled' }), { once: true });
        host.deliver({ type: 'tool-asked', effect, attempt, key, ...question });
        return promise;
      };
      sampling = createSampling(call, effort, capabilities, ask);
      const { followUps = [], ...result } = await tool.run(JSON.parse(args === '' ? '{}' : args), {
        session,
        epoch,
        agent,
        cwd,
        roots,
        fileRules: fileRulesAmong([...(capabilities.managedRules ?? []), ...host.state.rules]),
        effect,
        attempt,
        facts: call.facts,
        signal,
        ask,
        sample: sampling.sample,
        progress: (text) => host.progress({ effect, attempt, kind: 'output', text }),
      });
      if (followUps.length === 0) return settled(effort, result);
      const wanted = followUps.map((one, index) => ({
        id: `${call.id}.then-${index + 1}`,
        tool: one.tool,
        args: JSON.stringify(one.args),
      }));
      const calls = await describeCalls(wanted, host, capabilities, session);
      const following = calls.map((one) => ({ ...one, follows: call.id }));
      return { ...settled(effort, result), followUps: following };
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }),
    broke: (effort, message) => settled(effort, { type: 'error', code: 'fault', message, fault: true }),
  };
}

const changes: ReadonlySet<string> = new Set(['write', 'execute']);

function writtenBy({ facts }: RunTool['call']): readonly string[] {
  return (facts.paths ?? []).filter(({ access }) => access === 'write').map(({ path }) => path);
}
