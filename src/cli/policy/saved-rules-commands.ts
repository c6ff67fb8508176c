import { listSavedRules, revokeRule } from '../../agents/saved-rules.ts';
import { ruleToText } from '../../kernel/rule.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { printJson } from '../print-json.ts';
import type { Row } from '../../wording/table.ts';
import { printTable } from '../print-table.ts';
import type { PolicyValues } from './policy-options.ts';
import { toneOfVerdict } from './verdict-tone.ts';

/** A folder's standing rules: those from the configuration, then those saved by "always". */
export async function listRules({ cwd, all, json }: PolicyValues): Promise<number> {
  const loaded = await configOf({ cwd: cwd ?? process.cwd() });
  const saved = await listSavedRules(homeFolder(), all === true ? undefined : loaded.project.identity);
  const configured = (loaded.policies['default'] ?? []).map(({ rule, origin }) => ({
    verdict: rule.verdict,
    rule: ruleToText(rule),
    origin: rule.origin,
    place: origin.line === 0 ? origin.file : `${origin.file}:${origin.line}`,
  }));
  if (json === true) {
    printJson({ configured, saved });
    return 0;
  }
  const rows: Row[] = [
    ...configured.map(({ verdict, rule, origin, place }) => [
      { text: verdict, tone: toneOfVerdict[verdict] },
      rule,
      origin,
      place,
      '',
    ]),
    ...saved.map(({ id, rule, project, by, at }) => [
      { text: 'allow', tone: toneOfVerdict.allow },
      rule,
      'saved',
      `by ${by}, ${new Date(at).toISOString().slice(0, 10)}, for ${project}`,
      id,
    ]),
  ];
  const columns = ['verdict', 'rule', 'from', { title: 'where', gives: true }, 'id'];
  const none =
    'No configured or saved rules: the built-in ones apply. `rondo policy explain COMMAND` shows what they decide.';
  // An empty list alone would say that nothing is allowed.
  if (rows.length === 0) console.error(none);
  else printTable(columns, rows);
  return 0;
}

export async function revoke(id: string, { json }: PolicyValues): Promise<number> {
  const revoked = await revokeRule(homeFolder(), id);
  if (revoked === undefined) {
    console.error(`rondo policy: unknown saved rule ${id}; \`rondo policy list --all\` lists them.`);
    return 2;
  }
  if (json === true) printJson({ revoked });
  else {
    console.log(`Revoked ${revoked.rule} for ${revoked.project}.`);
    console.log('Resumed sessions lose it too. The session that granted it keeps its own grant.');
  }
  return 0;
}
