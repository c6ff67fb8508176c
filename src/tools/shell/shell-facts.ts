import path from 'node:path';

import type { CallFacts, SegmentFact } from '../../kernel/call.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { changingPrograms, lookingProgram } from '../../git/looking-program.ts';
import { dangersOf } from '../../security/danger/danger.ts';
import { parseCommand } from '../../security/shell/parse-command.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { commandEffects } from './command-effect.ts';
import { type CommandForm, commandForms } from './command-form.ts';
import type { CommandEffect } from './effect-tables.ts';
import { pushTarget } from '../git/push-target.ts';
import { plainEdit } from './plain-edit.ts';
import { isMild, readOnlySteps } from './read-only-steps.ts';
import { secretDangers, stagingOf } from '../git/secrets-to-stage.ts';
import { segmentSets } from './segment-set.ts';
import { shellGrants } from './shell-grants.ts';
import { segmentReach } from './shell-reach.ts';
import { locate, pathFact } from '../define/tool-path.ts';
import { segmentFact, isGitLook } from './segment-fact.ts';

interface ShellPlace {
  readonly shell: 'bash' | 'sh';
  readonly cwd?: string | undefined;
  /** True if commands run within their permitted reach, so that grants needn't be pinned to a script. */
  readonly isSandboxed?: boolean;
}

/** The facts of a command line, covering every part of it. */
export async function shellFacts(command: string, place: ShellPlace, context: ToolContext): Promise<CallFacts> {
  const parsed = parseCommand(command, { shell: place.shell });
  // The session's own folder is no further part of the call.
  const isElsewhere = place.cwd !== undefined && path.resolve(context.cwd, place.cwd) !== context.cwd;
  const cwd = isElsewhere ? [await pathFact(place.cwd, 'read', context)] : [];
  const common = { access: 'execute', runs: 'tool' } as const;
  if (parsed.type === 'unparsed') {
    const segments: readonly SegmentFact[] = [{ text: command, opaque: true, effect: 'unknown', once: true }];
    const dangers = dangersOf(parsed).map(({ rule, severity, reason }) => ({ rule, severity, reason }));
    return { ...common, segments, paths: cwd, dangers, grants: [], repeat: 'never', order: 'exclusive' };
  }
  const { segments } = parsed;
  const start = place.cwd === undefined ? context.cwd : await startOf(place.cwd, context);
  const folder = await folderAfter(command, segments, { ...context, cwd: start });
  const forms = commandForms(segments);
  const edits = await Promise.all(
    segments.map(async (segment) =>
      folder === undefined ? undefined : await plainEdit(segment, folder, context),
    ),
  );
  const effects = commandEffects(segments).map((effect, index) =>
    edits[index] === undefined ? effect : ({ effect: 'edit' } as const),
  );
  const { keepsFiles: _, ...elsewhere } = context;
  const at = folder ?? start;
  const reaches = await Promise.all(
    segments.map((segment, index) =>
      segmentReach(segment, forms[index]?.text ?? '', at === context.cwd ? context : { ...elsewhere, cwd: at }),
    ),
  );
  const dangers = [
    ...dangersOf(parsed).map(({ rule, severity, reason, segment = 0 }) => {
      const unit = forms[segment]?.text ?? '';
      const target = rule === 'git-push' ? pushTarget(folder) : undefined;
      const why = target === undefined ? reason : `${reason} (${target})`;
      return { rule, severity, reason: why, ...(unit !== '' && { unit }) };
    }),
    ...reaches.flatMap((reach) => reach.dangers),
    ...(await stagedSecrets(segments, forms, folder ?? start)),
  ];
  const written = reaches.flatMap((reach) => reach.paths);
  const free =
    dangers.length === 0 &&
    written.length === 0 &&
    (await readOnlySteps(command, { ...context, cwd: start })) !== undefined;
  const mild = await Promise.all(
    segments.map(async (segment) => folder !== undefined && (await isMild(segment, { ...context, cwd: folder }))),
  );
  const looking = segments.some((segment) => isGitLook(segment))
    ? folder === undefined
      ? 'cd'
      : await lookingProgram(folder)
    : undefined;
  const isChange = effects.some(({ effect }) => effect === 'repository');
  const programs = isChange && folder !== undefined ? await changingPrograms(folder) : [];
  const isPinned = place.isSandboxed !== true;
  const sets = await segmentSets(
    segments,
    effects,
    edits,
    folder === undefined ? undefined : { folder, context, isPinned, programs },
  );
  const facts = segments.flatMap((segment, index): readonly SegmentFact[] => {
    const form = forms[index];
    const effect = effects[index];
    const reach = reaches[index];
    if (form === undefined || effect === undefined || reach === undefined || form.text === '') return [];
    const known = {
      form,
      effect,
      reach,
      folder,
      isMild: mild[index] === true,
      starts: isGitLook(segment) ? looking : undefined,
      isPinned,
      programs,
      ...sets[index],
    };
    if (!free) return [segmentFact(segment, known, context)];
    // Rondo starts no program of the repository, but an agent that runs the line itself would.
    const raised = known.starts === undefined ? {} : { raisedBy: known.starts };
    return [{ text: form.text, effect: 'look', free, ...raised }];
  });
  const paths = [...cwd, ...written];
  const deletions = edits.flatMap((edit) => edit?.deletion ?? []);
  const deletes = deletions.flatMap(({ ignored }) => ignored);
  return {
    ...common,
    segments: facts,
    ...(paths.length > 0 && { paths }),
    ...(dangers.length > 0 && { dangers }),
    grants: dangers.length > 0 ? [] : shellGrants(facts, patternsOf(segments, forms, effects), written),
    ...(deletions.length > 0 && { discards: 'kept' }),
    ...(deletes.length > 0 && { deletes }),
    repeat: free ? 'safe' : 'never',
    order: free ? 'parallel' : 'exclusive',
  };
}

