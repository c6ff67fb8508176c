import { isOwnRule, ruleToText } from '../kernel/rule.ts';
import type { RulesChange } from '../ports/client-input.ts';
import type { SessionClient } from '../ports/session-client.ts';
import { changed } from './changed.ts';
import { misuse, sessionCommand, type SessionPlace } from './command.ts';
import type { CommandResult, PermissionEntry } from './command-result.ts';
import { readPermissions } from './read-permissions.ts';

/** With what ends it. */
interface Permission extends Omit<PermissionEntry, 'isRevocable'> {
  readonly revoke?: () => Promise<CommandResult>;
}

export const permissions = sessionCommand({
  name: 'permissions',
  isForPeople: true,
  aliases: ['rules'],
  parameters: [{ name: 'change' }],
  summary: 'show the rules and grants with their origin; revoke N ends one',
  async run({ change }, place) {
    const entries = await permissionsOf(place);
    if (change === undefined) {
      const rows = entries.map(({ revoke, ...entry }) => ({ ...entry, isRevocable: revoke !== undefined }));
      return { type: 'permissions', entries: rows };
    }
    const [, number] = /^revoke\s+(\d+)$/i.exec(change) ?? [];
    if (number === undefined) return misuse(`/permissions takes revoke N, not "${change}"`);
    const entry = entries[Number(number) - 1];
    if (entry === undefined) return { type: 'refused', message: `There is no rule ${number}.` };
    if (entry.revoke !== undefined) return entry.revoke();
    const where = entry.from === 'built-in' ? 'built in' : `from the ${entry.from} configuration`;
    return { type: 'refused', message: `${entry.rule} is ${where}; \`rondo policy list\` names its file.` };
  },
});

async function permissionsOf({ rondo, session }: SessionPlace): Promise<readonly Permission[]> {
  const [{ rules = [], grants }, saved] = await Promise.all([readPermissions(session), rondo.savedRules()]);
  return [
    ...grants.map(({ rule, by }) => ({
      verdict: 'allow' as const,
      rule,
      from: `allowed by ${by}, this session`,
      revoke: () => endIn(session, rule, { revoke: [rule] }),
    })),
    ...rules.map((rule) => ({
      verdict: rule.verdict,
      rule: ruleToText(rule),
      from: rule.origin,
      ...(isOwnRule(rule) && {
        revoke: () => endIn(session, ruleToText(rule), { remove: [ruleToText(rule)] }),
      }),
    })),
    ...saved.map(({ id, rule, by, project }) => ({
      verdict: 'allow' as const,
      rule,
      from: `always, by ${by}, in ${project}`,
      revoke: async (): Promise<CommandResult> =>
        (await rondo.revokeRule(id))
          ? { type: 'done', text: `Revoked ${rule}. New and resumed sessions ask again.` }
          : { type: 'refused', message: `${rule} was already revoked.` },
    })),
  ];
}

async function endIn(session: SessionClient, ended: string, change: RulesChange): Promise<CommandResult> {
  return changed(await session.send({ type: 'rules', ...change }), `Revoked ${ended}.`);
}
