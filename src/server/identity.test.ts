import { expect, test } from 'vitest';

import { lacks } from './identity.ts';

test('a token with too small a role is refused with the role that the call requires', () => {
  const viewer = { role: 'viewer', actor: { type: 'person', name: 'v' }, token: 'tok_1' } as const;
  expect(lacks(viewer, 'approver', 'POST /questions/{id}/answer')).toEqual({
    code: 'FORBIDDEN',
    message:
      'Token v is a viewer; POST /questions/{id}/answer requires approver. An owner issues one with `rondo token create NAME --role approver`.',
  });
  const approver = { ...viewer, role: 'approver' } as const;
  expect(lacks(approver, 'owner', 'forking a session')?.message).toContain('Token v is an approver; forking');
  expect(lacks(approver, 'prompter', 'forking a session')).toBeUndefined();
});