async function stagedSecrets(segments: readonly Segment[], forms: readonly CommandForm[], folder: string) {
  const dangers = await Promise.all(
    segments.map(async (segment, index) => {
      const staging = stagingOf(segment, folder);
      return staging === undefined ? [] : secretDangers(folder, staging, forms[index]?.text);
    }),
  );
  return dangers.flat();
}

/**
 * The words that a grant may leave open, by segment text. A wrapper leaves open the same words as its inner
 * command.
 */
function patternsOf(
  segments: readonly Segment[],
  forms: readonly CommandForm[],
  effects: readonly CommandEffect[],
): ReadonlyMap<string, string> {
  const patterns = new Map<string, string>();
  for (const [index, segment] of [...segments.entries()].toReversed()) {
    const text = forms[index]?.text;
    // A changed environment is part of the form, and then every word is fixed.
    if (text === undefined || text !== segment.text) continue;
    const inner = segments.find(
      ({ within, text: held }) => within === index && held !== '' && text.endsWith(` ${held}`),
    );
    const open = inner === undefined ? openPattern(segment, effects[index]) : patterns.get(inner.text);
    if (open === undefined) continue;
    const wrapper = inner === undefined ? '' : text.slice(0, -inner.text.length);
    if (!/[*?]/.test(wrapper)) patterns.set(text, `${wrapper}${open}`);
  }
  return patterns;
}

function openPattern({ words }: Segment, effect: CommandEffect | undefined): string | undefined {
  if (effect?.varies === undefined) return undefined;
  const fixed = words.slice(0, effect.varies);
  return fixed.every((word) => /^(?:[\w@][\w:@.-]*|--test|-m|-b)$/.test(word))
    ? `${fixed.join(' ')} *`
    : undefined;
}

/** Where the commands run. Follows a leading `cd FOLDER &&` but no other change of folder. */
async function folderAfter(
  command: string,
  segments: readonly Segment[],
  context: ToolContext,
): Promise<string | undefined> {
  const moves = segments.filter(({ words }) => /^(?:cd|pushd|popd|chdir)$/.test(words[0] ?? ''));
  if (moves.length === 0) return context.cwd;
  const [, target] = /^\s*cd\s+([\w@./-]+)\s*&&/.exec(command) ?? [];
  if (moves.length > 1 || target === undefined || target.startsWith('-')) return undefined;
  const verdict = await locate(target, context);
  return verdict.type === 'inside' ? verdict.real : undefined;
}

async function startOf(cwd: string, context: ToolContext): Promise<string> {
  const verdict = await locate(cwd, context);
  return verdict.type === 'inside' ? verdict.real : context.cwd;
}
