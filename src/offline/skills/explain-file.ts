/** Describes a file's structure, or finds a definition. It sees shapes, not meaning, and says this. */
import { failedCall } from '../failed-call.ts';
import { structureOf, type Section } from '../file-structure.ts';
import { readNamed } from '../find-named.ts';
import { code, codeBlock } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

const entriesShown = 12;

export const explainFile: OfflineSkill = {
  name: 'explain a file',
  does: 'show what a file is made of: exports, functions, classes, headings',
  examples: ['explain src/app.ts', 'what does src/app.ts do?', 'explain the function createApp'],
  plan({ verb, isKnown, path, name, words }) {
    const asks =
      (isKnown && verb === 'explain') ||
      /^(?:explain|describe|summari[sz]e|outline|what does|how does)\b/i.test(words);
    if (!asks) return undefined;
    if (path !== undefined && !path.endsWith('/')) return explain(path);
    const isDirect = /^(?:explain|describe|what(?:'s| is| does)|how does)\b/i.test(words);
    const symbol = isDirect ? (/^[A-Za-z_$][\w$.]*$/.exec(name ?? '')?.[0] ?? plainName(words)) : undefined;
    return symbol === undefined ? undefined : define(symbol);
  },
};

/** "what does total do?": a bare word that may be a name. */
function plainName(words: string): string | undefined {
  const subject =
    /^(?:explain|describe)\s+([a-z_$][\w$]*)[.!?]*$/i.exec(words)?.[1] ??
    /^(?:what|how)\s+does\s+([a-z_$][\w$]*)\s+(?:do|work|mean|return|give)[.!?]*$/i.exec(words)?.[1];
  return subject === undefined || /^(?:it|this|that|everything|yourself|rondo)$/i.test(subject)
    ? undefined
    : subject;
}

function* explain(path: string): Plan<PlanEnd> {
  const match = yield* readNamed(path);
  if (match.type === 'none') return match.end;
  const { page } = match;
  const sections = structureOf(match.path, page.lines);
  const empty = page.lines.filter((line) => line.trim() === '').length;
  const total = page.total ?? page.lines.length;
  const size = `${counted(total, 'line')}, ${empty} empty`;
  return {
    ok: true,
    text: [
      `**${match.path}** — ${page.next === undefined ? size : `${counted(total, 'line')}; the first ${page.next - 1} were read`}`,
      ...leadOf(match.path, page.lines),
      ...(sections.length === 0
        ? [codeBlock(page.lines.join('\n'), { lines: 12 })]
        : [sectionsBySameTitle(sections).map(sectionText).join('\n')]),
      '_This is its structure. What the code means takes a language model, which I am not._',
    ].join('\n\n'),
  };
}

/** The opening comment is the author's own explanation. */
function leadOf(path: string, lines: readonly string[]): readonly string[] {
  if (/\.mdx?$/.test(path)) {
    const first = lines.find((line) => /^[A-Za-z*_`[]/.test(line));
    return first === undefined ? [] : [`> ${first.slice(0, 300)}`];
  }
  const text = /^(?:#!.*\n)?\s*(?:\/\*\*?([\s\S]*?)\*\/|((?:(?:\/\/|#)[^\n]*\n)+)|"""([\s\S]*?)""")/.exec(
    `${lines.slice(0, 40).join('\n')}\n`,
  );
  const words = (text?.[1] ?? text?.[2] ?? text?.[3] ?? '').replaceAll(/^\s*(?:\*|\/\/+!?|#+)\s?/gm, '').trim();
  return words === '' ? [] : [`> ${words.replaceAll(/\s+/g, ' ').slice(0, 300)}`];
}

function sectionsBySameTitle(sections: readonly Section[]): readonly Section[] {
  return [...Map.groupBy(sections, ({ title }) => title)].map(([title, parts]) => ({
    title,
    entries: parts.flatMap(({ entries }) => entries).toSorted((a, b) => a.line - b.line),
  }));
}

function sectionText({ title, entries }: Section): string {
  const names = entries.slice(0, entriesShown).map(({ name, line }) => `${code(name)} (${line})`);
  const left = entries.length - names.length;
  return `- **${title}** (${entries.length}): ${names.join(', ')}${left > 0 ? `, and ${left} more` : ''}`;
}

const keywords = 'function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|record';

function* define(symbol: string): Plan<PlanEnd> {
  const name = symbol.slice(symbol.lastIndexOf('.') + 1).replaceAll('$', '\\$');
  const search = yield* callTool('grep', {
    pattern: `\\b(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?${name}\\b`,
    limit: 20,
  });
  if (search.outcome !== 'success') return failedCall(search, 'searching');
  const hits = listed(search.text).lines.flatMap((line) => {
    const match = /^(.+?):(\d+):/.exec(line);
    return match === null ? [] : [{ path: match[1] ?? '', line: Number(match[2]) }];
  });
  const [first, ...others] = hits;
  if (first === undefined) return { ok: false, text: `I found no definition of ${code(symbol)} here.` };
  const page = yield* readNamed(first.path, { offset: first.line, limit: 20 });
  if (page.type === 'none') return page.end;
  return {
    ok: true,
    text: [
      `${code(symbol)} is defined in ${code(`${first.path}:${first.line}`)}${others.length > 0 ? `, and perhaps in ${counted(others.length, 'more place')}` : ''}:`,
      codeBlock(page.page.lines.join('\n'), { language: /\.(\w+)$/.exec(first.path)?.[1] ?? '', lines: 20 }),
    ].join('\n\n'),
  };
}
