/**
 * Redacts an external agent's text.
 *
 * - Keys and passwords that this process knows are hidden before anyone sees the text and before it is recorded, as
 *   with models.
 * - In its tools' output, anything that looks like a secret is hidden too, as with our own tools.
 * - In diffs, only known secrets are hidden.
 * - Its requests stay unchanged: a person must see the exact call.
 */
import type { Body } from '../../kernel/content.ts';
import type { EffectId } from '../../kernel/ids.ts';
import type { AgentOutcome } from '../../kernel/input.ts';
import { optional } from '../../kernel/optional.ts';
import type { AgentDiff, AgentReport } from '../../kernel/report.ts';
import type { AgentTurn, ExternalAgents } from '../../runtime/capabilities.ts';
import type { EffectHost } from '../../ports/effect-host.ts';
import { createRedactor, createStreamRedactor } from '../../security/secrets/redact.ts';

export function redactAgent(
  prompt: ExternalAgents['prompt'],
  secrets: readonly string[],
): ExternalAgents['prompt'] {
  const hide = createRedactor(secrets, 'known');
  const hideOutput = createRedactor(secrets);
  return async (turn) => withoutSecrets(await prompt(redactedTurn(turn)), hide);

  function redactedTurn(turn: AgentTurn): AgentTurn {
    const streams = new Map<EffectId, ReturnType<typeof createStreamRedactor>>();
    const progress: EffectHost['progress'] = (delta) => {
      const stream = streams.get(delta.effect) ?? createStreamRedactor(secrets, 'known');
      streams.set(delta.effect, stream);
      const text = stream.push(delta.text);
      if (text !== '') turn.host.progress({ ...delta, text });
    };
    const host: EffectHost = Object.create(turn.host, { progress: { value: progress } }) as EffectHost;
    return {
      ...turn,
      host,
      report(report) {
        if ((report.type === 'message' || report.type === 'thought') && report.effect !== undefined) {
          const rest = streams.get(report.effect)?.end() ?? '';
          streams.delete(report.effect);
          const kind = report.type === 'message' ? 'text' : 'reasoning';
          const { effect } = report;
          if (rest !== '') turn.host.progress({ effect, attempt: turn.attempt, kind, text: rest });
        }
        turn.report(redacted(report));
      },
    };
  }

  function hiddenDiff({ path, before, after }: AgentDiff): AgentDiff {
    return { path, ...(before !== undefined && { before: hidden(before, hide) }), after: hidden(after, hide) };
  }

  function redacted(report: AgentReport): AgentReport {
    switch (report.type) {
      case 'message':
      case 'thought':
        return { ...report, text: hidden(report.text, hide) };
      case 'tool-call': {
        const { title, content, diffs } = report;
        return {
          ...report,
          ...(title !== undefined && { title: hide(title) }),
          ...(content !== undefined && { content: hidden(content, hideOutput) }),
          ...optional({ diffs: diffs?.map(hiddenDiff) }),
        };
      }
      case 'plan':
        return { ...report, entries: report.entries.map((entry) => ({ ...entry, text: hide(entry.text) })) };
      case 'notice':
        return { ...report, text: hide(report.text) };
      case 'usage':
      case 'mode':
      case 'options':
      case 'session':
      case 'commands':
        return report;
    }
  }
}

/** A blob holds content stored earlier: agents' text never arrives as one. */
function hidden(body: Body, hide: (text: string) => string): Body {
  return typeof body === 'string' ? hide(body) : body;
}

function withoutSecrets(outcome: AgentOutcome, hide: (text: string) => string): AgentOutcome {
  return outcome.type === 'failed' ? { ...outcome, message: hide(outcome.message) } : outcome;
}
