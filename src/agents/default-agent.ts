import type { AgentDefinition } from './agent-definition.ts';
import { assistantPrompt } from './assistant-prompt.ts';

/** The built-in agent. It grants nothing: the standing rules decide. */
export const assistant: AgentDefinition = {
  name: 'assistant',
  description: 'A general assistant that reads, changes and runs things in your project.',
  runs: 'model',
  prompt: assistantPrompt,
  tools: 'all',
  rules: [],
  limits: {},
  resources: [],
  understand: 'rules',
  compile: false,
  origin: { layer: 'default', file: 'the defaults', line: 0, column: 0 },
};

/** The agent that executes its prompt line by line, for experiments and tests. Its model has the same name. */
export const testing = 'testing';
