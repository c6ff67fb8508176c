import type { Scope, Target } from './intent.ts';

/** How much of the code a request speaks of. */
export function findScope(text: string, target: Target | undefined): Scope {
  if (
    /\b(?:whole|entire|complete)\s+(?:code ?base|repo(?:sitory)?|project|app(?:lication)?)\b|\beverywhere\b|\b(?:across|throughout|all over)\s+(?:the|our)\b|\b(?:all|every)\s+(?:the\s+)?(?:files?|code|modules?|packages?)\b|\bevery use of\b/i.test(
      text,
    )
  ) {
    return 'codebase';
  }
  if (
    /\b(?:module|package|folder|directory|subsystem|layer|component library)\b/i.test(text) ||
    target?.type === 'path'
  )
    return 'module';
  if (
    /\b(?:several|multiple|many|these|those|both)\s+(?:files?|classes|functions|components|places)\b/i.test(text)
  )
    return 'several';
  return target === undefined ? 'unsaid' : 'one';
}
