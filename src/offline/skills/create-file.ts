/** Creates a file with exactly the given content. It never overwrites. */
import { failedCall } from '../failed-call.ts';
import { code, codeBlock } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, tell, type Plan, type PlanEnd } from '../plan.ts';
import { isDescription, isHalfQuoted, pathFrom, quotedShape, unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const createFile: OfflineSkill = {
  name: 'create a file',
  does: 'create a file with the content you give',
  examples: ['create notes.txt with "buy milk"', 'write "hello" to greeting.txt'],
  takesAll: true,
  plan({ words }) {
    const match = shapes.map((shape) => shape.exec(words)?.groups).find((groups) => groups !== undefined);
    const path = pathFrom(match?.['path'] ?? '');
    if (match === undefined || !/^[^\s"'`]*[./][^\s"'`]*$/.test(path) || path.endsWith('/')) return undefined;
    const content = match['content'] ?? match['more'] ?? '';
    if (isHalfQuoted(content)) return undefined;
    return isDescription(content) ? tell(notExact(path)) : create(path, unquoted(content));
  },
};

const name = '"[^"]+"|`[^`]+`|\\S+';
const shapes: readonly RegExp[] = [
  new RegExp(
    `^(?:create|make|write|add|save|touch)\\s+(?:me\\s+)?(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:empty\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?(?<path>${name}?)(?:,?\\s+(?:with|containing|saying|holding|that\\s+(?:says|contains|holds))(?:\\s+(?:the\\s+)?(?:contents?|text|lines?))?\\s*:?\\s+(?<content>[\\s\\S]+)|\\s*:\\s+(?<more>[\\s\\S]+))?$`,
    'i',
  ),
  new RegExp(
    `^(?:write|save|put)\\s+(?:the\\s+(?:text|line)\\s+)?(?<content>${quotedShape})\\s+(?:to|into|in)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?(?<path>${name})$`,
    'i',
  ),
];

function* create(path: string, content: string): Plan<PlanEnd> {
  const before = yield* callTool('read', { path, limit: 1 });
  if (before.outcome === 'success') {
    return {
      ok: false,
      text: `**Not done:** ${code(path)} exists already, and I overwrite nothing. Say \`append … to ${path}\`, \`replace … with … in ${path}\`, or delete it first.`,
    };
  }
  if (before.outcome !== 'error' || !/does not exist/.test(before.text))
    return failedCall(before, `creating ${code(path)}`);
  const text = content === '' || content.endsWith('\n') ? content : `${content}\n`;
  const result = yield* callTool('write', { path, content: text });
  if (result.outcome !== 'success') return failedCall(result, `creating ${code(path)}`);
  const size = text === '' ? 'empty' : counted(text.trimEnd().split('\n').length, 'line');
  return {
    ok: true,
    text: `✓ Created ${code(path)} (${size}).${text === '' ? '' : `\n\n${codeBlock(text.trimEnd(), { lines: 12 })}`}`,
  };
}

function notExact(path: string): PlanEnd {
  return {
    ok: false,
    unserved: true,
    text: `I write only what is stated exactly; thinking up content takes a language model. Put the content in quotes: \`create ${path} with "…"\`.`,
  };
}
