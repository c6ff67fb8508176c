/** Renames a symbol wherever it is a whole word. */
import { optional } from '../../kernel/optional.ts';
import type { OfflineRequest } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { readAll } from '../find-named.ts';
import { bullets, code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

const mostFiles = 20;

export const renameSymbol: OfflineSkill = {
  name: 'rename a symbol',
  does: 'rename a function, class or variable wherever it stands as a whole word',
  examples: ['rename the function total to sum', 'rename createApp to makeApp in src/'],
  plan: (request) => {
    const target = wantedIn(request);
    return target === undefined ? undefined : rename(target);
  },
};

interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly path?: string;
}

const name = '[`"\']?([A-Za-z_$][\\w$]*)[`"\']?';
const shape = new RegExp(
  `^rename\\s+(?:the\\s+)?(?:function|class|method|variable|constant|type|interface|symbol|identifier|field|property)?\\s*${name}(?:\\(\\))?\\s+(?:to|into|as|->|→)\\s+${name}(?:\\(\\))?(?:\\s+(?:everywhere|in\\s+(?:all|the|this|every)\\s+.*(?:files?|project|repo(?:sitory)?|code ?base|code)|in\\s+(\\S+)))?[.!]?$`,
  'i',
);

function wantedIn({ words }: OfflineRequest): Wanted | undefined {
  const match = shape.exec(words);
  if (match === null) return undefined;
  const [, from = '', to = '', place] = match;
  if (/^(?:it|this|that|file|the)$/i.test(from) || from === to) return undefined;
  return { from, to, ...(place !== undefined && { path: unquoted(place).replace(/[/.]+$/, '') }) };
}

function* rename({ from, to, path }: Wanted): Plan<PlanEnd> {
  const word = `(?<![\\w$])${from.replaceAll('$', '\\$')}(?![\\w$])`;
  const search = yield* callTool('grep', { pattern: word, output: 'files', ...optional({ path }) });
  if (search.outcome !== 'success') return failedCall(search, 'searching');
  const files = listed(search.text).lines;
  if (files.length === 0)
    return {
      ok: false,
      text: `${code(from)} was not found${path === undefined ? '' : ` in ${code(path)}`}. Nothing was changed.`,
    };
  if (files.length > mostFiles) {
    return {
      ok: false,
      text: `**Not done:** ${code(from)} is in ${files.length} files; I change at most ${mostFiles} at once. Name a folder: \`rename ${from} to ${to} in src/\`.`,
    };
  }
  const lines: string[] = [];
  let isDone = true;
  for (const file of files) {
    const page = yield* readAll(file);
    if ('ok' in page) return page;
    const places = page.lines.join('\n').match(new RegExp(word, 'g'))?.length ?? 0;
    if (page.isLossy) {
      lines.push(`✗ ${code(file)} — it would not stay the same byte for byte if I wrote it again`);
      isDone = false;
      continue;
    }
    const content = `${page.lines.map((line) => line.replaceAll(new RegExp(word, 'g'), () => to)).join('\n')}\n`;
    const written = yield* callTool('write', { path: file, content });
    if (written.outcome === 'success') lines.push(`✓ ${code(file)} — ${counted(places, 'place')}`);
    else {
      lines.push(`✗ ${code(file)} — ${failedCall(written, 'changing it').text}`);
      isDone = false;
    }
  }
  return {
    ok: isDone,
    text: `${code(from)} → ${code(to)}:\n\n${bullets(lines, mostFiles)}\n\n_Whole words only; strings and comments too. Look over \`show my changes\`._`,
  };
}
