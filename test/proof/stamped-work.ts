/** Prompts whose tools leave traces outside: each effect once in `world`, and stamps with the owner's epoch. */
import { existsSync, readFileSync } from 'node:fs';

/** Kind 0 only talks, 1 has an effect, 2 has an effect between stamps. */
export function somePrompt(mark: string, world: string, kind: number): string {
  if (kind === 0) return `say ${mark}`;
  const stamp = (name: string) => `echo "${name} $RONDO_SESSION $RONDO_EPOCH" >> ${world}.stamps`;
  const command =
    kind === 1
      ? `echo ${mark} >> ${world}`
      : [stamp('start'), stamp('running'), `echo ${mark} >> ${world}`, stamp('running'), stamp('stop')].join(
          '; sleep 0.1; ',
        );
  return `call shell ${JSON.stringify({ command })}\nsay ${mark} done`;
}

/** The marks of effects that happened. */
export function effectsIn(world: string): readonly string[] {
  return existsSync(world) ? readFileSync(world, 'utf8').split('\n').slice(0, -1) : [];
}

interface Stamp {
  readonly session: string;
  readonly epoch: number;
}

function readStamps(world: string): readonly Stamp[] {
  const file = `${world}.stamps`;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => {
    const [, session = '', epoch = '0'] = line.split(' ');
    return { session, epoch: Number(epoch) };
  });
}

/** An older owner's tool never writes after a newer one's. */
export function overlapsIn(world: string): readonly string[] {
  const newest = new Map<string, number>();
  return readStamps(world).flatMap(({ session, epoch }) => {
    const before = newest.get(session) ?? 0;
    newest.set(session, Math.max(before, epoch));
    return epoch < before ? [`a tool of epoch ${epoch} ran in ${session} after one of epoch ${before}`] : [];
  });
}
