/** The files that describe a project, and their content. */
import { fieldsOf, jsonIn, type JsonObject } from '../kernel/json-object.ts';
import { failedCall } from './failed-call.ts';
import { callTool, callAll, type Plan, type PlanEnd } from './plan.ts';
import { listed, readPage } from './tool-output.ts';

export interface NamedLines {
  readonly name: string;
  readonly lines: readonly string[];
}

export function* topLevelNames(): Plan<readonly string[] | PlanEnd> {
  const listing = yield* callTool('list', { depth: 1 });
  if (listing.outcome !== 'success') return failedCall(listing, 'listing the folder');
  return listed(listing.text).lines.map((line) => line.trim());
}

/** The wanted files that exist and are readable, in order. */
export function* readThose(
  names: readonly string[],
  isWanted: (name: string) => boolean,
): Plan<readonly NamedLines[]> {
  const chosen = names.filter(isWanted).slice(0, 6);
  if (chosen.length === 0) return [];
  const results = yield* callAll(chosen.map((path) => ({ tool: 'read', args: { path, limit: 2_000 } })));
  return results.flatMap(({ outcome, text }, index) =>
    outcome === 'success' ? [{ name: chosen[index] ?? '', lines: readPage(text).lines }] : [],
  );
}

/** The fields of a JSON file. None if it is invalid or cut off. */
export function jsonFieldsIn({ lines }: NamedLines): JsonObject {
  return fieldsOf(jsonIn(lines.join('\n')));
}

/** The lines of a TOML table or a Markdown section. */
export function sectionOf(lines: readonly string[], opening: RegExp, next: RegExp): readonly string[] {
  const start = lines.findIndex((line) => opening.test(line));
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => next.test(line));
  return end === -1 ? rest : rest.slice(0, end);
}
