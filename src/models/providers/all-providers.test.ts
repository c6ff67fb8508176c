import { expect, test } from 'vitest';

import { configJsonSchema } from '../../agents/config-schema.ts';
import { builtInNames } from '../../agents/default-config.ts';
import { endpointsFromEnvironment } from '../detect.ts';
import { providers, wireOf } from './all-providers.ts';

test('the configuration knows every wire format, and no other', () => {
  const kinds = providers.flatMap(({ wire }) => wire?.kind ?? []);
  const listed = /"enum":(\["anthropic"[^\]]*\])/.exec(JSON.stringify(configJsonSchema()))?.[1] ?? '[]';
  expect((JSON.parse(listed) as readonly string[]).toSorted()).toEqual(kinds.toSorted());
});

test('the configuration knows the names of all endpoints that need no configuration', () => {
  expect([...builtInNames.endpoints].toSorted()).toEqual(
    endpointsFromEnvironment({})
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('every endpoint has a wire format', () => {
  const base = { OPENAI_BASE_URL: 'http://127.0.0.1:9' };
  const kinds = [{}, base].flatMap(endpointsFromEnvironment).map(({ type }) => wireOf(type).kind);
  expect(new Set(kinds)).toEqual(new Set(providers.flatMap(({ wire }) => wire?.kind ?? [])));
  expect(() => wireOf('telex')).toThrow('Unknown provider type "telex".');
});
