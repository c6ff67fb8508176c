/**
 * Rules from "always allow" answers, saved per user and project in `$RONDO_HOME/rules.json`. They are allow rules
 * only, so any deny or ask rule still overrides them.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';

import { fieldsOf } from '../kernel/json-object.ts';
import { boundedGrant, parseRule, ruleToText, type Rule } from '../kernel/rule.ts';
import { readPrivateJson, updatePrivateJson } from './private-file.ts';

interface SavedRule {
  /** Derived from project and rule. */
  readonly id: string;
  /** The project's identity. */
  readonly project: string;
  readonly rule: string;
  readonly at: number;
  /** Who allowed it. */
  readonly by: string;
}

type SaveRule =
  | { readonly type: 'saved'; readonly saved: SavedRule }
  | { readonly type: 'no-rule'; readonly message: string };

/** Saving a rule again keeps the first record. */
export async function saveRule(
  home: string,
  wanted: { readonly project: string; readonly rule: string; readonly at: number; readonly by: string },
): Promise<SaveRule> {
  const parsed = parseRule(wanted.rule, 'allow', 'user');
  if (parsed === undefined)
    return { type: 'no-rule', message: `invalid rule "${wanted.rule}"; write tool or tool(pattern).` };
  const rule = ruleToText(parsed);
  let saved: SavedRule = { ...wanted, rule, id: ruleId(wanted.project, rule) };
  await updatePrivateJson(rulesFile(home), (value) => {
    const rules = rulesIn(value);
    const before = rules.find((other) => other.id === saved.id);
    saved = before ?? saved;
    return { version: 1, rules: before === undefined ? [...rules, saved] : rules };
  });
  return { type: 'saved', saved };
}

/** All rules or one project's, in the order they were saved. */
export async function listSavedRules(home: string, project?: string): Promise<readonly SavedRule[]> {
  const rules = rulesIn(await readPrivateJson(rulesFile(home)));
  return project === undefined ? rules : rules.filter((rule) => rule.project === project);
}

/** The revoked rule, or undefined if the id is unknown. */
export async function revokeRule(home: string, id: string): Promise<SavedRule | undefined> {
  const match = (await listSavedRules(home)).find((rule) => rule.id === id);
  if (match === undefined) return undefined;
  await updatePrivateJson(rulesFile(home), (value) => ({
    version: 1,
    rules: rulesIn(value).filter((rule) => rule.id !== id),
  }));
  return match;
}

/** A project's saved rules for the gate, as rules of the user. */
export async function savedRulesFor(home: string, project: string): Promise<readonly Rule[]> {
  return (await listSavedRules(home, project)).flatMap(({ rule }) => {
    const parsed = parseRule(rule, 'allow', 'user');
    return parsed === undefined ? [] : [boundedGrant(parsed)];
  });
}

function rulesFile(home: string): string {
  return path.join(home, 'rules.json');
}

function ruleId(project: string, rule: string): string {
  const digest = createHash('sha256').update(`${project}\0${rule}`).digest('hex');
  return `rule_${digest.slice(0, 16)}`;
}

/** Entries in an unknown format grant nothing. */
function rulesIn(value: unknown): readonly SavedRule[] {
  const rules = (value as { rules?: unknown } | undefined)?.rules;
  return Array.isArray(rules) ? rules.filter(isSavedRule) : [];
}

function isSavedRule(value: unknown): value is SavedRule {
  const { id, project, rule, at, by } = fieldsOf(value);
  return [id, project, rule, by].every((text) => typeof text === 'string') && typeof at === 'number';
}
