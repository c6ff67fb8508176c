/**
 * Records an agent's updates during one turn, as events and as progress.
 *
 * 1. Text is sent as progress once its chunk has been read. It becomes one report when the kind of update changes
 *    or the turn ends. The same applies to tool calls, except that a change of state is reported at once.
 * 2. An agent counts in totals. Reports contain the difference from the last count.
 * 3. Memory is bounded: a text that exceeds a limit is reported and continues as the next one.
 */
import { agentTextOf, type EffectId } from '../../kernel/ids.ts';
import type { Usage } from '../../kernel/outcome.ts';
import type { AgentCounters, AgentReport } from '../../kernel/report.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import type { AgentUpdate, ToolCallChange } from './read-update.ts';
import { optional } from '../../kernel/optional.ts';

export interface TurnRecorder {
  take(update: AgentUpdate): void;
  /** Reports pending content: the turn has ended, or something follows that must come after it. */
  flush(): void;
  /** Sends pending text as progress: the current chunk is complete. */
  tell(): void;
  /** Usage from the prompt's response, minus what was already reported. */
  remainder(usage: Usage): Usage;
}

interface HeldText {
  readonly kind: 'message' | 'thought';
  readonly message: string | undefined;
  readonly effect: EffectId;
  pieces: string[];
  /** How many of the pieces were sent. */
  sent: number;
  length: number;
}

export function createTurnRecorder(
  { effect, attempt, host, report }: Pick<AgentTurn, 'effect' | 'attempt' | 'host' | 'report'>,
  outputOf: (terminal: string) => string | undefined,
): TurnRecorder {
  let text: HeldText | undefined;
  let call: ToolCallChange | undefined;
  let texts = 0;
  let charged = 0;
  let counted: AgentCounters | undefined;
  const states = new Map<string, ToolReport['state']>();

  function takeText(update: Extract<AgentUpdate, { type: 'text' }>): void {
    flushCall();
    const isSame = text?.kind === update.kind && text.message === update.message;
    if (!isSame || (text?.length ?? 0) > longestText) flushText();
    if (text === undefined) {
      texts += 1;
      const { kind, message } = update;
      text = { kind, message, effect: agentTextOf(effect, attempt, texts), pieces: [], sent: 0, length: 0 };
    }
    text.pieces.push(update.text);
    text.length += update.text.length;
  }

  /** Sends the text of one chunk together. */
  function tell(): void {
    if (text === undefined || text.sent === text.pieces.length) return;
    const { pieces, sent } = text;
    text.sent = pieces.length;
    const kind = text.kind === 'message' ? 'text' : 'reasoning';
    const chunk = pieces.length - sent === 1 ? (pieces[sent] ?? '') : pieces.slice(sent).join('');
    host.progress({ effect: text.effect, attempt, kind, text: chunk });
  }

  function flushText(): void {
    if (text === undefined) return;
    tell();
    const { kind, pieces, effect: of } = text;
    text = undefined;
    report({ type: kind, text: pieces.join(''), effect: of });
  }

  function takeCall(change: ToolCallChange): void {
    flushText();
    if (call !== undefined && call.call !== change.call) flushCall();
    call = { ...call, ...change };
    const isNews = change.state !== undefined && change.state !== states.get(change.call);
    if (isNews || !states.has(change.call)) flushCall();
  }

  function flushCall(): void {
    if (call === undefined) return;
    const { terminals, content, ...reported } = call;
    call = undefined;
    const state = reported.state ?? states.get(reported.call) ?? 'in-progress';
    states.set(reported.call, state);
    const outputs = isOver(state) ? (terminals ?? []).flatMap((id) => outputOf(id) ?? []) : [];
    const words = [...(content === undefined ? [] : [content]), ...outputs].join('\n');
    report({ type: 'tool-call', ...reported, state, ...(words !== '' && { content: words }) });
    // A terminal's output is available only after the call.
    if (terminals !== undefined && !isOver(state)) call = { call: reported.call, terminals };
  }

  function takeUsage({ used, cost }: Extract<AgentUpdate, { type: 'usage' }>): void {
    counted ??= host.state.agentSession?.counted ?? {};
    const tokens = Math.max(0, (used ?? 0) - (counted.tokens ?? 0));
    const spent = cost === undefined ? undefined : Math.max(0, cost - (counted.cost ?? 0));
    const next = { ...counted, ...optional({ tokens: used, cost }) };
    if (next.tokens === counted.tokens && next.cost === counted.cost) return;
    counted = next;
    charged += tokens;
    const usage: Usage = {
      inputTokens: tokens,
      outputTokens: 0,
      ...optional({ cost: spent }),
      estimated: true,
    };
    report({ type: 'usage', usage, counted });
  }

  function flush(): void {
    flushText();
    flushCall();
  }

  return {
    take(update) {
      switch (update.type) {
        case 'text':
          return takeText(update);
        case 'tool-call':
          return takeCall(update.change);
        case 'usage':
          return takeUsage(update);
        case 'report':
          flush();
          return report(update.report);
      }
    },
    flush,
    tell,
    remainder: (usage) => ({ ...usage, inputTokens: Math.max(0, usage.inputTokens - charged) }),
  };
}

type ToolReport = Extract<AgentReport, { type: 'tool-call' }>;

const longestText = 1024 * 1024;

function isOver(state: ToolReport['state']): boolean {
  return state === 'completed' || state === 'failed';
}
