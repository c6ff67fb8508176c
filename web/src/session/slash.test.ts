import { expect, test } from 'vitest';

import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { commands, runSlash, type SlashPlace } from './slash.ts';

test('[C13] a verb typed as a command is a prompt in the browser too, and is completed like a command', async () => {
  const app = { client: { session: () => undefined } } as unknown as RondoApp;
  const place = { app, live: { id: 'ses_1' } } as SlashPlace;
  expect(await runSlash('/fix the crash in login.ts', place)).toBeUndefined();
  expect(commands.list().map(({ name }) => name)).toContain('fix');
});
