import { expect, test } from 'vitest';

import { createMetrics } from './metrics.ts';
import { family } from './metric-text.ts';

test('a label with quotes, a backslash or a line break stays one label', () => {
  expect(family('nodes', 'Nodes.', 'gauge', [[{ node: 'a"b\\c\nd' }, 1]])).toEqual([
    '# HELP nodes Nodes.',
    '# TYPE nodes gauge',
    'nodes{node="a\\"b\\\\c\\nd"} 1',
  ]);
});

// Promtool's rules: a counter ends in `_total`, nothing else does, and only a summary has quantiles.
test('[C26] all families keep to the rules of Prometheus', () => {
  const metrics = createMetrics();
  metrics.record({ kind: 'tool', startedAt: 0, endedAt: 1, outcome: 'success' });
  metrics.answered(200);
  const sessions = { byState: new Map([['idle', 1] as const]), byHosting: new Map([['active', 1] as const]) };
  const nodes = [{ name: 'one', isAlive: true, isDraining: false, sessions: 1 }];
  const lines = metrics.text(sessions, { nodes, letters: 0 }).trimEnd().split('\n');
  metrics.close();
  const types = new Map(
    lines.flatMap((line) => {
      const [, name = '', type = ''] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, type] as const];
    }),
  );
  expect([...types].filter(([name, type]) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
  const withQuantile = lines.filter((line) => line.includes('quantile=')).map((line) => line.split('{')[0] ?? '');
  expect(new Set(withQuantile.map((name) => types.get(name)))).toEqual(new Set(['summary']));
  const samples = lines.filter((line) => !line.startsWith('#'));
  expect(samples.filter((line) => !/^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? \S+$/.test(line))).toEqual([]);
});
