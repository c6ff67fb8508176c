import path from 'node:path';

import { projectCommands, type ProjectCommand } from '../../agents/project-commands.ts';
import { readProjectFiles, type ProjectFiles } from '../../agents/project-files.ts';
import { findProject, type Project } from '../../agents/project.ts';
import { withoutEffect, withoutEffectText, type WithoutEffect } from '../../agents/without-effect.ts';
import { checkTrust, listTrusted, revokeTrust, trustProject, type TrustVerdict } from '../../agents/trust.ts';
import type { Ignored } from '../../agents/untrusted-config.ts';
import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { agrees } from '../agrees.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';
import { terminalOf } from '../terminal.ts';
import { printable } from '../../views/printable.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { usageError } from '../usage-error.ts';

const options = {
  show: { type: 'boolean', help: 'show what trusting would allow' },
  list: { type: 'boolean', help: 'list trusted projects' },
  revoke: { type: 'boolean', help: 'stop trusting this project' },
  yes: { type: 'boolean', short: 'y', help: 'trust without asking' },
  mcp: { type: 'string', value: 'SERVER', help: 'accept the current tools of an MCP server' },
  cwd: { type: 'string', value: 'DIR', help: "the project's folder (default: this one)" },
  ...jsonOption,
  ...commonOptions,
} as const;

export const trustCommand: CliCommand = {
  usage: ['trust [--show | --yes]', 'trust --list', 'trust --revoke', 'trust --mcp SERVER'],
  about: `A project's configuration can start commands, send prompts elsewhere and allow calls. Until you trust it, Rondo only
applies its harmless settings. Trust covers the current content: after a change Rondo asks again.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    if (values.show !== true && values.list !== true) personOnly('trust');
    const { show, list, revoke, yes, json = false } = values;
    if ([show, list, revoke, yes].filter((flag) => flag === true).length > 1) {
      throw usageError("--show, --list, --revoke and --yes can't be combined");
    }
    const home = homeFolder();
    if (values.mcp !== undefined) return acceptServer(home, values.mcp);
    if (list === true) return listProjects(home, json);
    const cwd = path.resolve(values.cwd ?? '.');
    const project = await findProject(cwd, home);
    if (revoke === true) return revokeProject(home, project, json);
    const files = await readProjectFiles(project);
    const verdict = await checkTrust(home, project, files);
    const { ignored } = await configOf({ cwd });
    const commands = await projectCommands(files);
    const unused = await withoutEffect(files, { root: project.root, cwd });
    if (json) {
      printJson({
        project: project.identity,
        trust: verdict,
        files: [...files.files.keys()],
        ignored,
        commands,
        unused,
      });
    } else tell(project, files, verdict, { ignored, commands, unused });
    if (show === true || verdict.type !== 'untrusted') return 0;
    if (verdict.why === 'too-large') return 1;
    return giveTrust({ home, project, files }, { isAgreed: yes === true, json });
  },
};

interface Candidate {
  readonly home: string;
  readonly project: Project;
  readonly files: ProjectFiles;
}

async function giveTrust(
  { home, project, files }: Candidate,
  { isAgreed, json }: { readonly isAgreed: boolean; readonly json: boolean },
): Promise<number> {
  if (!isAgreed && !(process.stdin.isTTY && process.stderr.isTTY)) {
    console.error('rondo trust: no terminal to ask in. Pass --yes to trust the project, or --show to review it.');
    return 3;
  }
  if (!isAgreed && !(await agrees('Trust this project?'))) {
    console.error('Not trusted.');
    return 1;
  }
  await trustProject(home, project, files, Date.now());
  if (!json) console.log(`Trusted ${project.identity} with its current content.`);
  return 0;
}

/** Shows a project's own text with visible control characters. */
function tell(
  project: Project,
  { files }: ProjectFiles,
  verdict: TrustVerdict,
  {
    ignored,
    commands,
    unused,
  }: {
    readonly ignored: readonly Ignored[];
    readonly commands: readonly ProjectCommand[];
    readonly unused: readonly WithoutEffect[];
  },
): void {
  const { paint } = terminalOf(process.stdout);
  switch (verdict.type) {
    case 'nothing-to-trust':
      return console.log(`${project.folder} has no configuration, so there is nothing to trust.`);
    case 'trusted':
      console.log(`${paint.good('trusted')} ${project.identity}`);
      tellCommands('It may start or reach:', commands);
      return tellUnused(unused);
    case 'untrusted':
      break;
  }
  console.log(`${paint.warning('not trusted')} ${project.identity} (${whyText(verdict)})`);
  console.log('\nFiles:');
  for (const file of files.keys()) console.log(`  ${visibleLine(file)}`);
  console.log(ignored.length === 0 ? '\nNothing in it needs trust.' : '\nTrusting it allows:');
  for (const { path: what, line, file, reason } of ignored) {
    const place = line === 0 ? '' : ` (${path.relative(project.folder, file)}:${line})`;
    console.log(`  ${visibleLine(what)}${paint.quiet(place)}: ${printable(reason)}`);
  }
  tellCommands('\nIt would start or reach:', commands);
  tellUnused(unused);
  console.log('');
}

function tellCommands(head: string, commands: readonly ProjectCommand[]): void {
  if (commands.length === 0) return;
  console.log(head);
  for (const { path: what, command, variables, receives } of commands) {
    const set = variables.length === 0 ? '' : ` (sets ${variables.join(', ')})`;
    const got = receives.length === 0 ? '' : ` (receives your ${receives.join(', ')})`;
    console.log(`  ${printable(what)}: ${printable(command)}${printable(set)}${printable(got)}`);
  }
}

function tellUnused(unused: readonly WithoutEffect[]): void {
  if (unused.length === 0) return;
  console.log('\nWithout effect:');
  for (const line of unused.map(withoutEffectText)) console.log(`  ${printable(line)}`);
}

function whyText(verdict: Extract<TrustVerdict, { type: 'untrusted' }>): string {
  switch (verdict.why) {
    case 'never-seen':
      return 'never seen before';
    case 'too-large':
      return 'too large to trust';
    case 'changed':
      return `changed since you trusted it: ${verdict.files.map(visibleLine).join(', ')}`;
  }
}

async function listProjects(home: string, json: boolean): Promise<number> {
  const projects = await listTrusted(home);
  if (json) printJson(projects);
  else if (projects.length > 0) {
    const rows = projects.map(({ project, at, hash }) => [project, new Date(at).toISOString(), hash.slice(0, 12)]);
    printTable(['project', 'since', 'content'], rows);
  } else if (process.stdout.isTTY) console.log('No trusted projects');
  return 0;
}

async function revokeProject(home: string, { identity }: Project, json: boolean): Promise<number> {
  const revoked = await revokeTrust(home, identity);
  if (json) printJson({ project: identity, revoked });
  else if (revoked) console.log(`Stopped trusting ${identity}.`);
  else console.error(`rondo trust: ${identity} isn't trusted.`);
  return revoked ? 0 : 1;
}

/** Pins the server to what it offers at its next start. */
async function acceptServer(home: string, server: string): Promise<number> {
  const { acceptMcpServer } = await import('../../assembly/tools/mcp-pin-file.ts');
  if (!(await acceptMcpServer(home, server))) throw usageError(`MCP server ${server} hasn't been used yet`);
  console.log(`Rondo pins the tools of MCP server ${server} again at its next start.`);
  return 0;
}
