import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { plainLook } from '../../testing/plain-look.ts';
import { reconnectCard } from './reconnect-card.ts';

test("only of another machine's server the card tells that the session keeps running", () => {
  const text = (server: string, process?: 'gone' | 'alive') =>
    reconnectCard({ server, process, since: 0, unsent: 0, nextTryAt: undefined, now: 9000 }, plainLook(200))
      .map(stripVTControlCharacters)
      .join('\n');
  expect(text('studio')).toContain('The session keeps running there.');
  expect(text('local')).not.toContain('keeps running');
  expect(text('local')).toContain('If the server stopped, `rondo serve` starts it again.');
  expect(text('local')).toContain('leave and run `rondo -c --alone`');
  expect(text('local', 'gone')).toContain('The server stopped: `rondo serve` starts it again.');
  expect(text('local', 'alive')).toContain("Its process still runs, but doesn't answer.");
});
