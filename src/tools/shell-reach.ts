// How far a command line reaches into the file system, as far as its words tell.
//
// 1. Where it writes by redirection is judged as a path, like a write by any other tool.
// 2. A file outside the roots that a program is told to write is refused; one that it may read, and
//    anything in the temporary folder, is asked about.
// 3. What is known only when run is asked about where it is written to.
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

import type { CallFacts } from '../kernel/call.ts';
import type { ToolContext } from '../runtime/tool.ts';
import { isBelow } from '../security/paths.ts';
import { type Argument, argumentsOf, readsOf, writesOf } from '../security/segment-facts.ts';
import type { Segment } from '../security/segment.ts';
import { locate, pathFact, type PathFact } from './tool-path.ts';

export interface ShellReach {
  readonly paths: readonly PathFact[];
  readonly dangers: NonNullable<CallFacts['dangers']>;
}

type Danger = ShellReach['dangers'][number];

export async function shellReach(segments: readonly Segment[], context: ToolContext): Promise<ShellReach> {
  const paths: PathFact[] = [];
  const dangers: Danger[] = [];
  for (const segment of segments) {
    for (const { kind, target, dynamic } of segment.redirects) {
      if (kind === 'read' || isDevice(target)) continue;
      if (dynamic) dangers.push(ask('unknown-target', `It writes to ${target}, which is known only when run.`));
      else if (isTemporary(target))
        dangers.push(ask('write-outside', `It writes to ${target}, outside the session's folders.`));
      else paths.push(await pathFact(expandHome(target), 'write', context));
    }
    const redirected = new Set(segment.redirects.flatMap(({ kind, target }) => (kind === 'read' ? [] : [target])));
    const written = writesOf(segment).filter(({ text }) => !redirected.has(text));
    for (const target of written) {
      const fact = await outsideFact(target, context);
      if (fact === undefined) continue;
      if (isTemporary(fact))
        dangers.push(ask('write-outside', `It writes to ${fact}, outside the session's folders.`));
      else paths.push({ path: fact, access: 'write', inside: false });
    }
    const writes = new Set(written.map(({ text }) => text));
    for (const word of readsOf(segment)) {
      if (writes.has(word.text) || redirected.has(word.text)) continue;
      const fact = await outsideFact(word, context);
      if (fact !== undefined && (existsSync(fact) || isFolderChange(segment))) {
        dangers.push(ask('read-outside', `It reaches ${fact}, outside the session's folders.`));
      }
    }
  }
  return { paths, dangers };
}

/** The absolute path a word stands for, where it is one and leads out of the roots. */
async function outsideFact({ text, dynamic }: Argument, context: ToolContext): Promise<string | undefined> {
  const candidate = expandHome(valueOf(text));
  const looksLikePath = candidate.startsWith('/') || candidate.split('/').includes('..');
  if (dynamic || !looksLikePath || isDevice(candidate) || candidate.includes('://')) return undefined;
  const absolute = path.resolve(context.cwd, candidate);
  const verdict = await locate(absolute, context);
  return verdict.type === 'outside' ? absolute : undefined;
}

function valueOf(word: string): string {
  const equals = /^-{1,2}[\w-]+=(.*)$/s.exec(word);
  return equals?.[1] ?? word;
}

function expandHome(text: string): string {
  return text === '~' || text.startsWith('~/') ? path.join(homedir(), text.slice(1)) : text;
}

function isDevice(target: string): boolean {
  return /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|u?random|fd\/\d+)$/.test(target);
}

function isTemporary(target: string): boolean {
  const absolute = path.resolve('/', target);
  return target.startsWith('/') && [tmpdir(), '/tmp', '/var/tmp'].some((folder) => isBelow(absolute, folder));
}

function isFolderChange(segment: Segment): boolean {
  return ['cd', 'pushd'].includes(segment.words[0] ?? '') && argumentsOf(segment).length > 0;
}

function ask(rule: string, reason: string): Danger {
  return { rule, severity: 'ask', reason };
}
