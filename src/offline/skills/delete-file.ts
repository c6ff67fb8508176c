import { namedPath } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { code } from '../markdown.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

export const deleteFile: OfflineSkill = {
  name: 'delete a file',
  does: 'delete a file or folder that you name',
  examples: ['delete old.txt', 'delete the folder build/ and everything in it'],
  plan(request) {
    const match =
      /^(?:delete|remove|rm|erase)\s+(?:the\s+)?(file\s+|folder\s+|directory\s+)?("[^"]+"|`[^`]+`|\S+?)(\s+(?:recursively|(?:and|with)\s+(?:everything|all)\s+(?:that\s+is\s+)?in(?:side)?\s+it))?[.!]?$/i.exec(
        request.words,
      );
    if (match === null) return undefined;
    const [, kind, text = '', recursive] = match;
    const named = namedPath(text, request);
    if (named === undefined || (kind === undefined && !/[./]|^[A-Z]\w+$/.test(named))) return undefined;
    return remove(named, recursive === undefined ? {} : { recursive: true });
  },
};

function* remove(path: string, options: { readonly recursive?: true }): Plan<PlanEnd> {
  const result = yield* callTool('delete', { path, ...options });
  if (result.outcome === 'success') return { ok: true, text: `✓ ${result.text}` };
  const failed = failedCall(result, `deleting ${code(path)}`);
  const hint = /Set recursive/.test(result.text)
    ? ` Say \`delete the folder ${path} and everything in it\` if you mean that.`
    : '';
  return { ...failed, text: failed.text.replace(/ Set recursive to delete them all\./, '') + hint };
}
