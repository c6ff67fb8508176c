/** DBOS: a turn is a workflow, each model call and the tool a step, with the system database on PostgreSQL. */
import type { TurnRuntime } from '../workload/turn-runtime.ts';
import { deltas, toolArguments, type TurnWork } from '../workload/turn-work.ts';
import { loadPackage } from './load-package.ts';

interface Dbos {
  readonly DBOS: {
    setConfig(config: object): void;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<Given extends readonly unknown[], Answer>(
      run: (...given: Given) => Promise<Answer>,
      options: { readonly name: string },
    ): (...given: Given) => Promise<Answer>;
    runStep<Answer>(run: () => Promise<Answer>, options: { readonly name: string }): Promise<Answer>;
  };
}

export async function createDbosRuntime(folder: string, work: TurnWork, address: string): Promise<TurnRuntime> {
  const { DBOS } = await loadPackage<Dbos>(folder, '@dbos-inc/dbos-sdk');
  // Streamed text isn't part of a workflow's data: it goes to whoever listens in this process.
  const listeners = new Map<string, (delta: string) => void>();
  const turn = DBOS.registerWorkflow(
    async (session: string, text: string) => {
      const call = await DBOS.runStep(
        async () => {
          await work.modelAnswers();
          return { id: work.nextCallId(), args: toolArguments, text };
        },
        { name: 'ask' },
      );
      const seen = await DBOS.runStep(
        () => {
          JSON.parse(call.args);
          return Promise.resolve(work.runTool());
        },
        { name: 'tool' },
      );
      return DBOS.runStep(
        async () => {
          await work.modelAnswers();
          let said = '';
          for (const delta of deltas) {
            said += delta;
            listeners.get(session)?.(delta);
          }
          return seen === '' ? '' : said;
        },
        { name: 'answer' },
      );
    },
    { name: 'turn' },
  );
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: address, logLevel: 'error', runAdminServer: false });
  await DBOS.launch();
  let sessions = 0;
  return {
    openSession() {
      const session = `s${process.pid}-${(sessions += 1)}`;
      return Promise.resolve({
        turn(text, onDelta) {
          listeners.set(session, onDelta);
          return turn(session, text);
        },
        close: () => Promise.resolve(void listeners.delete(session)),
      });
    },
    [Symbol.asyncDispose]: () => DBOS.shutdown(),
  };
}
