import type { Model } from '../ports/model.ts';
import { completedReply } from './completed-reply.ts';

/** A model that streams one piece each time the test asks. */
export function steppedModel(pieces: readonly string[]) {
  const gates = pieces.map(() => Promise.withResolvers<void>());
  const moments = pieces.map(() => Promise.withResolvers<void>());
  const model: Model = {
    name: 'stepped',
    async call(_request, sink) {
      for (const [index, piece] of pieces.entries()) {
        await gates[index]?.promise;
        sink.text(piece);
        moments[index]?.resolve();
      }
      return completedReply(pieces.join(''));
    },
  };
  /** Resolves once the piece is streamed. */
  const say = (index: number) => {
    gates[index]?.resolve();
    return moments[index]?.promise;
  };
  return { model, say };
}
