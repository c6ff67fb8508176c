/** What a run tells people besides its reply: what runs where, and what of their setup has no effect. */
import path from 'node:path';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Session } from '../../session/handle/session.ts';
import { presetNames, presetOf } from '../../views/rule-preset.ts';
import { costText } from '../../wording/cost.ts';
import { shortModel } from '../../wording/short-model.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { gitBranch } from '../chat/git-branch.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import type { RunCommandOptions } from './run-options.ts';

/** `claude-sonnet-5-5 · lumen-shop:main · ask · limit $2.00`. */
export async function headingOf(
  workspace: Workspace,
  session: Session,
  options: RunCommandOptions,
): Promise<string> {
  const { limits, cwd, rules, autoApprove } = options;
  const { agent, model, mode, cwd: folder } = await session.status();
  const branch = await gitBranch(folder || cwd);
  const place = `${path.basename(folder || cwd)}${branch === undefined ? '' : `:${branch}`}`;
  const limit = limits.cost === undefined ? [] : [`limit ${costText({ cost: limits.cost, costIsKnown: true })}`];
  // A new session isn't stored yet and knows only what the command line names.
  const own = optional({ agent: agent || options.agent, model: model ?? options.model });
  const ownModel = await workspace.modelOf(own).catch(() => undefined);
  const who = ownModel === undefined ? (own.agent ?? 'assistant') : shortModel(ownModel);
  const other = options.mode ?? mode;
  const how = autoApprove ? 'auto-approve' : other === 'interactive' ? presetNames[presetOf(rules)] : other;
  return [who, place, how, ...limit].join(' · ');
}

/** Names the process that continues a released session's turn. */
export async function givenUpLine({ leases }: Store, session: SessionId): Promise<string> {
  const owner = await leases.ownerOf(session);
  return owner === undefined || owner.id === leases.self.id
    ? `Resuming session ${session}.`
    : `Another process (${owner.pid}) took over session ${session} while this one was stopped. Following it there.`;
}

/** A user who configured a server should know that it didn't respond and the offline model answered. */
export async function tellOffline({ models }: Workspace, session: Session): Promise<void> {
  if (process.env['OPENAI_BASE_URL'] === undefined || (await session.status()).model !== undefined) return;
  const [best] = await (await models()).list();
  if (best?.provider === 'offline') process.stderr.write(`Using the offline model: ${best.why}.\n`);
}

/** An untrusted project gets only harmless settings. Lists the ones that were ignored. */
export function tellIgnored({ trust, ignored }: LoadedConfig): void {
  if (trust.type !== 'untrusted' || ignored.length === 0) return;
  const names = ignored.slice(0, 5).map(({ path }) => visibleLine(path));
  const more = ignored.length > names.length ? `, and ${ignored.length - names.length} more` : '';
  console.error(
    `This project's configuration isn't trusted, so these settings are ignored: ${names.join(', ')}${more}.`,
  );
  console.error('Review and trust it with `rondo trust`, or use it once with --trust-project.');
}

export async function checkRunModel(
  { models }: Workspace,
  reference: string,
  costLimit: number | undefined,
): Promise<void> {
  const available = await models();
  const problem = available.problemWith(reference) ?? available.keyProblem(reference);
  if (problem !== undefined) throw usageError(problem);
  if (costLimit === undefined || available.price(reference) !== undefined) return;
  throw usageError(
    `The price of ${reference} is unknown, so --max-cost can't be enforced. Set its price under "models" in rondo.json, or remove the limit.`,
  );
}
