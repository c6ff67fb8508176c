import { spawn } from 'node:child_process';
import path from 'node:path';

export const agentFile = path.resolve(import.meta.dirname, '../../test/fixtures/acp-agent/main.ts');

interface DrivenAgent {
  prompt(text: string): Promise<void>;
  end(): void;
}

/** Reads the agent directly: splits and parses its lines, and delivers the texts of each chunk together. */
export async function driveAgent(cwd: string, onTexts: (texts: readonly string[]) => void): Promise<DrivenAgent> {
  const child = spawn(process.execPath, [agentFile], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (result: Message['result']) => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    const texts: string[] = [];
    for (const line of lines) {
      const { id, result, params } = JSON.parse(line) as Message;
      const text = params?.update?.content?.text;
      if (text !== undefined) texts.push(text);
      if (id !== undefined) waiting.get(id)?.(result);
    }
    if (texts.length > 0) onTexts(texts);
  });
  let asked = 0;
  const request = (method: string, params: object) =>
    new Promise<Message['result']>((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, method, params })}\n`);
    });
  await request('initialize', { protocolVersion: 1 });
  const sessionId = (await request('session/new', { cwd, mcpServers: [] }))?.sessionId;
  return {
    async prompt(text) {
      await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    },
    end: () => child.stdin.end(),
  };
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly sessionId?: string };
  readonly params?: { readonly update?: { readonly content?: { readonly text?: string } } };
}
