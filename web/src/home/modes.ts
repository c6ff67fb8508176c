/** The modes that people choose, in their words. */
export const modes = [
  { name: 'interactive', title: 'Interactive', about: 'asks when a rule requires it' },
  { name: 'supervised', title: 'Supervised', about: 'asks before every step' },
  { name: 'batch', title: 'Batch', about: 'never asks, refuses instead' },
  { name: 'repl', title: 'REPL', about: 'runs tool calls directly' },
] as const;
