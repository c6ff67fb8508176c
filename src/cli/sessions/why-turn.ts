/** Why a turn was made as it was: what was understood of its prompt, which rules fired, what they denied. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { Intent } from '../../intent/intent.ts';
import type { TurnExplanation } from '../../intent/why.ts';
import { previewOf } from '../../kernel/content.ts';
import type { ToolAccess } from '../../kernel/permission.ts';
import { ruleToText, type Rule } from '../../kernel/rule.ts';
import { findAskedPrompt, type ReadEvents } from './asked-prompt.ts';

export interface Why {
  readonly prompt: string;
  readonly rules: readonly Rule[];
  readonly explained: TurnExplanation;
  readonly lines: readonly string[];
}

/** Of the newest prompt, or of the one that an event belongs to; undefined where no intent was worked out. */
export async function whyTurn(
  read: ReadEvents,
  { tools, config, cwd, event }: { tools: ToolAccess; config: LoadedConfig; cwd: string; event?: number },
): Promise<Why | undefined> {
  const asked = await findAskedPrompt(read, event);
  if (asked?.meaning.intent === undefined) return undefined;
  const { meaning, request, heard } = asked;
  const prompt = previewOf(request.text).slice(0, 200);
  const explained = await explain(meaning.intent as Intent, { tools, config, cwd });
  const { explanationToLines } = await import('../../intent/why.ts');
  const rules = meaning.rules ?? [];
  const lines = [`"${prompt}"`, ...heard, ...explanationToLines(explained), ...ruleLines(rules)];
  return { prompt, rules, explained, lines };
}

async function explain(
  intent: Intent,
  { tools, config, cwd }: { readonly tools: ToolAccess; readonly config: LoadedConfig; readonly cwd: string },
): Promise<TurnExplanation> {
  const [
    turns,
    { intentSourcesOf },
    { explainTurn },
    { readProjectFacts },
    { createDefaultTools },
    { createReadLedger },
    notes,
  ] = await Promise.all([
    import('../../assembly/turn-compilation.ts'),
    import('../../assembly/intent-extensions.ts'),
    import('../../intent/why.ts'),
    import('../../intent/project-facts.ts'),
    import('../../tools/default-tools.ts'),
    import('../../tools/read-ledger.ts'),
    import('../../tools/notes-tool.ts'),
  ]);
  const sources = await intentSourcesOf(config);
  const { compile } = sources === undefined ? turns.shippedCompilation() : turns.createTurnCompilation(sources);
  const all = createDefaultTools({ ledger: createReadLedger(), notes: notes.createMemoryNotes() });
  const names = all.map(({ name }) => name);
  return explainTurn(intent, compile(intent, { prompt: '', tools }, names, await readProjectFacts(cwd)));
}

function ruleLines(rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return ['Its turn was narrowed by no rule.'];
  return ['Rules that held for its turn:', ...rules.map((rule) => `  ${rule.verdict} ${ruleToText(rule)}`)];
}
