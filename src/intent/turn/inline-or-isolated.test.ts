import { expect, test } from 'vitest';

import { placeIntent } from './inline-or-isolated.ts';
import type { Scope } from '../words/intent.ts';
import type { OperationalMode } from '../routing/route.ts';

test.each<[string, Scope, OperationalMode, 'inline' | 'isolated']>([
  ['campaign', 'one', 'active', 'isolated'],
  ['research', 'unsaid', 'active', 'isolated'],
  ['implement', 'one', 'active', 'inline'],
  ['implement', 'unsaid', 'active', 'inline'],
  ['implement', 'several', 'active', 'isolated'],
  ['refactor', 'one', 'active', 'inline'],
  ['refactor', 'module', 'active', 'isolated'],
  ['refactor', 'codebase', 'active', 'isolated'],
  ['fix', 'codebase', 'active', 'inline'],
  ['explain', 'unsaid', 'active', 'inline'],
  ['explain', 'unsaid', 'dream', 'isolated'],
  ['dream', 'unsaid', 'active', 'isolated'],
])('[C75] %s of scope %s in %s mode runs %s', (verb, scope, mode, runs) => {
  expect(placeIntent({ verb, scope }, mode).runs).toBe(runs);
});
