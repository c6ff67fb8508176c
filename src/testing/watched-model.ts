import type { Message } from '../kernel/message.ts';
import { optional } from '../kernel/optional.ts';
import { createTestingModel } from '../models/testing-model.ts';
import type { Model, ModelRequest } from '../ports/model.ts';

interface WatchedRequest {
  readonly purpose: ModelRequest['purpose'];
  readonly system: string;
  readonly tools: string;
  readonly messages: readonly Message[];
}

/** The testing model, and a copy of every request it received. */
export function watchedModel(contextTokens?: number): {
  readonly model: Model;
  readonly requests: readonly WatchedRequest[];
  /** The messages of the newest request. */
  messages(): readonly Message[];
} {
  const requests: WatchedRequest[] = [];
  const testing = createTestingModel();
  return {
    requests,
    messages: () => requests.at(-1)?.messages ?? [],
    model: {
      name: 'watched',
      ...optional({ contextTokens }),
      call(request, sink, signal) {
        const { purpose, system, tools, messages } = request;
        requests.push({ purpose, system, tools: JSON.stringify(tools), messages: structuredClone([...messages]) });
        return testing.call(request, sink, signal);
      },
    },
  };
}
