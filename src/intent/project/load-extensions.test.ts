import { expect, test } from 'vitest';

import { problemToText } from '../../agents/config-problem.ts';
import { createTurnCompiler } from '../turn/compile-turn.ts';
import { shippedSources } from '../turn/intent-sources.ts';
import { loadExtensions } from './load-extensions.ts';
import { understand } from '../meaning/transducer.ts';

async function load(texts: Readonly<Record<string, string>>) {
  const files = new Map(
    Object.entries(texts).map(([name, text]) => [`.rondo/intent/${name}`, { hash: '', text }]),
  );
  return await loadExtensions({ files });
}

async function problemsOf(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const loaded = await load(texts);
  return loaded.type === 'invalid'
    ? loaded.problems.map((problem) => problemToText(problem).replace('.rondo/intent/', ''))
    : [];
}

test('a project without additions has what is shipped', async () => {
  expect(await load({})).toEqual({ type: 'loaded', sources: shippedSources });
});

test('[C100] a config and an atom may name a verb of the project in whatever order the files are found', async () => {
  const verbs = '{ "verbs": { "brew": { "category": "query", "persona": "reviewer", "priority": 90 } } }';
  const configs = '{ "configs": [{ "for": "brew", "tools": ["read"], "priority": 50 }] }';
  expect(await problemsOf({ 'configs.json': configs, 'verbs.json': verbs })).toEqual([]);
});

test('a project adds a verb, its config, an atom and a rule, and they are used', async () => {
  const loaded = await load({
    'verbs.json':
      '{ "verbs": { "deploy": { "category": "mutation", "persona": "coder", "priority": 96, "patterns": ["^deploy\\\\b"] } }, "aliases": { "ship": "deploy" } } // ours',
    'configs.json':
      '{ "configs": [{ "for": "deploy", "tools": ["shell"], "policies": [{ "verdict": "deny", "rule": "shell(rm *)" }], "priority": 60 }] }',
    'atoms.json':
      '{ "atoms": [{ "id": "domain/deploy", "category": "domain", "content": "Deploy on Tuesdays.", "priority": 50, "when": { "intent_verb": ["deploy"] } }] }',
    'ours.mg': 'ask(/shell) :- lead(/deploy), !deny(/shell).',
  });
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  const turn = createTurnCompiler(loaded.sources).compileTurn({
    intent: understand('please deploy', { verbs: loaded.sources.verbs }),
    agent: { prompt: '', tools: 'all' },
    tools: ['read', 'shell'],
    budget: { total: 8_000, reserve: 0 },
  });
  if (turn.type === 'invalid') throw new Error(turn.problem);
  expect(turn.suffix).toContain('Deploy on Tuesdays.');
  expect(turn.rules).toEqual([
    { verdict: 'ask', tool: 'shell', origin: 'agent' },
    { verdict: 'deny', tool: 'shell', pattern: 'rm *', origin: 'agent' },
  ]);
  expect(understand('/ship it', { verbs: loaded.sources.verbs }).verb).toBe('deploy');
});

test.each<[string, Record<string, string>, readonly string[]]>([
  [
    'an unknown verb in a rule',
    { 'a.mg': '\nask(/shell) :- lead(/fixx).' },
    ['a.mg:2:1: unknown verb "fixx"; did you mean "fix"?'],
  ],
  [
    'an unknown tool in a rule',
    { 'a.mg': 'deny(/shel) :- lead(/fix).' },
    ['a.mg:1:1: unknown tool "shel"; did you mean "shell"?'],
  ],
  [
    'an unknown persona in a rule',
    { 'a.mg': 'serves(/codr) :- lead(/fix).' },
    ['a.mg:1:1: unknown persona "codr"; did you mean "coder"?'],
  ],
  [
    'an unknown predicate',
    { 'a.mg': 'ask(/shell) :- leed(/fix).' },
    ['a.mg:1:1: unknown predicate leed; did you mean "lead"?'],
  ],
  [
    'a rule that cannot be read',
    { 'a.mg': 'ask(/shell) :- lead(/fix' },
    ['a.mg:1:25: expected , or ), found the end of the file'],
  ],
  [
    'a rule that is not safe',
    { 'a.mg': 'ask(T) :- lead(/fix).' },
    ['a.mg:1:1: the variable T of the head is bound by no positive part of the body'],
  ],
  [
    'a rule that cannot be stratified',
    { 'a.mg': 'deny(T) :- tool(T, _), !ask(T).' },
    ['a.mg:1:1: deny depends on its own negation: deny → ask → deny'],
  ],
  [
    'an unknown persona of a verb',
    { 'verbs.json': '{\n "verbs": {\n  "x": { "category": "query", "persona": "codr", "priority": 1 } } }' },
    ['verbs.json:3:42 verbs.x.persona: unknown persona "codr"; did you mean "coder"?'],
  ],
  [
    'a pattern that is none',
    {
      'verbs.json':
        '{ "verbs": { "x": { "category": "query", "persona": "coder", "priority": 1, "patterns": ["("] } } }',
    },
    ['verbs.json:1:90 verbs.x.patterns[0]: is not a valid regular expression.'],
  ],
  [
    'an alias of nothing',
    { 'verbs.json': '{ "verbs": {}, "aliases": { "a": "fxi" } }' },
    ['verbs.json:1:34 aliases.a: unknown verb "fxi"; did you mean "fix"?'],
  ],
  [
    'a config that allows',
    {
      'configs.json':
        '{ "configs": [{ "for": "fix", "tools": [], "policies": [{ "verdict": "allow", "rule": "shell" }], "priority": 1 }] }',
    },
    ['configs.json:1:70 configs[0].policies[0].verdict: Invalid option: expected one of "ask"|"deny".'],
  ],
  [
    'an unknown tool of a config',
    { 'configs.json': '{ "configs": [{ "for": "fix", "tools": ["raed"], "priority": 1 }] }' },
    ['configs.json:1:41 configs[0].tools[0]: unknown tool "raed"; did you mean "read"?'],
  ],
  [
    'a config for nobody',
    { 'configs.json': '{ "configs": [{ "for": "codr", "tools": [], "priority": 1 }] }' },
    ['configs.json:1:24 configs[0].for: unknown verb or persona "codr"; did you mean "coder"?'],
  ],
  [
    'an atom that depends on nothing',
    {
      'atoms.json':
        '{ "atoms": [{ "id": "a", "category": "domain", "content": "x", "priority": 1, "dependsOn": ["identity/rondoo"] }] }',
    },
    ['atoms.json:1:93 atoms[0].dependsOn[0]: unknown atom "identity/rondoo"; did you mean "identity/rondo"?'],
  ],
  [
    'atoms in a circle',
    {
      'atoms.json':
        '{ "atoms": [{ "id": "a", "category": "domain", "content": "x", "priority": 1, "dependsOn": ["a"] }] }',
    },
    ['atoms.json:1:12 atoms: atoms depend on each other in a circle: a → a.'],
  ],
  [
    'a file of another name',
    { 'verb.json': '{}' },
    ['verb.json: is ignored; use verbs.json, configs.json, atoms.json and *.mg.'],
  ],
])('%s is an error that names it and its place', async (_, texts, problems) => {
  expect(await problemsOf(texts)).toEqual(problems);
});
