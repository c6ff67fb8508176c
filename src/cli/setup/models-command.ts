import { withStoredKeys } from '../../agents/keys.ts';
import { findModels } from '../../assembly/models/found-models.ts';
import { modelsConfigFrom } from '../../assembly/models/models-config.ts';
import { endpointsFromEnvironment } from '../../models/detect.ts';
import { priceDate } from '../../models/prices.ts';
import type { Environment } from '../../ports/environment.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import type { CliCommand } from '../command.ts';
import { modelList } from './model-list.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { priceText } from '../../wording/price.ts';
import { tableText } from '../../wording/table.ts';
import { terminalOf } from '../terminal.ts';

const options = {
  cwd: { type: 'string', value: 'DIR', help: 'folder to read configuration from (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export const modelsCommand: CliCommand = {
  usage: ['models'],
  about: `Lists the models available here and how each was found: configuration, stored API keys and those in the environment, or a running
server. An agent without a model uses the first one found without configuration.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const loaded = await configOf({ cwd: values.cwd ?? process.cwd() });
    const { env, stored } = await withStoredKeys(homeFolder(), process.env);
    const config = await modelsConfigFrom(loaded, homeFolder(), env);
    const models = await modelList(loaded, findModels({ env, stored, clock: createSystemClock(), config }));
    const missing = missingKeys(env);
    if (values.json === true) printJson({ models, notFound: missing, pricesFrom: priceDate });
    else {
      const terminal = terminalOf(process.stdout);
      const columns = ['model', 'price', { title: 'why', gives: true }] as const;
      const rows = models.map(({ id, price, why }) => [id, priceText(price), why]);
      console.log(tableText(columns, rows, terminal));
      if (terminal.isTerminal) {
        for (const { provider, why } of missing)
          console.log(terminal.paint.quiet(`unavailable: ${provider} — ${why}`));
        console.log(terminal.paint.quiet(`Prices are US dollars per million tokens, as of ${priceDate}.`));
      }
    }
    return 0;
  },
};

function missingKeys(env: Environment) {
  return endpointsFromEnvironment(env)
    .filter(({ local, apiKey, aws }) => !local && apiKey === undefined && aws?.accessKeyId === undefined)
    .map(({ name, keyFrom }) => ({ provider: name, why: `no ${keyFrom}` }));
}
