// [C149] Share links in a browser that isn't signed in.
import { expect, test } from 'vitest';

import { setStage } from './stage.ts';

const stage = setStage({});

test('[C149] a link opens one session without signing in, read-only and redacted, until it is revoked', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const session = await stage.app.create({ agent: 'testing', title: 'For everyone' });
  await stage.app.chat(session, `say The plan is ready. ${secret}`);
  const page = await stage.open(`/s/${session}`);
  await page.getByRole('log').locator('.markdown', { hasText: 'The plan is ready.' }).waitFor();
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByLabel('Link').inputValue();

  const other = await page.context().browser()?.newContext();
  const guest = await other?.newPage();
  if (other === undefined || guest === undefined) throw new Error('There is no browser.');
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'For everyone', exact: true, level: 1 }).first().waitFor();
  await guest.getByText('The plan is ready.', { exact: false }).first().waitFor();
  for (const hidden of [secret, session, stage.app.project]) expect(await guest.content()).not.toContain(hidden);
  expect(await guest.locator('article').innerText()).not.toMatch(/<details|<summary/);
  expect(await guest.getByRole('textbox').count()).toBe(0);
  expect((await guest.request.get(`${stage.app.url}/api/v1/sessions/${session}`)).status()).toBe(401);

  const { shares } = await stage.app.call<{ shares: readonly { id: string; session: string }[] }>(
    'GET',
    '/shares',
  );
  expect(shares.map((share) => share.session)).toEqual([session]);
  await stage.app.call('DELETE', `/shares/${shares[0]?.id}`);
  await guest.reload();
  await guest.getByText('This link has expired or was revoked.').waitFor();
  await other.close();
});
