import type { Verb } from '../verb.ts';

/** Verbs that judge code and change nothing. */
export const reviewingVerbs: readonly Verb[] = [
  {
    name: 'review',
    category: 'query',
    persona: 'reviewer',
    priority: 100,
    synonyms: [
      'what you think',
      'lgtm',
      'code review',
      'pull request',
      'second pair of eyes',
      'feedback',
      'review',
    ],
    patterns: [
      '\\bready to (?:merge|ship|be merged)\\b',
      '^tear\\b.*\\bapart\\b',
      '^(?:any (?:thoughts|opinions?|comments)|thoughts|opinions?|comments) (?:on|about)\\b',
      '^what do you think\\b',
      '^go over\\b',
      '^sanity[- ]check\\b',
      '^nitpick\\b',

      '^(?:review|reviewing|inspect|proofread|critique)\\b',
      '^check (?:my|the|this|our|these|over)\\b(?!.*(?:style|type|work|pass|compil|secur))',
      '^(?:take|have) a (?:\\w+ )?look at (?:my|the|this|these|our|what|<path>|<testpath>)',
      '^(?:is|are|was) .*\\b(?:any good|good enough|ok|okay|acceptable|idiomatic)$',
      '^tell me (?:if|whether) (?:it|this|that)(?:.s| is)? (?:ok|okay|good|right|fine)\\b',
      '^look (?:over|at|through) (?:my|the|this|these|our)\\b',
      '^(?:give|get) me (?:some )?feedback\\b',
      '^(?:code review|do a code review|give me a code review)\\b',
      '\\bsecond pair of eyes\\b',
      '^(?:does|do) (?:this|these|my) (?:\\w+ )?(?:look|seem) (?:ok|okay|good|right|fine)\\b',
    ],
  },
  {
    name: 'review_enhance',
    category: 'query',
    persona: 'reviewer',
    priority: 102,
    synonyms: ['suggest improvements', 'could be better', 'could be improved'],
    patterns: [
      '^(?:suggest|propose|recommend)\\b.*\\b(?:improvement|enhancement|change|refactoring|way)s?\\b',
      '^review\\b.*\\b(?:better|improve|enhance|suggest)',
      '^how (?:could|can|would|should|might) (?:\\w+ ){0,5}(?:be )?(?:improved?|better|nicer|cleaner)\\b',
      '^(?:any|got any|do you have any) (?:ideas?|suggestions?|improvements?)\\b',
      '^what (?:could|can|should|would) (?:be|i|we|you) (?:\\w+ )?(?:better|improved?|do better)\\b',
    ],
  },
  {
    name: 'security',
    category: 'query',
    persona: 'reviewer',
    priority: 105,
    synonyms: [
      'attacker',
      'hacked',
      'vulnerability',
      'vulnerabilities',
      'security',
      'injection',
      'exploit',
      'leak secrets',
      'pentest',
    ],
    patterns: [
      '^(?:could|can|is|are|how|would|what)\\b.*\\b(?:steal|hack\\w*|crack\\w*|attack\\w*|brute[- ]force|spoof\\w*|intercept\\w*|exploit\\w*|secure|insecure)\\b',

      '^(?:check|scan|review|search|look|audit|analy[sz]e|test|find|inspect|assess|do|run|perform|are|is|do we|did|have|any)\\b.*(?:\\bsecurity\\b|\\bvulnerab|\\binjections?\\b|\\bxss\\b|\\bcsrf\\b|\\bexploit|\\bcve|\\b(?:leak|expose|commit)\\w*\\b.*\\b(?:secrets?|keys?|passwords?|credentials?|tokens?)\\b|\\bhard-?coded (?:secrets?|keys?|passwords?))',
      '\\binjection (?:holes?|attacks?|flaws?|bugs?)\\b',
      '^(?:could|can|is|are|make|check|be|does|do)\\b.*\\b(?:inject\\w*|csrf|xss|secrets?|passwords?|credentials?|safe against|escaped?|saniti[sz]ed?)\\b',
      '^(?:security|threat|vulnerability) (?:review|audit|scan|check|analysis|model)\\b',
      '^how secure\\b',
    ],
  },
  {
    name: 'analyze',
    category: 'query',
    persona: 'reviewer',
    priority: 95,
    synonyms: ['tech debt', 'technical debt', 'analysis', 'analyze', 'analyse', 'complexity', 'assess'],
    patterns: [
      '^(?:look|find|search|is there|are there|any|check)\\b.*\\b(?:dead code|code smells?)\\b',
      '^how (?:tangled|complex|coupled|complicated|maintainable|modular|healthy)\\b',

      '^(?:analy[sz]e|analy[sz]ing|assess|evaluate|examine)\\b',
      '^(?:give me|do|make|run|analysis|an? analysis)\\b(?:.{0,20}\\banalysis)?(?<=analysis)\\b',
    ],
  },
  {
    name: 'audit',
    category: 'query',
    persona: 'reviewer',
    priority: 90,
    synonyms: ['audit', 'outdated', 'licences', 'licenses', 'compliance'],
    patterns: [
      '\\b(?:dependenc\\w+|packages?)\\b.*\\b(?:worry|risky|abandoned|unmaintained|unused|stale)\\b',

      '^(?:audit|npm audit)\\b',
      '^(?:check|list|show|find|which|what|are|do we)\\b.*\\b(?:outdated|deprecated packages|out of date|licen[cs]es?)\\b',
    ],
  },
  {
    name: 'lint',
    category: 'query',
    persona: 'reviewer',
    priority: 83,
    synonyms: ['lint', 'linter', 'eslint', 'oxlint', 'ruff', 'clippy', 'style check'],
    patterns: [
      '^(?:lint|linting)\\b',
      '^(?:run|execute|start) (?:the )?(?:lint\\w*|eslint|oxlint|ruff|clippy|pylint|flake8|stylelint|style check\\w*)\\b',
      '^(?:are there|any|do we have|show|list|check)\\b.*\\b(?:lint\\w*|eslint|oxlint|ruff|clippy|code style)\\b',
    ],
  },
];
