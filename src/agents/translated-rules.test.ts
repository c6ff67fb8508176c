import { expect, test } from 'vitest';

import { withRulesBelow } from './translated-rules.ts';

test('[C144] [S10] in a folder of the project, what its rules forbid there is still forbidden', () => {
  const deny = [
    'edit(pkg/a/gen/**)',
    'read(pkg/*/keys.txt)',
    'read(pkg/**/x)',
    'read(**/.env)',
    'edit(src/**)',
    'read(pkg)',
  ];
  const rules = { allow: ['edit(pkg/a/b.ts)'], ask: ['write(pkg/a)', 'shell(pkg/a/run)'], deny };
  expect(withRulesBelow(rules, 'pkg/a')).toEqual({
    allow: rules.allow,
    ask: [...rules.ask, 'write(**)'],
    deny: [...deny, 'edit(gen/**)', 'read(keys.txt)', 'read(**/x)'],
  });
  expect(withRulesBelow(rules, '')).toBe(rules);
});
