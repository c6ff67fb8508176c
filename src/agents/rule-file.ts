/** The rules in one file of another agent, as a layer of the configuration. */
import { layerFromValue, type ConfigLayer, type LayerName } from './config-layer.ts';
import { problemAt, problemToText, wholeFile, type ConfigProblem } from './config-problem.ts';
import { parseJsonc } from './parse-jsonc.ts';
import { withRulesBelow, type TranslatedRules } from './translated-rules.ts';

export interface OtherToolsConfig {
  readonly layers: readonly ConfigLayer[];
  readonly warnings: readonly ConfigProblem[];
}

export type Translate = (settings: unknown) => TranslatedRules;

/** `below` is where the session works, as a path from the folder that the rules are for. */
export async function rulesInFile(
  file: string,
  text: string,
  translate: Translate,
  { layer, below = '' }: { readonly layer: LayerName; readonly below?: string },
): Promise<OtherToolsConfig> {
  const parsed = await parseJsonc(text, file);
  if (parsed.type === 'invalid') {
    const [problem] = parsed.problems;
    const why = problem === undefined ? '' : ` (${problemToText({ ...problem, ...wholeFile, file: 'JSON' })})`;
    return withoutRules(file, `can't be read${why}, so its rules have no effect.`);
  }
  const { rules: written, unknown } = translate(parsed.document.value);
  const rules = withRulesBelow(written, below);
  const warnings = unknown.map(({ list, text: rule }) =>
    ruleWarning(file, [list], `Rondo has no rule like ${JSON.stringify(rule)}; it has no effect.`),
  );
  const isEmpty = Object.values(rules).every((list) => list.length === 0);
  const policy = { allow: [...rules.allow], ask: [...rules.ask], deny: [...rules.deny] };
  return { layers: isEmpty ? [] : [layerFromValue(layer, file, { policies: { default: policy } })], warnings };
}

/** A person's own allowances for another agent don't count for Rondo. */
export function tightening({ rules, unknown }: TranslatedRules): TranslatedRules {
  return { rules: { ...rules, allow: [] }, unknown: unknown.filter(({ list }) => list !== 'allow') };
}

export function withoutRules(file: string, message: string): OtherToolsConfig {
  return { layers: [], warnings: [ruleWarning(file, [], message)] };
}

export function joined(parts: readonly OtherToolsConfig[]): OtherToolsConfig {
  return { layers: parts.flatMap(({ layers }) => layers), warnings: parts.flatMap(({ warnings }) => warnings) };
}

function ruleWarning(file: string, at: readonly string[], message: string): ConfigProblem {
  return problemAt({ file, ...wholeFile }, at, 'bad-rule', message);
}
