/** Why a turn was made as it was: what was understood of its prompt, which rules fired, what they denied. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { Intent } from '../../intent/intent.ts';
import type { TurnExplanation } from '../../intent/why.ts';
import { previewOf } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Meaning } from '../../kernel/meaning.ts';
import type { ToolAccess } from '../../kernel/permission.ts';
import { answerText } from '../../kernel/question.ts';
import { ruleToText, type Rule } from '../../kernel/rule.ts';

export interface Why {
  readonly prompt: string;
  readonly rules: readonly Rule[];
  readonly explained: TurnExplanation;
  readonly lines: readonly string[];
}

/** Of the newest prompt, or of the newest up to an event; undefined where no intent was worked out. */
export async function whyTurn(
  events: readonly Recorded[],
  { tools, config, upTo = Infinity }: { tools: ToolAccess; config: LoadedConfig; upTo?: number },
): Promise<Why | undefined> {
  const asked = newestChat(events, upTo);
  if (asked?.meaning.intent === undefined) return undefined;
  const { meaning, prompt, heard } = asked;
  const explained = await explain(meaning.intent as Intent, tools, config);
  const { explanationToLines } = await import('../../intent/why.ts');
  const rules = meaning.rules ?? [];
  const lines = [`"${prompt}"`, ...heard, ...explanationToLines(explained), ...ruleLines(rules)];
  return { prompt, rules, explained, lines };
}

interface Asked {
  readonly prompt: string;
  /** As it stands after the model and the person were heard. */
  readonly meaning: Meaning;
  readonly heard: readonly string[];
}

function newestChat(events: readonly Recorded[], upTo: number): Asked | undefined {
  const at = events.findLastIndex(
    ({ event, seq }) => seq <= upTo && event.type === 'prompt-received' && event.request.type === 'chat',
  );
  const first = events[at]?.event;
  if (first?.type !== 'prompt-received' || first.request.type !== 'chat') return undefined;
  const { text, ...request } = first.request;
  let meaning: Meaning = request;
  const heard: string[] = [];
  for (const { event } of events.slice(at + 1)) {
    if (event.type === 'prompt-received') break;
    if (event.type === 'prompt-understood') {
      const { outcome } = event;
      if (outcome.type === 'understood') ({ meaning } = outcome);
      heard.push(`asked the model: ${outcome.type === 'unclear' ? outcome.problem : outcome.type}`);
    }
    if (event.type === 'question-answered' && event.meaning !== undefined) {
      ({ meaning } = event);
      heard.push(`asked what was meant: ${answerText(event.answer)}`);
    }
  }
  return { prompt: previewOf(text).slice(0, 200), meaning, heard };
}

async function explain(intent: Intent, tools: ToolAccess, config: LoadedConfig): Promise<TurnExplanation> {
  const [turns, { intentSourcesOf }, { explainTurn }, { createDefaultTools }, { createReadLedger }, notes] =
    await Promise.all([
      import('../../assembly/turn-compilation.ts'),
      import('../../assembly/intent-extensions.ts'),
      import('../../intent/why.ts'),
      import('../../tools/default-tools.ts'),
      import('../../tools/read-ledger.ts'),
      import('../../tools/notes-tool.ts'),
    ]);
  const sources = await intentSourcesOf(config);
  const { compile } = sources === undefined ? turns.shippedCompilation() : turns.createTurnCompilation(sources);
  const all = createDefaultTools({ ledger: createReadLedger(), notes: notes.createMemoryNotes() });
  const names = all.map(({ name }) => name);
  return explainTurn(intent, compile(intent, { prompt: '', tools }, names));
}

function ruleLines(rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return ['Its turn was narrowed by no rule.'];
  return ['Rules that held for its turn:', ...rules.map((rule) => `  ${rule.verdict} ${ruleToText(rule)}`)];
}
