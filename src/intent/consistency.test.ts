import { expect, test } from 'vitest';

import { buildConfig } from './turn/config-factory.ts';
import { createTurnCompiler } from './turn/compile-turn.ts';
import type { Intent } from './words/intent.ts';
import { matchVerbs } from './meaning/match-verb.ts';
import { loadRouting, shippedPersonas } from './routing/load-routing.ts';
import { routeIntent } from './routing/route.ts';
import { shippedConfigs } from './turn/shipped-configs.ts';
import { typedVerbs } from '../commands/typed-verbs.ts';
import { shippedVerbs } from './meaning/shipped-verbs.ts';
import { toolAccess } from './words/tool-access.ts';
import type { Verb } from './words/verb.ts';

const verbs = [...shippedVerbs.verbs.values()];

function intentFor({ name, category }: Verb): Intent {
  return {
    verb: name,
    category,
    confidence: 1,
    ambiguity: [],
    steps: [],
    readOnly: false,
    scope: 'unsaid',
    by: 'typed',
  };
}

test('[C100] the shipped verbs are those of the specification, with its categories, personas and priorities', () => {
  const expected = `review q reviewer 100 · review_enhance q reviewer 102 · security q reviewer 105 · analyze q reviewer 95 · audit q reviewer 90 · lint q reviewer 83 · explain q general 80 · explore q researcher 75 · search q researcher 85 · research q researcher 75 · read q general 82 · knowledge q general 70 · stats q general 85 · help q general 60 · greet q general 50 · dream q general 85 · debug q coder 92 · fix m coder 90 · refactor m coder 88 · optimize m coder 86 · create m coder 85 · delete m coder 85 · migrate m coder 85 · scaffold m coder 75 · document m coder 72 · write m coder 70 · format m coder 70 · git m coder 90 · campaign m coder 95 · test m tester 88 · cover m tester 84 · verify m tester 84 · benchmark q tester 80 · profile q tester 78 · init m researcher 70 · learn q researcher 70 · configure i general 65 · implement m coder 85 · modify m coder 84`;
  const rows = verbs.map(
    ({ name, category, persona, priority }) => `${name} ${category[0]} ${persona} ${priority}`,
  );
  expect(rows.toSorted()).toEqual(expected.split(' · ').toSorted());
});

test('every word that is routed like another names a verb, and its persona is the specified one', () => {
  const personas = [...shippedVerbs.aliases].map(
    ([name, verb]) => `${name} ${shippedVerbs.verbs.get(verb)?.persona}`,
  );
  expect(personas).toEqual([
    'add coder',
    'new coder',
    'generate coder',
    'update coder',
    'change coder',
    'edit coder',
    'patch coder',
    'remove coder',
    'validate tester',
    'check reviewer',
    'inspect reviewer',
    'understand researcher',
    'find researcher',
  ]);
});

test('every synonym alone leads to its verb, or to one of at least its score that is documented here', () => {
  const elsewhere = verbs.flatMap((verb) =>
    verb.synonyms.flatMap((synonym) => {
      const matches = matchVerbs(synonym, shippedVerbs);
      const own = matches.find((match) => match.verb.name === verb.name);
      const best = matches[0];
      if (own === undefined || best === undefined) return [`${verb.name}: "${synonym}" is not found`];
      return best.verb.name === verb.name ? [] : [`${verb.name}: "${synonym}" → ${best.verb.name}`];
    }),
  );
  expect(elsewhere.toSorted()).toEqual(documented.toSorted());
});

test('[C101] every verb has a persona, a config, and a gate verdict for every tool that is not free', () => {
  const loaded = loadRouting({ verbs: shippedVerbs, configs: shippedConfigs });
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  for (const verb of verbs) {
    const route = routeIntent(loaded.program, intentFor(verb), 'active');
    expect([verb.name, route.persona]).toEqual([verb.name, verb.persona]);
    expect(shippedPersonas).toContain(route.persona);
    const config = buildConfig(shippedConfigs, { personas: route.serves, verbs: [verb.name], access: 'all' });
    expect([verb.name, config.fallback]).toEqual([verb.name, false]);
    expect(config.tools.toSorted()).toEqual(route.offers.toSorted());
    for (const [tool, access] of toolAccess) {
      const isOffered = config.tools.includes(tool);
      const isFree = access === 'read' || access === 'talk';
      const asks = route.ask.includes(tool);
      const isWrite = access === 'write' && verb.category !== 'mutation';
      const expected = !isFree && (!isOffered || isWrite);
      expect([verb.name, tool, asks]).toEqual([verb.name, tool, expected]);
    }
  }
});

test('every tool a shipped config grants is one there is', () => {
  expect(shippedConfigs.flatMap(({ tools }) => tools).filter((tool) => !toolAccess.has(tool))).toEqual([]);
});

test('every verb compiles to a prompt with its persona in it', () => {
  const compiler = createTurnCompiler();
  for (const verb of verbs) {
    const turn = compiler.compileTurn({
      intent: intentFor(verb),
      agent: { prompt: 'You are Ann.', tools: 'all' },
      tools: [...toolAccess.keys()],
      budget: { total: 8_000, reserve: 1_000 },
    });
    const chosen =
      turn.type === 'compiled'
        ? turn
            .manifest()
            .atoms.filter((atom) => atom.chosen)
            .map(({ id }) => id)
        : [];
    expect(chosen).toContain(`identity/${verb.persona}`);
  }
});

/**
 * Words that belong to one verb but, standing alone, read as another. Fragments that open like a question are one
 * (`explain`). "never …" alone is a standing order. "understand" routes to the researcher. "time …" measures.
 */
const documented: readonly string[] = [
  'debug: "does not work" → explain',
  'debug: "never fires" → configure',
  'explain: "understand" → explore',
  'knowledge: "do you know" → explain',
  'knowledge: "do you remember" → explain',
  'knowledge: "have you learned" → explain',
  'optimize: "is slow" → explain',
  'profile: "time spent" → benchmark',
  'review: "what you think" → explain',
];

test('[C100] every verb that a person may type as a command is a shipped verb', () => {
  expect(typedVerbs.filter(({ name }) => !shippedVerbs.verbs.has(name))).toEqual([]);
});
