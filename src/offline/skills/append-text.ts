/** Appends text to a file by editing its last lines, so that the rest stays byte for byte. */
import { failedCall } from '../failed-call.ts';
import { namedPath } from '../offline-request.ts';
import { readAll } from '../find-named.ts';
import { code } from '../markdown.ts';
import { callTool, tell, type Plan, type PlanEnd } from '../plan.ts';
import { isDescription, isHalfQuoted, isQuoted, quotedShape, unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const appendText: OfflineSkill = {
  name: 'append text',
  does: 'append a text to a file',
  examples: ['append "buy eggs" to notes.txt', 'add the line "dist/" to .gitignore'],
  takesAll: true,
  plan(request) {
    const match = shape.exec(request.words)?.groups;
    if (match === undefined) return undefined;
    const { verb = '', content = '', path: pathText = '' } = match;
    const path = namedPath(pathText, request);
    if (path === undefined || isHalfQuoted(content)) return undefined;
    if (!/[./]|^[A-Z]\w+$/.test(path) || (/^(?:add|put)/i.test(verb) && !isQuoted(content))) return undefined;
    return isDescription(content) ? tell(notExact(path)) : append(path, unquoted(content));
  },
};

const shape = new RegExp(
  `^(?<verb>append|add|put)\\s+(?:(?:the|a)\\s+(?:line|text)\\s+(?:saying\\s+)?)?(?<content>(?:${quotedShape})|[\\s\\S]+?)\\s+(?:to|onto|at)\\s+(?:the\\s+end\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?(?<path>"[^"]+"|\`[^\`]+\`|\\S+)$`,
  'i',
);

function* append(path: string, text: string): Plan<PlanEnd> {
  const page = yield* readAll(path);
  if ('ok' in page) return page;
  const appended = { ok: true, text: `✓ Appended to ${code(path)}: ${code(text)}` };
  if (page.lines.length === 0) {
    const written = yield* callTool('write', { path, content: `${text}\n` });
    return written.outcome === 'success' ? appended : failedCall(written, `changing ${code(path)}`);
  }
  const end = uniqueEnd(page.lines);
  if (end === undefined)
    return { ok: false, text: `**Not done:** I cannot tell the end of ${code(path)} from its other lines.` };
  const edits = [{ old_text: end, new_text: `${end}\n${text}` }];
  const result = yield* callTool('edit', { path, edits });
  return result.outcome === 'success' ? appended : failedCall(result, `changing ${code(path)}`);
}

/** The shortest run of last lines that is unique in the file. */
function uniqueEnd(lines: readonly string[]): string | undefined {
  const whole = lines.join('\n');
  for (let count = 1; count <= Math.min(lines.length, 200); count += 1) {
    const end = lines.slice(-count).join('\n');
    if (end !== '' && whole.indexOf(end) === whole.length - end.length) return end;
  }
  return undefined;
}

function notExact(path: string): PlanEnd {
  return {
    ok: false,
    unserved: true,
    text: `I write only what is stated exactly. Put the text in quotes: \`append "…" to ${path}\`.`,
  };
}
