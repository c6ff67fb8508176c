import type { Argument } from '../shell/segment-facts.ts';

/** True for the root, a folder directly below it, a home folder, or all of the current or a parent folder. */
export function isTopLevel(target: Argument): boolean {
  const path = tidy(target.text);
  if (target.dynamic && HOME_OR_HERE.test(path)) return true;
  if (/^(?:\.{1,2}(?:\/\.{1,2})*)(?:\/\*)?$/.test(path) || path === '.*') return true;
  if (target.dynamic && /^(?:\.\/)?\*$/.test(path)) return true;
  if (/^\/(?:tmp|var\/tmp)\/./.test(path)) return false;
  return (
    /^\/(?:[^/]*)(?:\/\*)?$/.test(path) ||
    /^\/(?:home|Users|usr|var|private|System|Library)\/[^/]+(?:\/\*)?$/.test(path)
  );
}

/** True for a target that could be anything: `$x`, `"$dir"/*`, what `xargs` inserts. */
export function isUnknown(target: Argument): boolean {
  return target.dynamic && /[$`]|\{\}/.test(target.text) && !HOME_OR_HERE.test(tidy(target.text));
}

export function isDisk(path: string): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md\d|loop\d|mem$|kmem$|port$)/.test(
    tidy(path),
  );
}

/** True for system folders, except devices that are meant to be written. */
export function isSystemPath(path: string): boolean {
  const tidied = tidy(path);
  if (/^\/dev\/(?:null|zero|full|u?random|tty|pts\/\d+|ptmx|std(?:in|out|err)|fd\/\d+|shm(?:\/.*)?)$/.test(tidied))
    return false;
  return /^\/(?:etc|bin|sbin|usr|lib\w*|boot|sys|proc|dev|System|Library|root|private\/etc|var\/(?:spool|lib|log|run)|run)(?:\/|$)/.test(
    tidied,
  );
}

export function isSshPath(path: string): boolean {
  return /(?:^|\/)\.ssh(?:\/|$)/.test(path);
}

/** True for files that a shell or a desktop later runs automatically. */
export function isStartupFile(path: string): boolean {
  return /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|inputrc|xinitrc|xprofile|vimrc|gitconfig|npmrc|config\/(?:fish|autostart|systemd)(?:\/.*)?)$|\/Library\/Launch(?:Agents|Daemons)\/|\.git\/hooks\//.test(
    path,
  );
}

/** True for places that hold keys and passwords. */
export function isCredentialPath(path: string): boolean {
  return /(?:^|[/@=<])(?:\.ssh\/|\.gnupg|\.aws\/|\.kube\/config|\.docker\/config\.json|\.config\/(?:gcloud|gh|op)\b|\.azure\/|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|\.my\.cnf|\.env(?:\.(?!example|sample|template|dist)\w+)?$|\.envrc|id_(?:rsa|dsa|ecdsa|ed25519)\b|\.password-store|Login Data|Cookies$)|\/etc\/(?:shadow|gshadow|sudoers|ssl\/private)|\/proc\/[^/]+\/environ|\.(?:pem|p12|pfx|keychain(?:-db)?|kdbx)$/.test(
    path,
  );
}

function tidy(path: string): string {
  const single = path
    .replace(/\/{2,}/g, '/')
    .replace(/\/\.(?=\/|$)/g, '/')
    .replace(/\/{2,}/g, '/');
  const withoutDots = foldParents(single);
  return withoutDots.length > 1 ? withoutDots.replace(/\/$/, '') : withoutDots;
}

// `/tmp/../etc` is `/etc`, and the root's parent is the root.
function foldParents(path: string): string {
  if (!path.startsWith('/') || !path.includes('/..')) return path;
  const kept: string[] = [];
  for (const part of path.split('/').slice(1)) {
    if (part === '..') kept.pop();
    else kept.push(part);
  }
  return `/${kept.join('/')}`;
}

const HOME_OR_HERE = /^(?:~[\w-]*|\$HOME|\$\{HOME[^}]*\}|\$PWD|\$\{PWD\}|\$OLDPWD)(?:\/\*|\/\.\*)?$/;
