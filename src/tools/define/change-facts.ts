import path from 'node:path';

import type { CallFacts } from '../../kernel/call.ts';
import { setGrant } from '../../kernel/policy/set-grant.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { type CommandSandbox, isConfined } from '../../security/sandbox/command-sandbox.ts';
import { editFact } from './held-files.ts';
import type { ReadLedger } from './read-ledger.ts';
import type { PathFact } from './tool-path.ts';

/** The rule that "allow for this session" adds if no checkpoint holds the file: for its folder. */
function folderGrant(tool: string, fact: PathFact): readonly string[] {
  if (!isOrdinary(fact)) return [];
  const folder = path.posix.dirname(fact.path);
  return [folder === '.' ? `${tool}(${fact.path})` : `${tool}(${folder}/**)`];
}

function isOrdinary({ inside, sensitive, protects }: PathFact): boolean {
  return inside && sensitive !== true && protects === undefined;
}

/** Dependencies of tools that change files. */
export interface ChangeDeps {
  readonly ledger: ReadLedger;
  /** Where commands run, which determines the changes they may make without approval. */
  readonly sandbox?: CommandSandbox;
}

/** A call that changes one file. */
interface Change {
  readonly tool: string;
  readonly path: string;
  readonly repeat: CallFacts['repeat'];
  readonly sandbox: CommandSandbox | undefined;
}

/**
 * The facts of a change. If commands are sandboxed, one of them could make the change without approval, so the
 * change needs none either.
 */
export async function changeFacts(
  { tool, path: requested, repeat, sandbox }: Change,
  context: ToolContext,
): Promise<CallFacts> {
  const fact = await editFact(requested, context);
  const grants = fact.set === undefined ? folderGrant(tool, fact) : [setGrant(fact.set)];
  const isContained = isOrdinary(fact) && (await isConfined(context.roots, sandbox));
  return {
    access: 'write',
    paths: [fact],
    grants,
    ...(isContained && { confined: true }),
    repeat,
    order: 'exclusive',
    runs: 'tool',
  };
}
