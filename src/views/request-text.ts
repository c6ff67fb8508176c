import { previewOf } from '../kernel/content.ts';
import type { Request } from '../kernel/prompt.ts';

/** What was asked, in a line or as much of it as is at hand. */
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
