/** Files by name or pattern. */
import { failedCall } from '../failed-call.ts';
import { bullets, code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { pathFrom, unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

export const findFiles: OfflineSkill = {
  name: 'find files',
  does: 'find files by name or pattern, and count them',
  examples: ['find config.ts', 'find all *.test.ts files', 'how many ts files are there?'],
  plan({ words }) {
    const pattern = patternIn(words);
    return pattern === undefined ? undefined : find(pattern);
  },
};

const names: Readonly<Record<string, string>> = {
  typescript: '{ts,tsx,mts}',
  javascript: '{js,jsx,mjs,cjs}',
  python: 'py',
  rust: 'rs',
  golang: 'go',
  markdown: 'md',
  yaml: '{yaml,yml}',
};

function patternIn(words: string): string | undefined {
  const text = words.replace(/[.?!]+$/, '');
  const kind =
    /^(?:how many|count(?: all| the)?|find(?: me)?(?: all)?(?: the)?|list(?: all)?(?: the)?|show(?: me)?(?: all)?(?: the)?|which|what)\s+\*?\.?(\w+)\s+files?\b(?!.*\b(?:contain|mention|use|import|with|that)\w*\b)/i
      .exec(text)?.[1]
      ?.toLowerCase();
  if (kind !== undefined && !/^(?:the|all|source|of|my|our|your|big|large|changed|new|these|those)$/.test(kind))
    return `**/*.${names[kind] ?? kind}`;
  const named =
    /^(?:find|locate|search for|look for|where(?:'s| is| are)|list|show)\s+(?:me\s+)?(?:all\s+|the\s+|any\s+|every\s+|an?\s+)*(?:files?|folders?)\s+(?:called|named|like|matching)\s+(.+)$/i.exec(
      text,
    )?.[1];
  if (named !== undefined) return asPattern(pathFrom(named));
  const bare =
    /^(?:find|locate|where(?:'s| is| are)|glob|list|search for|look for)\s+(?:me\s+)?(?:all\s+|the\s+|every\s+)*(?:files?\s+)?(\S+)(?:\s+files?)?$/i.exec(
      text,
    )?.[1];
  if (bare === undefined) return undefined;
  const target = unquoted(bare);
  const isName = /[*?{]/.test(target) || /^[\w@./-]*\.\w{1,5}$/.test(target);
  return isName ? asPattern(target) : undefined;
}

function asPattern(name: string): string {
  if (/[*?{]/.test(name)) return name.includes('/') ? name : `**/${name}`;
  return name.includes('.') ? `**/${name}` : `**/*${name}*`;
}

function* find(pattern: string): Plan<PlanEnd> {
  const result = yield* callTool('glob', { pattern });
  if (result.outcome !== 'success') return failedCall(result, 'looking for files');
  const { lines, isCut } = listed(result.text);
  if (lines.length === 0) return { ok: false, text: `No file matches ${code(pattern)}.` };
  return {
    ok: true,
    text: `**${isCut ? 'At least ' : ''}${counted(lines.length, 'file')}** ${lines.length === 1 ? 'matches' : 'match'} ${code(pattern)}:\n\n${bullets(lines.map(code), 15)}`,
  };
}
