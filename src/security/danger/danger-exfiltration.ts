import type { DangerRule } from './danger-rule.ts';
import { isCredentialPath } from './danger-targets.ts';
import { hasOption, readsOf, runs, targetsOf } from '../shell/segment-facts.ts';
import type { Segment } from '../shell/segment.ts';

export const EXFILTRATION_RULES: readonly DangerRule[] = [
  {
    id: 'send-credentials',
    severity: 'deny',
    reason: 'sends keys, passwords or the environment over the network',
    matches: (segment, index, all) =>
      sends(segment) &&
      (readsCredentials(segment) ||
        feedersOf(segment, index, all).some((feeder) => readsCredentials(feeder) || dumpsEnvironment(feeder))),
  },
  {
    id: 'send-secret-variable',
    severity: 'ask',
    reason: 'sends a variable that looks like a secret over the network',
    matches: (segment) =>
      sends(segment) &&
      segment.dynamic.some((place) =>
        /\$\{?!?\w*(?:KEY|TOKEN|SECRET|PASSW|CREDENTIAL)/i.test(segment.words[place] ?? ''),
      ),
  },
  {
    id: 'raw-socket',
    severity: 'deny',
    reason: 'opens a network connection by redirection',
    matches: (segment) =>
      segment.redirects.some((redirect) => /^\/dev\/(?:tcp|udp)\//.test(redirect.target)) ||
      segment.words.some((word) => /^\/dev\/(?:tcp|udp)\//.test(word)),
  },
  {
    id: 'remote-shell',
    severity: 'deny',
    reason: 'opens a shell to a remote machine',
    matches: (segment) =>
      (runs(segment, 'nc', 'ncat', 'netcat') &&
        (hasOption(segment, 'ec', '--exec', '--sh-exec', '--lua-exec') ||
          segment.words.some((word) => /(?:^|\/)(?:ba|z|da)?sh$/.test(word)))) ||
      (runs(segment, 'socat') && segment.words.some((word) => /^(?:exec|system):/i.test(word))),
  },
  {
    id: 'upload-file',
    severity: 'ask',
    reason: 'sends a file to another machine',
    matches: (segment) =>
      (runs(segment, 'curl') &&
        (hasOption(segment, 'T', '--upload-file') ||
          segment.words.some(
            (word, index) =>
              /^(?:-d|-F|--(?:data|form|json)[\w-]*=?).*@/.test(word) ||
              (/^(?:-d|-F|--(?:data|form|json)[\w-]*)$/.test(segment.words[index - 1] ?? '') &&
                /^@|=[@<]/.test(word)),
          ))) ||
      (runs(segment, 'wget') && segment.words.some((word) => /^--(?:post|body)-file/.test(word))) ||
      (runs(segment, 'scp', 'rsync', 'sftp') && /^[^/]+:/.test(segment.words.at(-1) ?? '')),
  },
  {
    id: 'read-credentials',
    severity: 'ask',
    reason: 'reads a file that stores keys or passwords',
    matches: (segment) => !sends(segment) && !isHarmless(segment) && readsCredentials(segment),
  },
];

const SENDERS = [
  'curl',
  'wget',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'telnet',
  'scp',
  'sftp',
  'rsync',
  'ftp',
  'tftp',
  'lftp',
  'ssh',
  'http',
  'https',
  'httpie',
  'xh',
  'mail',
  'mailx',
  'sendmail',
  'mutt',
  'dig',
  'nslookup',
  'host',
  'ping',
  'aws',
  'gsutil',
  'rclone',
  'openssl',
];
const HARMLESS = [
  'ls',
  'stat',
  'test',
  '[',
  'chmod',
  'chown',
  'rm',
  'mkdir',
  'touch',
  'echo',
  'printf',
  'git',
  'ssh-keygen',
  'ssh-add',
  'cd',
  'find',
];

/** `git diff --no-index` shows any file. */
function isHarmless(segment: Segment): boolean {
  return runs(segment, ...HARMLESS) && !segment.words.includes('--no-index');
}

function sends(segment: Segment): boolean {
  return runs(segment, ...SENDERS);
}

// `ssh -i key` and `curl --cert file` use a key but don't send it.
function readsCredentials(segment: Segment): boolean {
  const uses = runs(segment, 'ssh', 'scp', 'sftp', 'rsync') ? /^-[iF]$/ : /^(?:--cacert|--cert|--key|-E)$/;
  // The first operand of a search is its pattern.
  const isSearch =
    runs(segment, 'grep', 'egrep', 'fgrep', 'rg') && !hasOption(segment, 'ef', '--regexp', '--file');
  const sought = isSearch ? targetsOf(segment)[0]?.text : undefined;
  return readsOf(segment).some(
    ({ text }, index, all) => text !== sought && isCredentialPath(text) && !uses.test(all[index - 1]?.text ?? ''),
  );
}

function dumpsEnvironment(segment: Segment): boolean {
  if (runs(segment, 'printenv')) return true;
  if (runs(segment, 'env') && segment.words.length === 1) return true;
  return (
    runs(segment, 'set', 'export', 'declare', 'typeset', 'compgen') &&
    segment.words.slice(1).every((word) => /^-[pxev]+$/.test(word))
  );
}

/** The segments that feed a segment: earlier stages of its pipeline and everything it substitutes. */
function feedersOf(segment: Segment, index: number, all: readonly Segment[]): readonly Segment[] {
  return all.filter((other, place) => {
    if (place === index) return false;
    const { pipe } = segment;
    if (pipe !== undefined && other.pipe?.group === pipe.group && other.pipe.stage < pipe.stage) return true;
    return isInside(other, index, all);
  });
}

function isInside(segment: Segment, holder: number, all: readonly Segment[]): boolean {
  for (let place = segment.within; place !== undefined; place = all[place]?.within)
    if (place === holder) return true;
  return false;
}
