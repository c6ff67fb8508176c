/**
 * Addresses that a model composes can carry data out in their path or query. A fetch runs without approval, or
 * under a wildcard, only for an address that appeared word for word in the person's text or in a tool's output. Any
 * other address needs approval (S18). A rule that names the exact address still allows it.
 */
import type { Call } from '../kernel/call.ts';
import { previewOf } from '../kernel/content.ts';
import { fieldsOf, jsonIn } from '../kernel/json-object.ts';
import type { Message } from '../kernel/message.ts';
import { matchesTool, type Rule } from '../kernel/rule.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import { textOf } from './text-of.ts';

export async function withComposedUrls(calls: readonly Call[], host: EffectHost): Promise<readonly Call[]> {
  if (calls.every(({ facts }) => facts.urls === undefined || facts.urls.length === 0)) return calls;
  const given = (await host.messages()).filter(({ role }) => role === 'user' || role === 'tool');
  return Promise.all(calls.map((call) => withComposed(call, given, host)));
}

async function withComposed(call: Call, given: readonly Message[], host: EffectHost): Promise<Call> {
  const { facts } = call;
  const composed: string[] = [];
  for (const url of facts.urls ?? []) {
    // A pattern for several hosts isn't an address and can't carry data.
    if (!url.includes(':') || isNamed(url, call, host.state.rules)) continue;
    if (!(await stands(spellings(url, call), given, host))) composed.push(url);
  }
  if (composed.length === 0) return call;
  const dangers = composed.map((url) => ({
    rule: 'composed-url',
    severity: 'ask' as const,
    reason: `The model composed this address; it can carry data out: ${url}`,
  }));
  return { ...call, facts: { ...facts, dangers: [...(facts.dangers ?? []), ...dangers] } };
}

/** The normalized form, and the model's spelling. */
function spellings(url: string, { args }: Call): readonly string[] {
  const written = writtenIn(args).filter((one) => URL.canParse(one) && new URL(one).href === url);
  return [...new Set([url, ...written, url.replace(/\/$/, '')])];
}

/** Parses as the tool will: the last of duplicate keys wins. */
function writtenIn(args: Call['args']): readonly string[] {
  const { url, urls } = fieldsOf(jsonIn(previewOf(args)));
  return [url, ...(Array.isArray(urls) ? urls : [])].filter((one): one is string => typeof one === 'string');
}

async function stands(urls: readonly string[], messages: readonly Message[], host: EffectHost): Promise<boolean> {
  for (const message of messages.toReversed()) {
    const text = await textOf(message.text, host.read);
    if (urls.some((url) => standsIn(url, text))) return true;
  }
  return false;
}

/** Matches only the whole address: a longer one with this prefix is another address. */
function standsIn(url: string, text: string): boolean {
  for (let at = text.indexOf(url); at !== -1; at = text.indexOf(url, at + 1)) {
    const next = text.slice(at + url.length, at + url.length + 1);
    if (next === '' || /[\s"'<>)\]},;.!?]/.test(next)) return true;
  }
  return false;
}

function isNamed(url: string, { tool }: Call, rules: readonly Rule[]): boolean {
  return rules.some((rule) => rule.verdict === 'allow' && rule.pattern === url && matchesTool(rule, tool));
}
