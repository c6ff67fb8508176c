import { isJsonObject, jsonIn } from '../kernel/json-object.ts';

/** The most telling argument: the command, the path, the address. Otherwise all of them. */
export function mainArgument(args: string): string {
  const parsed = jsonIn(args === '' ? '{}' : args);
  if (!isJsonObject(parsed)) return args;
  const main = ['command', 'path', 'pattern', 'url', 'query', 'question']
    .map((key) => parsed[key])
    .find((value) => typeof value === 'string');
  return main ?? (Object.keys(parsed).length === 0 ? '' : args);
}
