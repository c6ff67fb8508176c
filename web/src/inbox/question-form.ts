/** A form asked for by JSON Schema, as far as people fill such in: flat, of texts, numbers, choices and ticks. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly type: 'text' | 'number' | 'boolean';
  readonly options: readonly string[];
  readonly required: boolean;
}

type Json = Readonly<Record<string, unknown>>;

export function formFields(schema: unknown): readonly FormField[] {
  const { properties, required } = objectOf(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties)).map(([name, given]) => {
    const { type, title, description, enum: options } = objectOf(given);
    const label = [title, description, name].find((text) => typeof text === 'string' && text !== '');
    return {
      name,
      title: String(label),
      type: type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'text',
      options: Array.isArray(options) ? options.map(String) : [],
      required: needed.includes(name),
    };
  });
}

export function formValue(fields: readonly FormField[], values: Readonly<Record<string, string | boolean>>): Json {
  const filled = fields.flatMap(({ name, type }): readonly (readonly [string, unknown])[] => {
    const value = values[name];
    if (type === 'boolean') return [[name, value === true]];
    if (value === undefined || value === '') return [];
    return [[name, type === 'number' ? Number(value) : value]];
  });
  return Object.fromEntries(filled);
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
