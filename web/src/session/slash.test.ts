import { expect, test } from 'vitest';

import { runSlash, webSlashCommands, type SlashPlace } from './slash.ts';

test('[C13] a verb typed as a command is a prompt in the browser too, and is completed like a command', async () => {
  const place = {} as SlashPlace;
  expect(await runSlash('/fix the crash in login.ts', place)).toEqual({ type: 'not-a-command' });
  expect(webSlashCommands.map(({ name }) => name)).toContain('fix');
});
