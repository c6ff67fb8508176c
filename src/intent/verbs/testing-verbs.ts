import type { Verb } from '../words/verb.ts';

/** Verbs that check whether and how well the code works. */
export const testingVerbs: readonly Verb[] = [
  {
    name: 'test',
    category: 'mutation',
    persona: 'tester',
    priority: 88,
    closing: true,
    synonyms: ['test', 'tests', 'unit test', 'regression test', 'test suite', 'spec'],
    patterns: [
      '^(?:test|testing)\\b',
      '^(?:run|running|execute|start|re-run|rerun)\\b(?! (?:a |the )?(?:security|lint|campaign|eslint|prettier|benchmark|profil))(?:.*\\b(?:tests?|specs?|suite|everything|pytest|vitest|jest|mocha)\\b| <testpath>)',
      '^(?:npm|pnpm|yarn|bun|cargo|go|make) (?:run )?test\\b',
      '^(?:write|add|create|generate|adding|writing)\\b.*\\b(?:tests?|specs?)\\b',
      '^(?:pytest|vitest|jest|mocha)\\b',
      '^give\\b.*\\b(?:tests?|suite|specs?) (?:an? )?(?:run|go|try)\\b',
      '\\b(?:no|without|lacks?|missing) (?:any )?(?:unit )?tests\\b',
      '^(?:give me|i need|we need) (?:an? |some )?(?:\\w+ )?tests?\\b',
    ],
  },
  {
    name: 'cover',
    category: 'mutation',
    persona: 'tester',
    priority: 84,
    synonyms: ['coverage', 'uncovered', 'untested'],
    patterns: [
      '^(?:cover|covering)\\b',
      '\\b(?:not|un) ?(?:covered|tested)\\b',
      '^(?:how much|which|what|how well)\\b.*\\b(?:covered|exercised|tested) by\\b',
      '^(?:increase|improve|raise|get|bring|extend|boost|push)\\b.*\\bcoverage\\b',
    ],
  },
  {
    name: 'verify',
    category: 'mutation',
    persona: 'tester',
    priority: 84,
    closing: true,
    synonyms: ['verify', 'validate', 'make sure', 'ensure', 'double check'],
    patterns: [
      '^did (?:that|this|it|i|we|my \\w+) break\\b',
      '^(?:see|try (?:it )?(?:and )?see|find out) (?:if|whether)\\b.*\\b(?:works?|pass\\w*|builds?|compiles?|breaks?)\\b',
      '^try it\\b',

      '^(?:verify|verifying|validate|validating|ensure|confirm|double[- ]check)\\b',
      '^(?:make|be) sure\\b',
      '^check (?:that|if|whether)\\b',
      '^check (?:that|if|whether)\\b.*\\b(?:pass|work|compil|build|run|green|still|valid|correct|ok)',
      '^(?:do|does|did|is|are)\\b.*\\b(?:tests? (?:still )?pass|pass|compile|build|everything (?:still )?(?:green|work\\w*|ok|fine)|green)\\b',
    ],
  },
  {
    name: 'benchmark',
    category: 'query',
    persona: 'tester',
    priority: 80,
    synonyms: ['benchmark', 'throughput', 'how fast'],
    patterns: [
      '^(?:is|are|how much)\\b.*\\b(?:faster|slower|quicker) (?:than|now)\\b',
      '^(?:benchmark|bench|load test|run (?:the |a )?(?:bench|load test))',
      '^how fast\\b',
      '^compare (?:the )?(?:speed|performance|throughput|latency|run ?times?)\\b',
      '\\bper (?:second|minute)\\b',
      '^(?:measure|time)\\b',
    ],
  },
  {
    name: 'profile',
    category: 'query',
    persona: 'tester',
    priority: 78,
    synonyms: ['profile', 'profiler', 'hot spots', 'hotspots', 'flame graph', 'bottleneck', 'time spent'],
    patterns: [
      '^what(?: is|.s)? (?:eats?|eating|us(?:es|ing)|hogs?|hogging|tak(?:es|ing)|burn(?:s|ing)) (?:\\w+ ){0,2}(?:cpu|memory|ram|time)\\b',

      '^(?:which|what) (?:\\w+ ){1,3}(?:burns?|eats?|hogs?|uses?|takes?|consumes?) (?:\\w+ ){0,2}(?:cpu|memory|ram|time|heap)\\b',
      '^(?:profile|profiling)\\b',
      '^(?:find|show|where)\\b.*\\b(?:hot ?spots?|bottlenecks?|time (?:is )?spent)\\b',
      '^where (?:is|does|did) (?:all )?the (?:time|memory)\\b',
    ],
  },
];
