/** Who names a repository: a person on this machine may name its folders, a remote caller may not (S13). */
export type AddressCaller = 'local' | 'remote';

type Address =
  | { readonly type: 'address'; readonly url: string; readonly name: string }
  | { readonly type: 'refused'; readonly message: string };

/**
 * Checks a repository's address. It becomes part of the journal, so it must not contain credentials, and git must
 * not take it for an option or a program.
 */
export function repositoryAddress(given: string, caller: AddressCaller): Address {
  const text = given.trim();
  const safeText = text.replace(/^(\w+:\/\/)?.*@/, '$1…@').slice(0, 200);
  if (text === '' || text.startsWith('-') || /[\p{Cc}\s\\]/u.test(text)) {
    const localPath = caller === 'local' ? ' A local path must not contain spaces.' : '';
    return refused(
      `Invalid repository address "${safeText}". Use https://…, ssh://… or user@host:path.${localPath}`,
    );
  }
  const scp = /^(?<user>\w[\w.-]*@)?(?<host>\w[\w.-]*):(?<path>(?!\/\/|-)[^:]+)$/.exec(text);
  const isScp = scp?.groups !== undefined && !protocols.has(`${scp.groups['host']}:`);
  if (isScp && !text.includes('://')) return address(text, scp.groups?.['path'] ?? '');
  if (text.startsWith('/')) return local(`file://${text}`, text, caller);
  // Without the slashes git reads another host or program than a URL's parser.
  const url = text.includes('://') ? URL.parse(text) : null;
  if (url === null || !protocols.has(url.protocol) || url.hostname.startsWith('-')) {
    const forms =
      caller === 'local'
        ? 'https, http, ssh and file addresses and absolute local paths'
        : 'https, http and ssh addresses';
    return refused(`Can't clone "${safeText}": only ${forms} are supported.`);
  }
  if (url.protocol === 'file:') return local(text, decodeURIComponent(url.pathname), caller);
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    return refused(
      `The address of ${url.host}${url.pathname} contains credentials. Remove them: git's credential helpers on each machine provide them.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return refused(
      `The address of ${url.host}${url.pathname} has a part after "?" or "#", which could hold a token. Use the address that \`git clone\` takes.`,
    );
  }
  return address(text, url.pathname);
}

const protocols: ReadonlySet<string> = new Set(['https:', 'http:', 'ssh:', 'file:']);

function local(url: string, folder: string, caller: AddressCaller): Address {
  if (caller === 'remote') return refused('A repository on the server’s disk can only be named on that machine.');
  return address(url, folder);
}

function address(url: string, path: string): Address {
  const name = path
    .split('/')
    .findLast((part) => part !== '')
    ?.replace(/\.git$/, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^\.+/, '');
  return { type: 'address', url, name: name === undefined || name === '' ? 'repository' : name.slice(0, 60) };
}

function refused(message: string): Address {
  return { type: 'refused', message };
}
