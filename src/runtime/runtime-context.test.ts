import { expect, test } from 'vitest';
import type { SessionId } from '../kernel/ids.ts';
import { createRuntimeContext } from './runtime-context.ts';

const facts = {
  trace: 'ses_1.4',
  session: 'ses_1' as SessionId,
  epoch: 3,
  agent: 'coder',
  cwd: '/project',
  roots: ['/project'],
};

test('[C25] a child inherits what its parent has, but for what it overrides', () => {
  const { trace, session, epoch, agent, cwd, roots } = createRuntimeContext(facts).child({ cwd: '/project/sub' });
  expect({ trace, session, epoch, agent, cwd, roots }).toEqual({ ...facts, cwd: '/project/sub' });
});

test('[C25] cancelling a parent cancels its children and theirs; cancelling a child leaves the parent alone', () => {
  const parent = createRuntimeContext(facts);
  const [first, second] = [parent.child(), parent.child()];
  const grandchild = first.child();
  second.cancel();
  expect([parent, first, second, grandchild].map(({ signal }) => signal.aborted)).toEqual([
    false,
    false,
    true,
    false,
  ]);
  parent.cancel('enough');
  expect([parent, first, second, grandchild].map(({ signal }) => signal.aborted)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(grandchild.signal.reason).toBe('enough');
});

test('[C25] a child of a cancelled parent is born cancelled, and one that was released is let go', () => {
  const parent = createRuntimeContext(facts);
  const released = parent.child();
  released.release();
  parent.cancel();
  expect(released.signal.aborted).toBe(false);
  expect(parent.child().signal.aborted).toBe(true);
});
