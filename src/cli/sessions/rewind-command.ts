import { rewoundLines } from '../../commands/lines/rewound-lines.ts';
import { rewoundTo } from '../../commands/rewind.ts';
import type { CliCommand } from '../command.ts';
import { numberFrom } from '../number-option.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { pointFrom, pointOptions } from './point-option.ts';
import { storedClient } from './stored-client.ts';
import { namedSession } from './stored-sessions.ts';

const options = {
  ...pointOptions,
  conversation: { type: 'boolean', help: 'rewind only the conversation' },
  files: { type: 'boolean', help: 'restore only the files' },
  undo: { type: 'boolean', help: 'undo the newest rewind' },
  ...storedOptions,
} as const;

export const rewindCommand: CliCommand = {
  usage: ['rewind SESSION (--at EVENT | --turn N | --undo) [--conversation | --files]'],
  about: `Rewinds a session to an earlier point: its conversation and the files of its folder. The journal keeps everything,
and --undo reverses the rewind. Files return to their state just before the first change after that point. Rondo
saves their current state first. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (values.conversation === true && values.files === true) {
      throw usageError("--conversation and --files can't be combined; without them both are rewound");
    }
    await using stored = await namedSession(given, values);
    const { session } = stored;
    const event = await pointFrom(values, stored.store.journal, session);
    if ((event === undefined) !== (values.undo === true))
      throw usageError('where to? pass one of --at EVENT, --turn N and --undo');
    const axes = values.conversation === true ? 'conversation' : values.files === true ? 'files' : 'both';
    await using client = storedClient(stored, session);
    const rewound = await rewoundTo(client, event === undefined ? 'undo' : { event }, axes);
    if (rewound.type === 'refused') {
      const { code, message } = rewound;
      if (values.json === true) printJson({ session, type: 'refused', refusal: { code, message } });
      else console.error(`rondo rewind: ${message}`);
      return 1;
    }
    const { result, foreign } = rewound;
    const turn = numberFrom('turn', values.turn);
    if (values.json === true) printJson({ session, ...result });
    else console.log(rewoundLines(result, { turn, foreign, undo: `rondo rewind ${session} --undo` }).join('\n'));
    return 0;
  },
};
