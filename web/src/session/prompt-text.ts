import { previewOf } from '../../../src/kernel/content.ts';
import type { WaitingPrompt } from '../../../src/views/transcript-view.ts';

/** What a prompt that waits will ask for. */
export function promptText({ request }: WaitingPrompt): string {
  switch (request.type) {
    case 'chat':
      return previewOf(request.text);
    case 'task':
      return `run ${request.calls.map(({ tool }) => tool).join(', ')}`;
    case 'compact':
      return 'sum up the conversation';
  }
}
