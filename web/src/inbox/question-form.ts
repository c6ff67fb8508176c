import { optional } from '../../../src/kernel/optional.ts';

/** A form from a JSON Schema. Supports flat forms with text, numbers, choices and checkboxes. */
interface FormField {
  readonly name: string;
  readonly title: string;
  /** Shown next to the title. */
  readonly hint?: string;
  /** `many`: any number of the options. */
  readonly type: 'text' | 'number' | 'boolean' | 'many';
  readonly options: readonly FormOption[];
  readonly required: boolean;
  readonly initial: FieldValue;
  /** Attributes for the browser's own validation. */
  readonly input: FieldInput;
}

interface FormOption {
  readonly value: string;
  readonly title: string;
}

interface FieldInput {
  readonly type: 'text' | 'number' | 'email' | 'url' | 'date';
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly minlength?: number;
  readonly maxlength?: number;
}

export type FieldValue = string | boolean | readonly string[];

type Json = Readonly<Record<string, unknown>>;

export function formFields(schema: unknown): readonly FormField[] {
  const { properties, required } = objectOf(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties)).map(([name, given]) => {
    const field = objectOf(given);
    const [label = name, hint] = [field['title'], field['description']].filter(isText);
    const type = typeOf(field);
    return {
      name,
      title: label,
      ...optional({ hint }),
      type,
      options: optionsOf(type === 'many' ? objectOf(field['items']) : field),
      required: needed.includes(name),
      initial: initialOf(type, field['default']),
      input: inputOf(field),
    };
  });
}

/** The submitted value. Omits empty fields. */
export function formValue(fields: readonly FormField[], values: Readonly<Record<string, FieldValue>>): Json {
  const filled = fields.flatMap(({ name, type, initial }): readonly (readonly [string, unknown])[] => {
    const value = values[name] ?? initial;
    if (type === 'boolean') return [[name, value === true]];
    if (isEmpty(value)) return [];
    return [[name, type === 'number' ? Number(value) : value]];
  });
  return Object.fromEntries(filled);
}

/** A required multiple-choice field without a selection, which the browser doesn't validate. */
export function missingField(
  fields: readonly FormField[],
  values: Readonly<Record<string, FieldValue>>,
): FormField | undefined {
  return fields.find(
    ({ name, type, required, initial }) => type === 'many' && required && isEmpty(values[name] ?? initial),
  );
}

function typeOf({ type }: Json): FormField['type'] {
  switch (type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'many';
    default:
      return 'text';
  }
}

/** Reads `enum`, or `oneOf` and `anyOf` of constants with titles. */
function optionsOf({ enum: plain, enumNames, oneOf, anyOf }: Json): readonly FormOption[] {
  const titled = [oneOf, anyOf].find((list) => Array.isArray(list));
  if (titled !== undefined) {
    return titled.map(objectOf).map(({ const: value, title }) => {
      return { value: String(value), title: isText(title) ? title : String(value) };
    });
  }
  const titles: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (!Array.isArray(plain)) return [];
  return plain.map((value, index) => ({ value: String(value), title: String(titles[index] ?? value) }));
}

function initialOf(type: FormField['type'], given: unknown): FieldValue {
  if (type === 'boolean') return given === true;
  if (type === 'many') return Array.isArray(given) ? given.map(String) : [];
  return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
}

function inputOf({ type, format, minimum, maximum, minLength, maxLength }: Json): FieldInput {
  const isNumber = type === 'number' || type === 'integer';
  return {
    type: isNumber ? 'number' : (inputTypes[String(format)] ?? 'text'),
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
    ...(isNumber && { step: type === 'integer' ? 1 : 'any' }),
    ...(typeof minLength === 'number' && { minlength: minLength }),
    ...(typeof maxLength === 'number' && { maxlength: maxLength }),
  };
}

const inputTypes: Readonly<Record<string, FieldInput['type']>> = { email: 'email', uri: 'url', date: 'date' };

function isEmpty(value: FieldValue): boolean {
  return typeof value !== 'boolean' && value.length === 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
