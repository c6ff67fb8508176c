import { previewOf } from '../kernel/content.ts';
import type { Message } from '../kernel/message.ts';

const longest = 160;
const mostLines = 40;

/** A summary for rule-based models: the requests, the work done for them and the last reply. */
export function ruleSummary(messages: readonly Message[]): string {
  const lines = messages.flatMap((message): readonly string[] => {
    switch (message.role) {
      case 'user':
        return [`- The user asked: ${shortened(previewOf(message.text))}`];
      case 'assistant': {
        const reply = previewOf(message.text);
        const tools = message.calls.map(({ tool }) => tool);
        return [
          ...(tools.length > 0 ? [`  - called ${tools.join(', ')}`] : []),
          ...(reply === '' ? [] : [`  - said: ${shortened(reply)}`]),
        ];
      }
      case 'quoted':
        return [];
      case 'tool':
        return message.outcome === 'success' ? [] : [`  - ${message.tool} ended as ${message.outcome}`];
      case 'notice':
        return message.text.split('\n').filter((line) => /^- The user asked: |^ {2}- /.test(line));
    }
  });
  const left = lines.length - mostLines;
  return left <= 0 ? lines.join('\n') : ['(older requests are left out)', ...lines.slice(-mostLines)].join('\n');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
