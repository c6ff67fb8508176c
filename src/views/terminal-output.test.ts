import { expect, test } from 'vitest';

import { terminalOutput } from './terminal-output.ts';

test('[C126] output of a command is shown as a terminal would leave it', () => {
  const escape = '\u001B';
  expect(
    [
      `${escape}[1;31mred${escape}[0m plain ${escape}[38;2;1;2;3mtrue${escape}[K`,
      ' 10%\r 50%\r100%',
      'one\r\ntwo\r\nthree\r',
      `${escape}]0;a title\u0007text ${escape}]8;;https://x.test${escape}\\link${escape}]8;;${escape}\\`,
      `${escape}(B${escape}7saved${escape}8${escape}=`,
      `cut ${escape}[3`,
    ].map(terminalOutput),
  ).toEqual(['red plain true', '100%', 'one\ntwo\nthree', 'text link', 'saved', `cut ${escape}[3`]);
});
