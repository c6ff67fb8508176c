import { previewOf } from '../kernel/content.ts';
import type { Request } from '../kernel/prompt.ts';

/** The request in one line, as far as its text is available. */
export function requestText(request: Request): string {
  switch (request.type) {
    case 'chat':
      return previewOf(request.text);
    case 'task':
      return `run ${request.calls.map(({ tool }) => tool).join(', ')}`;
    case 'compact':
      return 'summarize the conversation';
  }
}
