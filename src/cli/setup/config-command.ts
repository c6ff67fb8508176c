import path from 'node:path';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import { problemToText, wholeFile } from '../../agents/config-problem.ts';
import { showConfig, type ConfigRow } from '../../agents/show-config.ts';
import { readProjectFiles } from '../../agents/project-files.ts';
import { withoutEffect, withoutEffectText, type WithoutEffect } from '../../agents/without-effect.ts';
import { optional } from '../../kernel/optional.ts';
import { commandWord } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { configOf, readConfig } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { tableText } from '../../wording/table.ts';
import { terminalOf } from '../terminal.ts';

const options = {
  origin: {
    type: 'boolean',
    of: ['show'],
    help: 'show where each value comes from, and agents, instructions, commands and skills from files',
  },
  config: {
    type: 'string',
    value: 'FILE',
    of: ['show', 'check'],
    help: "configuration to use instead of the project's",
  },
  cwd: { type: 'string', value: 'DIR', help: 'folder to read configuration from (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

const words = { show: 0, schema: 0, path: 0, check: 0 } as const;

export const configCommand: CliCommand = {
  usage: ['config show [--origin]', 'config schema', 'config path', 'config check'],
  about: `show prints every effective value, with secrets hidden. schema prints the JSON Schema of rondo.json. path lists the
files that Rondo looks for. check names every mistake with its place (exit code 2), also in agent files and in
.rondo/intent/.`,
  options,
  words,
  async run(argv) {
    const given = parseOptions(options, argv, { most: Infinity });
    const { values } = given;
    switch (commandWord('config', words, options, given)) {
      case 'show':
        return show(values);
      case 'schema': {
        const { configJsonSchema } = await import('../../agents/config-schema.ts');
        printJson(configJsonSchema());
        return 0;
      }
      case 'path':
        return showPaths(values);
      case 'check':
        return check(values);
    }
  },
};

async function show(values: Values): Promise<number> {
  const config = await configOf(chosen(values));
  const rows = [...showConfig(config), ...(values.origin === true ? await textsOf(config, values) : [])];
  const terminal = terminalOf(process.stdout);
  if (values.json === true) printJson(rows);
  else if (values.origin === true) {
    const columns = ['key', { title: 'value', gives: true }, 'from', 'where'] as const;
    const table = rows.map(({ path: key, value, origin }) => [key, value, origin.layer, placeText(origin)]);
    console.log(tableText(columns, table, terminal));
  } else {
    console.log(
      tableText(
        ['key', { title: 'value', gives: true }],
        rows.map(({ path: key, value }) => [key, value]),
        terminal,
      ),
    );
  }
  return 0;
}

async function textsOf(config: LoadedConfig, { cwd = '.' }: Values): Promise<readonly ConfigRow[]> {
  const { textSources } = await import('../../assembly/agents/configured-agents.ts');
  const { textOrigins } = await import('../../agents/text-origins.ts');
  const agents = config.agentFiles.map(({ name, layer, file }) => ({
    path: `agents.${name}`,
    value: JSON.stringify(path.basename(file)),
    origin: { layer, file, ...wholeFile },
  }));
  const texts = await textOrigins(textSources(config, process.env, homeFolder()), {
    root: config.project.root,
    cwd: path.resolve(cwd),
  });
  return [...agents, ...texts];
}

async function showPaths(values: Values): Promise<number> {
  const { findProject } = await import('../../agents/project.ts');
  const { existsSync } = await import('node:fs');
  const home = homeFolder();
  const { folder } = await findProject(path.resolve(values.cwd ?? '.'), home);
  const files = [
    { layer: 'user', file: path.join(home, 'config.json') },
    { layer: 'project', file: path.join(folder, 'rondo.json') },
    { layer: 'project', file: path.join(folder, '.rondo', 'config.json') },
  ].map((place) => ({ ...place, exists: existsSync(place.file) }));
  if (values.json === true) printJson(files);
  else {
    const rows = files.map(({ layer, file, exists }) => [layer, file, exists ? 'there' : 'not found']);
    printTable(['layer', 'file', ''], rows);
  }
  return 0;
}

async function check(values: Values): Promise<number> {
  const loaded = await readConfig({ ...chosen(values), check: 'everything' });
  const { intentProblems } = await import('../../assembly/agents/intent-extensions.ts');
  const intentFiles = loaded.type === 'loaded' ? loaded.config.intentFiles : loaded.intentFiles;
  const problems = [
    ...(loaded.type === 'invalid' ? loaded.problems : []),
    ...(intentFiles === undefined ? [] : await intentProblems({ intentFiles })),
  ];
  const ignored = loaded.type === 'loaded' ? loaded.config.ignored : [];
  const warnings = loaded.type === 'loaded' ? loaded.config.warnings : [];
  const unused = loaded.type === 'loaded' ? await unusedBy(loaded.config, values) : [];
  if (values.json === true) printJson({ problems, warnings, ignored, unused });
  else if (problems.length > 0) for (const problem of problems) console.error(visibleLine(problemToText(problem)));
  else {
    for (const warning of warnings) console.error(`warning: ${visibleLine(problemToText(warning))}`);
    console.log(warnings.length === 0 ? 'The configuration is valid.' : 'The configuration is usable.');
    if (ignored.length > 0)
      console.log(`${ignored.length} settings are ignored until you trust the project: rondo trust --show`);
    for (const one of unused) console.log(visibleLine(withoutEffectText(one)));
  }
  return problems.length > 0 ? 2 : 0;
}

/** What other agents would use and Rondo doesn't. */
async function unusedBy({ project }: LoadedConfig, { cwd = '.' }: Values): Promise<readonly WithoutEffect[]> {
  return withoutEffect(await readProjectFiles(project), { root: project.root, cwd: path.resolve(cwd) });
}

function chosen({ cwd, config }: Values) {
  return { cwd: cwd ?? process.cwd(), ...optional({ configFile: config }) };
}

function placeText({ file, line }: { readonly file: string; readonly line: number }): string {
  return line === 0 ? file : `${file}:${line}`;
}
