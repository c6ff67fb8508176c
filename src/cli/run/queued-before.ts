/**
 * Permissions of a run belong to its own prompt. Prompts that are queued in the session run before it and were given
 * without them, so a person agrees first. Without a person, the run ends before it changes anything (S2).
 */
import { ruleToText } from '../../kernel/rule.ts';
import { loadSession } from '../../session/read/load-session.ts';
import { resolveSessionId } from '../../session/read/resolve-session-id.ts';
import { statusOf } from '../../views/status.ts';
import { counted } from '../../wording/counted.ts';
import { agrees } from '../agrees.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import { queuedLine } from './queued-prompts.ts';
import type { RunCommandOptions } from './run-options.ts';

export async function agreeOnQueued(
  { store: { journal } }: Pick<Workspace, 'store'>,
  { session, rules, autoApprove }: Pick<RunCommandOptions, 'session' | 'rules' | 'autoApprove'>,
  { isAttended }: { readonly isAttended: boolean },
): Promise<void> {
  if (session === undefined) return;
  const id = await resolveSessionId(journal, session);
  const state = id === undefined ? undefined : (await loadSession(journal, id))?.state;
  if (id === undefined || state === undefined || state.imported?.isForeign === true) return;
  const had = new Set(state.rules.map(ruleToText));
  const added = rules.filter((rule) => rule.verdict === 'allow' && !had.has(ruleToText(rule)));
  const { prompts } = statusOf(state).queue;
  if (prompts.length === 0 || (added.length === 0 && !autoApprove)) return;
  const flags = [
    ...added.map((rule) => `--allow ${ruleToText(rule)}`),
    ...(autoApprove ? ['--auto-approve'] : []),
  ];
  const what = `${counted(prompts.length, 'queued prompt')} of session ${id} would run first, also under ${flags.join(' ')}:`;
  const list = prompts.map(queuedLine).join('\n');
  if (!isAttended) {
    throw usageError(
      `${what}\n${list}\nRun your prompt without these options, or clear the queue first: rondo run --session ${id} "/queue clear"`,
    );
  }
  process.stderr.write(`${what}\n${list}\n`);
  if (!(await agrees('Run them that way?'))) throw usageError('Nothing was run. The queue stays as it was.');
}
