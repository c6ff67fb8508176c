/** Why a turn ran as it did: its prompt's intent, which rules fired, what they denied. */
import { readProjectFacts } from '../intent/turn/project-facts.ts';
import type { Intent } from '../intent/words/intent.ts';
import { explainTurn, explanationToLines, type TurnExplanation } from '../intent/why.ts';
import { previewOf } from '../kernel/content.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import { ruleToText, type Rule } from '../kernel/rule.ts';
import type { TurnReason } from '../ports/session-client.ts';
import { createDefaultTools } from '../tools/default-tools.ts';
import { createMemoryNotes } from '../tools/talk/notes-tool.ts';
import { createReadLedger } from '../tools/define/read-ledger.ts';
import { findAskedPrompt, type ReadEvents } from './sessions/asked-prompt.ts';
import type { TurnCompilation } from './agents/turn-compilation.ts';

export interface WhyPlace {
  readonly tools: ToolAccess;
  readonly cwd: string;
  /** How prompts are compiled in the session's folder. */
  readonly turns: TurnCompilation;
  readonly event?: number | undefined;
}

/** For the newest prompt, or the one that an event belongs to. Undefined if no intent is recorded. */
export async function whyTurn(read: ReadEvents, place: WhyPlace): Promise<TurnReason | undefined> {
  const asked = await findAskedPrompt(read, place.event);
  if (asked?.meaning.intent === undefined) return undefined;
  const { meaning, request, heard } = asked;
  const prompt = previewOf(request.text).slice(0, 200);
  const explained = await explain(meaning.intent as Intent, place);
  const rules = meaning.rules ?? [];
  const lines = [`"${prompt}"`, ...heard, ...explanationToLines(explained), ...ruleLines(rules)];
  return { prompt, rules, explained: { ...explained }, lines };
}

async function explain(intent: Intent, { tools, cwd, turns }: WhyPlace): Promise<TurnExplanation> {
  const all = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
  const names = all.map(({ name }) => name);
  return explainTurn(intent, turns.compile(intent, { prompt: '', tools }, names, await readProjectFacts(cwd)));
}

function ruleLines(rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return ['No rule narrowed its turn.'];
  return ['Rules that applied to its turn:', ...rules.map((rule) => `  ${rule.verdict} ${ruleToText(rule)}`)];
}
