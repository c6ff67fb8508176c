/** A form with one field of text or choices. People can answer it without writing JSON. */
interface SingleField {
  readonly name: string;
  /** Absent for free text. */
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
}

/** Undefined if the form has several fields, or one of another type. */
export function singleField(schema: unknown): SingleField | undefined {
  const { properties = {} } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, Property>>;
  };
  const [[name, field] = [], ...others] = Object.entries(properties);
  if (name === undefined || others.length > 0 || field?.type !== 'string') return undefined;
  const choices = [
    ...(field.enum ?? []).map((value) => ({ value, title: value })),
    ...(field.oneOf ?? []).map((option) => ({ value: option.const, title: option.title ?? option.const })),
  ];
  if (choices.some(({ value }) => typeof value !== 'string')) return undefined;
  return choices.length === 0 ? { name } : { name, choices };
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[];
}
