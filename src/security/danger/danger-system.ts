import type { DangerRule } from './danger-rule.ts';
import { isSshPath, isStartupFile, isSystemPath } from './danger-targets.ts';
import { segmentArguments, hasOption, optionLetters, runs, writesOf } from '../shell/segment-facts.ts';

export const SYSTEM_RULES: readonly DangerRule[] = [
  {
    id: 'privilege',
    severity: 'ask',
    reason: 'runs as another user',
    matches: (segment) => runs(segment, 'sudo', 'sudoedit', 'doas', 'su', 'pkexec', 'runuser', 'gosu', 'setpriv'),
  },
  {
    id: 'set-user-id',
    severity: 'ask',
    reason: 'lets a program run as its owner (setuid)',
    matches: (segment) =>
      (runs(segment, 'chmod') &&
        segment.words.some((word) => /^[0-7]*[4-7][0-7]{3}$|[ugo]*\+[rwxX]*s/.test(word))) ||
      runs(segment, 'setcap'),
  },
  {
    id: 'shutdown',
    severity: 'deny',
    reason: 'stops or restarts the machine',
    matches: (segment) =>
      runs(segment, 'shutdown', 'reboot', 'halt', 'poweroff') ||
      (runs(segment, 'init', 'telinit') && /^[06]$/.test(segment.words[1] ?? '')) ||
      (runs(segment, 'systemctl', 'loginctl') &&
        segment.words.some((word) =>
          /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue)$/.test(word),
        )),
  },
  {
    id: 'kill-everything',
    severity: 'deny',
    reason: 'ends every process',
    matches: (segment) => {
      if (runs(segment, 'killall5')) return true;
      if (runs(segment, 'pkill')) return segment.words.some((word) => word === '.' || word === '.*');
      const words = segment.words.slice(1);
      return runs(segment, 'kill') && words.some((word, index) => word === '-1' && index > 0);
    },
  },
  {
    id: 'flush-firewall',
    severity: 'deny',
    reason: 'removes the firewall rules',
    matches: (segment) =>
      (runs(segment, 'iptables', 'ip6tables') && hasOption(segment, 'FX', '--flush', '--delete-chain')) ||
      (runs(segment, 'nft') && segment.words.includes('flush')) ||
      (runs(segment, 'ufw') && /^(?:disable|reset)$/.test(segment.words[1] ?? '')),
  },
  {
    id: 'remove-crontab',
    severity: 'deny',
    reason: 'removes all scheduled jobs',
    matches: (segment) => runs(segment, 'crontab') && optionLetters(segment).includes('r'),
  },
  {
    id: 'schedule',
    severity: 'ask',
    reason: 'schedules a command to run later',
    matches: (segment) =>
      (runs(segment, 'crontab') &&
        segmentArguments(segment).some((word) => word.text === '-' || !word.text.startsWith('-'))) ||
      runs(segment, 'at', 'batch') ||
      (runs(segment, 'launchctl') && /^(?:load|bootstrap|submit)$/.test(segment.words[1] ?? '')) ||
      (runs(segment, 'systemctl') && segment.words.includes('enable')),
  },
  {
    id: 'kernel',
    severity: 'ask',
    reason: 'changes the running kernel or mounts',
    matches: (segment) =>
      runs(segment, 'insmod', 'modprobe', 'rmmod', 'kexec', 'mount', 'umount', 'swapoff') ||
      (runs(segment, 'sysctl') && segment.words.some((word) => word === '-w' || word.includes('='))),
  },
  {
    id: 'accounts',
    severity: 'ask',
    reason: 'changes user accounts',
    matches: (segment) =>
      runs(
        segment,
        'useradd',
        'adduser',
        'userdel',
        'deluser',
        'usermod',
        'groupadd',
        'gpasswd',
        'passwd',
        'chpasswd',
        'visudo',
        'vipw',
      ),
  },
  {
    id: 'write-system-path',
    severity: 'deny',
    reason: 'writes to a system folder',
    matches: (segment) => writesOf(segment).some((target) => isSystemPath(target.text)),
  },
  {
    id: 'write-ssh',
    severity: 'deny',
    reason: 'writes to an .ssh folder',
    matches: (segment) => writesOf(segment).some((target) => isSshPath(target.text)),
  },
  {
    id: 'write-startup-file',
    severity: 'ask',
    reason: 'writes a file that runs automatically later',
    matches: (segment) => writesOf(segment).some((target) => isStartupFile(target.text)),
  },
  {
    id: 'erase-traces',
    severity: 'ask',
    reason: 'erases the shell history or logs',
    matches: (segment) =>
      (runs(segment, 'history') && hasOption(segment, 'cw')) ||
      (runs(segment, 'journalctl') && segment.words.some((word) => word.startsWith('--vacuum'))) ||
      writesOf(segment).some((target) => /\.(?:bash|zsh)_history$/.test(target.text)),
  },
];
