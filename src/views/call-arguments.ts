import type { Body } from '../kernel/content.ts';
import { isJsonObject, jsonIn, type JsonObject } from '../kernel/json-object.ts';

export type CallArguments = JsonObject;

/** A call's arguments by name. Undefined if they are truncated or not an object. */
export function argumentsOf(args: Body): CallArguments | undefined {
  if (typeof args !== 'string') return undefined;
  const value = jsonIn(args === '' ? '{}' : args);
  return isJsonObject(value) ? value : undefined;
}
