import type { Recorded } from '../../kernel/event.ts';
import type { Intent } from '../../intent/intent.ts';
import type { ToolAccess } from '../../kernel/permission.ts';
import { ruleToText, type Rule } from '../../kernel/rule.ts';
import { previewOf } from '../../kernel/content.ts';
import type { Command } from '../command.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { storedSessionsFor } from './stored-sessions.ts';

const options = { ...jsonOption, ...storeOptions, ...commonOptions } as const;

export const whyCommand: Command = {
  usage: ['why SESSION'],
  about: `Shows what was understood of a session's newest prompt, which rules fired, what they denied for its turn, and
which pieces of the prompt were chosen or dropped. SESSION is an id, the beginning of one, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (given === undefined) throw usageError('which session? `rondo ls` shows those there are');
    await using stored = await storedSessionsFor(given, values);
    const session = await stored.find(given);
    const { state } = await stored.load(session);
    const asked = newestChat(await stored.events(session));
    if (asked?.intent === undefined) {
      console.error(`rondo why: session ${session} has no prompt whose intent was worked out`);
      return 1;
    }
    const explained = await explain(asked.intent as Intent, state.agent.tools ?? 'all');
    if (values.json === true) printJson({ session, prompt: asked.text, rules: asked.rules, ...explained.data });
    else console.log([`"${asked.text}"`, ...explained.lines, ...ruleLines(asked.rules)].join('\n'));
    return 0;
  },
};

interface Asked {
  readonly text: string;
  readonly intent?: unknown;
  readonly rules: readonly Rule[];
}

function newestChat(events: readonly Recorded[]): Asked | undefined {
  const found = events.findLast(({ event }) => event.type === 'prompt-received' && event.request.type === 'chat');
  if (found?.event.type !== 'prompt-received' || found.event.request.type !== 'chat') return undefined;
  const { text, intent, rules = [] } = found.event.request;
  return { text: previewOf(text).slice(0, 200), rules, ...(intent !== undefined && { intent }) };
}

async function explain(intent: Intent, tools: ToolAccess) {
  const [
    { compiled },
    { explainTurn, explanationToLines },
    { createDefaultTools },
    { createReadLedger },
    { createMemoryNotes },
  ] = await Promise.all([
    import('../../assembly/turn-compilation.ts'),
    import('../../intent/why.ts'),
    import('../../tools/default-tools.ts'),
    import('../../tools/read-ledger.ts'),
    import('../../tools/notes-tool.ts'),
  ]);
  const names = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() }).map(
    ({ name }) => name,
  );
  const explained = explainTurn(intent, compiled(intent, { prompt: '', tools }, names));
  return { data: explained, lines: explanationToLines(explained) };
}

function ruleLines(rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return ['Its turn was narrowed by no rule.'];
  return ['Rules that held for its turn:', ...rules.map((rule) => `  ${rule.verdict} ${ruleToText(rule)}`)];
}
