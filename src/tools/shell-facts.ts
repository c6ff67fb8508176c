import type { CallFacts } from '../kernel/call.ts';
import type { ToolContext } from '../runtime/tool.ts';
import { dangersOf } from '../security/danger.ts';
import { parseCommand } from '../security/parse-command.ts';
import { isReadOnly } from './read-only-commands.ts';
import { shellGrants } from './shell-grants.ts';
import { shellReach } from './shell-reach.ts';
import { locate, pathFact } from './tool-path.ts';

/** What a policy must know about a command line, every part of it included. */
export async function shellFacts(
  command: string,
  options: { readonly shell: 'bash' | 'sh'; readonly cwd?: string | undefined },
  context: ToolContext,
): Promise<CallFacts> {
  const parsed = parseCommand(command, { shell: options.shell });
  const dangers = dangersOf(parsed).map(({ rule, severity, reason, segment }) => {
    const unit = parsed.type === 'parsed' && segment !== undefined ? parsed.segments[segment]?.text : undefined;
    return { rule, severity, reason, ...(unit !== undefined && unit !== '' && { unit }) };
  });
  const cwd = options.cwd === undefined ? [] : [await pathFact(options.cwd, 'read', context)];
  const common = { access: 'execute', runs: 'tool' } as const;
  if (parsed.type === 'unparsed') {
    const segments = [{ text: command, opaque: true }];
    return { ...common, segments, paths: cwd, dangers, grants: [], repeat: 'never', order: 'exclusive' };
  }
  const { segments } = parsed;
  const from = options.cwd === undefined ? context : { ...context, cwd: await startOf(options.cwd, context) };
  const reach = await shellReach(segments, from);
  const readOnly = segments.every(isReadOnly) && reach.paths.length === 0;
  const grants = shellGrants(parsed);
  const paths = [...cwd, ...reach.paths];
  const written = reach.paths.filter(({ inside, sensitive }) => inside && sensitive !== true);
  return {
    ...common,
    segments: segments
      .filter(({ text }) => text !== '')
      .map(({ text, opaque }) => (opaque ? { text, opaque } : { text })),
    ...(paths.length > 0 && { paths }),
    ...(dangers.length + reach.dangers.length > 0 && { dangers: [...dangers, ...reach.dangers] }),
    grants: [...grants, ...(grants.length > 0 ? written.map((fact) => `shell(${fact.path})`) : [])],
    repeat: readOnly ? 'safe' : 'never',
    order: readOnly ? 'parallel' : 'exclusive',
  };
}

async function startOf(cwd: string, context: ToolContext): Promise<string> {
  const verdict = await locate(cwd, context);
  return verdict.type === 'inside' ? verdict.real : context.cwd;
}
