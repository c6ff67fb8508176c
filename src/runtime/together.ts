/** All of them at once; a promise only where one of them is one, for this is asked at every step of a turn. */
export function together<Values extends readonly unknown[]>(
  ...values: Values
): Gathered<Values> | Promise<Gathered<Values>> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Gathered<Values>);
}

type Gathered<Values extends readonly unknown[]> = {
  -readonly [Place in keyof Values]: Awaited<Values[Place]>;
};
