import type { Scope, Target } from '../words/intent.ts';
import { worded } from './worded.ts';

const codebase = worded(
  ['whole', 'entire', 'complete', 'every', 'across', 'throughout', 'all'],
  /\b(?:whole|entire|complete)\s+(?:code ?base|repo(?:sitory)?|project|app(?:lication)?)\b|\beverywhere\b|\b(?:across|throughout|all over)\s+(?:the|our)\b|\b(?:all|every)\s+(?:the\s+)?(?:files?|code|modules?|packages?)\b|\bevery use of\b/i,
);
const module = worded(
  ['module', 'package', 'folder', 'directory', 'subsystem', 'layer', 'library'],
  /\b(?:module|package|folder|directory|subsystem|layer|component library)\b/i,
);
const several = worded(
  ['several', 'multiple', 'many', 'these', 'those', 'both'],
  /\b(?:several|multiple|many|these|those|both)\s+(?:files?|classes|functions|components|places)\b/i,
);

/** How much of the code a request covers. */
export function findScope(text: string, target: Target | undefined): Scope {
  if (codebase.test(text)) return 'codebase';
  if (module.test(text) || target?.type === 'path') return 'module';
  if (several.test(text)) return 'several';
  return target === undefined ? 'unsaid' : 'one';
}
