import { fileURLToPath } from 'node:url';

import type { ContentBlock } from '@agentclientprotocol/sdk';

import type { Attachment } from '../../kernel/content.ts';

export interface PromptContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Converts an editor's prompt. Links become paths in the text, which the agent's own tools can follow. Embedded
 * files and images become attachments.
 */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'resource_link':
        texts.push(`@${placeOf(block.uri)}`);
        break;
      case 'image':
        attachments.push({
          name: typeof block.uri === 'string' ? placeOf(block.uri) : `image-${attachments.length + 1}`,
          mediaType: block.mimeType,
          content: block.data,
        });
        break;
      case 'resource': {
        const { resource } = block;
        const name = placeOf(resource.uri);
        texts.push(`@${name}`);
        attachments.push(
          'text' in resource
            ? { name, mediaType: resource.mimeType ?? 'text/plain', content: resource.text }
            : { name, mediaType: resource.mimeType ?? 'application/octet-stream', content: resource.blob },
        );
        break;
      }
      case 'audio':
        texts.push('[a sound that cannot be listened to]');
        break;
    }
  }
  return { text: joined(texts), attachments };
}

/** A mention may be in the middle of a sentence, so only a space separates the parts. */
function joined(texts: readonly string[]): string {
  return texts.reduce(
    (all, text) => (all === '' || /\s$/.test(all) || /^\s/.test(text) ? all + text : `${all} ${text}`),
    '',
  );
}

function placeOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
