/**
 * Custom input types, in addition to those that every session accepts: a name, a schema for the data and a handler
 * that returns the resulting input. Any client may send one as `{ type: 'custom', name, data }`. The session
 * records the input that the handler returned.
 */
import type { Refusal } from '../kernel/refusal.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';
import type { ClientInput, PlainInput } from '../ports/client-input.ts';

/** Any Standard Schema: Zod, Valibot, ArkType and others. */
interface DataSchema<Data> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<Data> | Promise<Checked<Data>>;
    readonly types?: { readonly input: unknown; readonly output: Data } | undefined;
  };
}

type Checked<Data> = { readonly value: Data; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A registered input type, created with `inputType`. */
export interface InputType {
  readonly read: (data: unknown, place: InputPlace) => Promise<PlainInput | Refusal>;
}

/** The session that received the input, in its current state. */
export interface InputPlace {
  readonly session: SessionId;
  readonly state: State;
}

/**
 * Defines an input type. The handler gets validated data and returns the input to send, or a refusal for the
 * sender.
 */
export function inputType<Data>(
  schema: DataSchema<Data>,
  handle: (data: Data, place: InputPlace) => PlainInput | Refusal | Promise<PlainInput | Refusal>,
): InputType {
  return {
    async read(data, place) {
      const checked = await schema['~standard'].validate(data);
      return checked.issues === undefined ? handle(checked.value, place) : invalid(checked.issues);
    },
  };
}

export async function readCustom(
  { name, data }: Extract<ClientInput, { type: 'custom' }>,
  types: Readonly<Record<string, InputType>>,
  place: InputPlace,
): Promise<PlainInput | Refusal> {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type !== undefined) return type.read(data, place);
  const names = Object.keys(types);
  const hint = names.length === 0 ? 'This program registers none.' : `Registered: ${names.join(', ')}.`;
  return { code: 'invalid', message: `unknown input type ${JSON.stringify(name)}. ${hint}` };
}

function invalid(issues: readonly Issue[]): Refusal {
  const texts = issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  return { code: 'invalid', message: `invalid data: ${texts.join('; ')}` };
}
