/** The text format of Prometheus: a family of metrics has its explanation, its type, and a line per label set. */

export type Labels = Readonly<Record<string, string>>;

export function family(
  name: string,
  help: string,
  type: 'gauge' | 'counter' | 'summary',
  values: readonly (readonly [Labels, number])[],
): readonly string[] {
  return [
    ...heading(name, help, type),
    ...values.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  ];
}

export function heading(
  name: string,
  help: string,
  type: 'gauge' | 'counter' | 'summary' | 'histogram',
): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** A node's name is free text. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
