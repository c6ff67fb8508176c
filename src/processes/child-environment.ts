/**
 * Builds a child's environment from the variables that programs need, without the keys and tokens of this process.
 * `allow` adds names. A trailing `*` matches any suffix.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: { readonly allow?: readonly string[]; readonly set?: Readonly<Record<string, string>> } = {},
): Record<string, string> {
  const allowed = [...NEEDED, ...(options.allow ?? [])];
  const kept = Object.entries(source).flatMap(([name, value]): readonly [string, string][] =>
    value !== undefined && allowed.some((pattern) => covers(pattern, name)) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(kept), ...QUIET, ...options.set };
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

const NEEDED: readonly string[] = [
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TMPDIR TMP TEMP XDG_* CI',
  'SystemRoot ComSpec PATHEXT APPDATA LOCALAPPDATA USERPROFILE ProgramFiles*',
  'NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME',
  'PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE',
  'JAVA_HOME GRADLE_USER_HOME M2_HOME MAVEN_HOME RBENV_ROOT GEM_HOME ANDROID_HOME',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS LD_LIBRARY_PATH DYLD_LIBRARY_PATH',
].flatMap((names) => names.split(' '));

// No program may prompt or open a pager. SHLVL is set because Node's pipes are sockets: without it, a bash whose
// standard input is a socket assumes a network login and reads the user's ~/.bashrc.
const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  SHLVL: '1',
};
