import type { Verb } from '../words/verb.ts';

/** Verbs about the project and the agent itself. */
export const settlingVerbs: readonly Verb[] = [
  {
    name: 'init',
    category: 'mutation',
    persona: 'researcher',
    priority: 70,
    synonyms: ['initialize', 'initialise', 'init'],
    patterns: ['^(?:init|initiali[sz]e|initiali[sz]ing)\\b', '^set ?up (?:rondo|yourself|\\w+ here)\\b'],
  },
  {
    name: 'learn',
    category: 'query',
    persona: 'researcher',
    priority: 70,
    synonyms: ['learn', 'remember that', 'keep in mind', 'take note'],
    patterns: [
      '^(?:learn|learning|memori[sz]e)\\b',
      '^(?:fyi|for your information|for the record|heads up|be aware)\\b',
      '^(?:remember|note|keep in mind|bear in mind|take note)\\b(?! to\\b)',
    ],
  },
  {
    name: 'configure',
    category: 'instruction',
    persona: 'general',
    priority: 65,
    synonyms: ['from now on', 'always', 'configure', 'settings', 'preference'],
    patterns: [
      '^(?:answer|respond|reply|talk|speak)\\b',
      '^stop (?:asking|saying|using|telling|showing|adding|writing)\\b',
      '^be (?:more |less )?(?:brief|concise|verbose|short|polite|careful|quiet)\\b',
      '^(?:prefer|i prefer)\\b',
      '\\byour (?:answers?|replies|responses?|messages|output|tone)\\b',

      '^(?:configure|configuring)\\b',
      '\\bfrom now on\\b',
      '^(?:always|never|in future)\\b',
      '^(?:turn|switch) (?:on|off)\\b',
      '^(?:enable|disable) (?:telemetry|colou?rs?|notifications?|streaming|the theme)\\b',
      '^switch to (?:the )?(?:\\w+ )?(?:model|agent|theme|mode)\\b',
      '^(?:set|use|change) the (?:default )?(?:\\w+ )?(?:model|agent|theme)\\b',
    ],
  },
];
