/** Awaits all values at once. Returns a promise only if one of them is a promise: every step of a turn calls this. */
export function together<Values extends readonly unknown[]>(
  ...values: Values
): Gathered<Values> | Promise<Gathered<Values>> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Gathered<Values>);
}

type Gathered<Values extends readonly unknown[]> = {
  -readonly [Place in keyof Values]: Awaited<Values[Place]>;
};
