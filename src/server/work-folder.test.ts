import { symlink } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../testing/temporary-folder.ts';
import { workFolder } from './work-folder.ts';

test('[S13] only the owner works outside the server folder, also behind a link that an agent left there', async () => {
  await using place = await temporaryFolder({ 'served/inside/a.txt': 'a', 'home/keys': 'k' });
  await symlink(place.at('home'), place.at('served/out'));
  await symlink('inside', place.at('served/in'));
  const named = [undefined, 'inside', 'in', 'out', 'out/..', '..', place.at('home'), place.at('served/inside')];
  const folders = (role: 'owner' | 'prompter') =>
    Promise.all(named.map((folder) => workFolder({ role }, place.at('served'), folder)));
  const inside = place.at('served/inside');
  expect(await folders('prompter')).toEqual([
    place.at('served'),
    inside,
    inside,
    undefined,
    place.at('served'),
    undefined,
    undefined,
    inside,
  ]);
  expect((await folders('owner')).slice(3, 7)).toEqual([
    place.at('served/out'),
    place.at('served'),
    place.folder,
    place.at('home'),
  ]);
});
