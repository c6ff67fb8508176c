import { expect, test } from 'vitest';

import { rulesFromGemini } from './gemini-rules.ts';

test('[C144] [S10] what Gemini CLI excludes is denied; what Rondo cannot state is reported', () => {
  const settings = {
    excludeTools: ['write_file', 'run_shell_command(rm -rf)'],
    tools: { exclude: ['run_shell_command', 'teleport', 7], core: ['read_file', 'glob'] },
  };
  expect(rulesFromGemini(settings)).toEqual({
    rules: { allow: [], ask: [], deny: ['write(**)', 'shell(rm -rf*)', 'shell', 'run_tests'] },
    unknown: [
      { list: 'tools.exclude', text: 'teleport' },
      { list: 'tools.core', text: 'read_file, glob' },
    ],
  });
  expect(rulesFromGemini(null).rules.deny).toEqual([]);
});
