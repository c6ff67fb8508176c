/** Sends typed lines, or one JSON object per line, to the attached session. */
import { createInterface } from 'node:readline';

import type { Client } from '../../client/client.ts';
import type { WireAnswer, WireInput } from '../../protocol/input-schema.ts';
import { wireAnswer } from '../../protocol/wire-answer.ts';
import { answerFrom } from '../../commands/line-answer.ts';
import type { AttachView } from './attach-view.ts';

export interface Steering {
  readonly client: Client;
  readonly session: string;
  readonly view: AttachView;
  readonly isJson: boolean;
  readonly leave: () => void;
}

export function steerByLines({ client, session, view, isJson, leave }: Steering): () => void {
  const lines = createInterface({ input: process.stdin });
  const tell = (problem: unknown) =>
    isJson
      ? console.log(JSON.stringify({ type: 'problem', message: (problem as Error).message }))
      : console.error(`(${(problem as Error).message})`);

  async function takeJson(line: string): Promise<void> {
    const value = JSON.parse(line) as
      | WireInput
      | { readonly type: 'quit' }
      | { readonly type: 'answer'; readonly question: string; readonly answer: WireAnswer };
    if (value.type === 'quit') return leave();
    if (value.type === 'answer') await client.answer(value.question, value.answer);
    else await client.send(session, value);
  }

  async function takeWords(line: string): Promise<void> {
    const said = line.trim();
    if (said === '/exit' || said === '/quit') return leave();
    if (said === '/cancel') return void (await client.send(session, { type: 'interrupt', reason: 'from attach' }));
    if (said === '') return;
    const { question } = view;
    if (question === undefined) {
      await client.send(session, { type: 'chat', text: line, delivery: view.isRunning ? 'steer' : 'queue' });
      return;
    }
    const answer = answerFrom(question.about, said);
    if (answer !== undefined) await client.answer(question.id, wireAnswer(answer));
  }

  lines.on('line', (line) => {
    void (isJson ? takeJson(line) : takeWords(line)).catch(tell);
  });
  // End of input detaches on a terminal. After the end of a pipe, the command keeps following.
  lines.on('close', () => {
    if (process.stdin.isTTY) leave();
  });
  return () => lines.close();
}
