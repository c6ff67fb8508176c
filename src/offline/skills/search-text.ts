/** Finds text in files: count, places and the first matches. */
import { optional } from '../../kernel/optional.ts';
import { failedCall } from '../failed-call.ts';
import { bullets, code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callAll, type Plan, type PlanEnd } from '../plan.ts';
import { isQuoted, pathFrom, quotedShape, unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

export const searchText: OfflineSkill = {
  name: 'search text',
  does: 'search the files for a text',
  examples: ['search for "TODO"', 'find createApp in src/', 'which files mention parser?'],
  plan({ words }) {
    const target = wantedIn(words.replace(/[.?!]+$/, ''));
    return target === undefined ? undefined : search(target);
  },
};

interface Wanted {
  readonly text: string;
  readonly folder?: string;
  /** It may also be a file name. */
  readonly mayBeName: boolean;
}

const where =
  /\s+(?:in|under|inside|within|below)\s+(?:the\s+)?(?:folder\s+|file\s+)?(\S+)(?:\s+(?:folder|directory))?$/i;
const everywhere =
  /\s+(?:in|across|throughout|through)\s+(?:all\s+)?(?:the\s+|this\s+|our\s+|my\s+)?(?:whole\s+|entire\s+)?(?:code ?base|code|repo(?:sitory)?|project|files?|sources?)$/i;
const shapes: readonly RegExp[] = [
  /^(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|imports?|calls?|defines?|have|has|references?)\s+(?<text>.+)$/i,
  /^(?:list|show)(?:\s+me)?\s+(?:all\s+)?(?:the\s+)?(?:files?|places|lines)\s+(?:that|which|where|with)\s+(?:we\s+)?(?:(?:contain|mention|use|import|call|define|have)s?\s+)?(?<text>.+)$/i,
  /^(?:who|what)\s+(?:calls|uses|imports|references)\s+(?<text>.+)$/i,
  /^where\s+(?:do|does|did|is|are|'s)\s+(?:we\s+|it\s+|the\s+)?(?:use\s+|call\s+|define\s+)?(?<text>.+?)(?:\s+(?:defined|used|called|declared|mentioned|set|come from|live))?$/i,
  /^(?:search|grep|look(?= for| through| in )|find|locate)(?:\s+me)?(?:\s+(?:through\s+|in\s+)?(?:the\s+)?(?:code|files?|repo(?:sitory)?|project|code ?base))?(?:\s+for)?\s+(?<text>.+)$/i,
];
const filler =
  /^(?:all\s+|every\s+|the\s+|any\s+)*(?:(?:occurrences?|uses?|usages?|references?|places?|lines?|mentions?|files?)\s+(?:of|to|with|where|that\s+(?:contain|mention|use|import|call)s?|containing|mentioning|using)\s+)?(?:the\s+)?(?:(?:text|word|string|phrase)\s+)?/i;

function wantedIn(words: string): Wanted | undefined {
  const pattern = shapes.map((shape) => shape.exec(words)?.groups?.['text']).find((text) => text !== undefined);
  if (pattern === undefined || /\b(?:web|internet|online)\b/i.test(words)) return undefined;
  const place = isQuoted(pattern) ? null : where.exec(pattern.replace(everywhere, ''));
  const folder = place === null ? undefined : pathFrom(place[1] ?? '');
  const rest = (place === null ? pattern : pattern.replace(where, '')).replace(everywhere, '').replace(filler, '');
  const inQuotes = new RegExp(`^(?:${quotedShape})$`).exec(rest.trim())?.[0];
  const text = inQuotes === undefined ? singular(unquoted(rest)) : unquoted(inQuotes);
  if (text === '' || (inQuotes === undefined && text.split(/\s+/).length > 6)) return undefined;
  const isPlace = folder === undefined || /[/.]|^\w+$/.test(folder);
  return isPlace
    ? {
        text,
        ...optional({ folder }),
        mayBeName: /^[\w.-]{2,}$/.test(text) && inQuotes === undefined,
      }
    : undefined;
}

/** Markers are singular and upper case: "TODOs" and "todos" mean TODO. */
function singular(text: string): string {
  const mark = /^(todo|fixme|hack|xxx)(?:['’]?s)?(?: comments?)?$/i.exec(text)?.[1];
  return mark?.toUpperCase() ?? text.replace(/^([A-Z]{3,})s$/, '$1');
}

/** Definitions first, because most searches want them. */
const defining =
  /^\s*(?:export\s+|public\s+|private\s+|static\s+|async\s+|default\s+|abstract\s+|pub\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|record)\s/;

function definesFirst(text: string): (a: Hit, b: Hit) => number {
  const defines = (hit: Hit): number => Number(defining.test(hit.text) && namesIt(hit.text, text));
  return (a, b) => defines(b) - defines(a);
}

/** The name directly follows the keyword. */
function namesIt(line: string, name: string): boolean {
  return line.replace(defining, '').trimStart().startsWith(name);
}

interface Hit {
  readonly file: string;
  readonly line: string;
  readonly text: string;
}

function* search({ text, folder, mayBeName }: Wanted): Plan<PlanEnd> {
  const regex = /^\/(.+)\/$/.exec(text)?.[1];
  const pattern = regex ?? text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const place = folder === undefined ? {} : { path: folder.replace(/\/+$/, '') };
  const [lines, names] = yield* callAll([
    { tool: 'grep', args: { pattern, ...place, ignore_case: text === text.toLowerCase(), limit: 200 } },
    ...(mayBeName ? [{ tool: 'glob', args: { pattern: `**/*${text}*`, ...place } }] : []),
  ]);
  if (lines === undefined || lines.outcome !== 'success')
    return failedCall(lines ?? { tool: 'grep', outcome: 'cancelled', text: '' }, 'searching');
  const match = listed(lines.text);
  const hits = match.lines.flatMap((line) => {
    const parts = /^(.+?):(\d+):(.*)$/.exec(line);
    return parts === null ? [] : [{ file: parts[1] ?? '', line: parts[2] ?? '', text: parts[3] ?? '' }];
  });
  const files = names?.outcome === 'success' ? listed(names.text).lines : [];
  const count = new Set(hits.map(({ file }) => file)).size;
  const scope = folder === undefined ? '' : ` in ${code(folder)}`;
  if (hits.length === 0 && files.length === 0) return { ok: false, text: `${code(text)} was not found${scope}.` };
  const total = `${match.isCut ? 'at least ' : ''}${counted(hits.length, 'line')} in ${counted(count, 'file')}`;
  return {
    ok: true,
    text: [
      hits.length === 0 ? `No line holds ${code(text)}${scope}.` : `${code(text)}: **${total}**${scope}`,
      ...(hits.length > 0
        ? [
            bullets(
              hits
                .toSorted(definesFirst(text))
                .map((hit) => `${code(`${hit.file}:${hit.line}`)} ${code(hit.text)}`),
              10,
            ),
          ]
        : []),
      ...(files.length > 0 ? [`Files of that name:\n\n${bullets(files.map(code), 5)}`] : []),
    ].join('\n\n'),
  };
}
