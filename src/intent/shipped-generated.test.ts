import { expect, test } from 'vitest';

import { programFromData, programToData } from './datalog/program-data.ts';
import { indexPatterns } from './meaning/index-patterns.ts';
import { loadRouting } from './routing/load-routing.ts';
import { routeIntent } from './routing/route.ts';
import { shippedConfigs } from './turn/shipped-configs.ts';
import { shippedPatternIndex } from './meaning/shipped-patterns.generated.ts';
import { shippedRouting } from './routing/shipped-routing.generated.ts';
import { shippedVerbs } from './meaning/shipped-verbs.ts';
import { understand } from './meaning/transducer.ts';

// Where one of these fails: node scripts/compile-intent.ts

function loadedRouting() {
  const loaded = loadRouting({ verbs: shippedVerbs, configs: shippedConfigs });
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  return loaded.program;
}

test('the shipped index of patterns is that of the shipped verbs', () => {
  expect(shippedPatternIndex).toEqual(indexPatterns(shippedVerbs.verbs.values()));
});

test('the shipped routing program is that of the shipped rules and tables', () => {
  expect(shippedRouting).toEqual(programToData(loadedRouting()));
});

test.each([
  'fix the bug in src/a.ts',
  'just explain a.ts, do not change anything',
  'revert the last commit, then run the tests',
  '/dream of a rewrite',
])('%s: a program from data answers what the one that was loaded answers', (text) => {
  const intent = understand(text);
  const [direct, restored] = [loadedRouting(), programFromData(shippedRouting)].map((program) => {
    const { database, ...route } = routeIntent(program, intent, 'active');
    // a predicate that was only looked up has an empty relation
    const tuples = [...database.relations]
      .map(([name, relation]) => [name, relation.tuples] as const)
      .filter(([, all]) => all.length > 0);
    return { route, tuples: Object.fromEntries(tuples), derivations: database.derivations };
  });
  expect(restored).toEqual(direct);
});
