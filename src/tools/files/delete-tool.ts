import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import type { SetFact } from '../../kernel/call-set.ts';
import { optional } from '../../kernel/optional.ts';
import { setGrant } from '../../kernel/policy/set-grant.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { physicalPath } from '../../security/paths/physical-path.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { resolveInside, sensitivityOf } from '../../security/paths/paths.ts';
import { isConfined } from '../../security/sandbox/command-sandbox.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import type { ChangeDeps } from '../define/change-facts.ts';
import { heldDeletion } from '../define/held-files.ts';
import { hasChanged, stampOf } from '../define/read-ledger.ts';
import { failure, fileFailure, type ToolFailure } from '../define/tool-failure.ts';
import { locate, outsideFailure, type PathFact, protectedName } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).describe('The file or folder, relative to the working directory.'),
    recursive: z.boolean().optional().describe('Also delete a folder that is not empty, with all that is in it.'),
  });

/** Deletes a file, a link (never its target) or a folder. */
export function createDeleteTool(deps: ChangeDeps): Tool {
  return builtinTool({
    name: 'delete',
    description: 'Deletes a file, a symbolic link or a folder. A folder that is not empty needs recursive.',
    schema,
    describe: async (args, context) => {
      const place = await placeOf(args.path, context);
      const fact: PathFact =
        place.type === 'error'
          ? { path: args.path, access: 'write', inside: false }
          : {
              path: place.label,
              access: 'write',
              inside: true,
              ...(place.sensitive && { sensitive: true }),
              ...optional({ protects: place.protects }),
            };
      const held = place.type === 'error' ? undefined : await heldDeletion(args.path, context);
      const kept = {
        ...(held !== undefined && ({ discards: 'kept' } as const)),
        ...(held !== undefined && held.ignored.length > 0 && { deletes: held.ignored }),
        ...(held !== undefined &&
          (await isConfined(context.roots, deps.sandbox)) &&
          ({ confined: true } as const)),
      };
      return {
        access: 'write',
        paths: [held === undefined ? fact : { ...fact, set: EDITS }],
        // Nobody can look at a deleted file again, so the grant covers only this path, unless a checkpoint holds it.
        grants:
          held !== undefined
            ? [setGrant(EDITS)]
            : fact.inside && fact.sensitive !== true && fact.protects === undefined
              ? [`delete(${fact.path})`]
              : [],
        ...kept,
        repeat: 'never',
        order: 'exclusive',
        runs: 'tool',
      };
    },
    run: async (args, context) => {
      const place = await placeOf(args.path, context);
      if (place.type === 'error') return place;
      try {
        const stats = await lstat(place.real);
        if (stats.isFile() && hasChanged(deps.ledger, context.session, place.real, await stampOf(place.real))) {
          return failure('changed', `${place.label} has changed since you read it. Read it again, then delete.`);
        }
        if (context.signal.aborted) return { type: 'cancelled' };
        if (!stats.isDirectory()) await unlink(place.real);
        else if (args.recursive === true) await rm(place.real, { recursive: true });
        else {
          const held = await readdir(place.real);
          if (held.length > 0) {
            return failure(
              'not-empty',
              `${place.label} contains ${held.length} entries. Set recursive to delete them all.`,
            );
          }
          await rmdir(place.real);
        }
        const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
        return {
          type: 'success',
          output: `Deleted ${kind} ${place.label}.`,
          data: { path: place.label, kind },
        };
      } catch (error) {
        return fileFailure(error, place.label);
      }
    },
  });
}

const EDITS: SetFact = { name: 'edits' };

type Place = {
  readonly type: 'place';
  readonly real: string;
  readonly label: string;
  readonly sensitive: boolean;
  readonly protects: string | undefined;
};

// Resolves the name itself, not its target. A link that leads outside is never deleted.
async function placeOf(requested: string, context: ToolContext): Promise<Place | ToolFailure> {
  const target = await locate(requested, context);
  if (target.type === 'outside') return outsideFailure(target);
  const absolute = physicalPath(context.cwd, requested);
  const folder = await resolveInside(path.dirname(absolute), { roots: context.roots });
  const isRoot = context.roots.some((root) => isBelow(path.resolve(root), absolute));
  if (folder.type === 'outside' || isRoot || target.relative === '') {
    return failure('SANDBOX_VIOLATION', `Can't delete ${requested}: it is a root folder of the session.`);
  }
  const relative = path.join(folder.relative, path.basename(absolute));
  const real = path.join(folder.real, path.basename(absolute));
  const label = relative.split(path.sep).join('/');
  return {
    type: 'place',
    real,
    label,
    protects: protectedName(label, { real, root: folder.root }),
    sensitive: sensitivityOf(relative) !== undefined || target.sensitive !== undefined,
  };
}
