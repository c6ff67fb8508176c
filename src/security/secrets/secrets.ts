/**
 * Collects the secret values of a process: variables with secret names, and values passed in (keys from
 * configuration). Skips short values and common words, because hiding them would damage ordinary text. Longest
 * first, without duplicates.
 */
export function collectSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly string[] = [],
): readonly string[] {
  const named = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) ? [value] : [],
  );
  const values = [...named, ...given];
  const secrets = [values, values.map((value) => value.trim()), values.flatMap(passwordInUrl)].flat();
  const worthy = new Set(secrets.filter(isWorthHiding));
  return [...worthy].toSorted((one, other) => other.length - one.length);
}

/** True for `ANTHROPIC_API_KEY`, `DB_PASSWORD`, `GITHUB_TOKEN`; false for `KEYBOARD`, `TOKENIZERS_PARALLELISM`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAME.test(name);
}

const SECRET_NAME =
  /(?:^|[_-])(?:api[_-]?key|key|token|secret|password|passwd|passphrase|pwd|credentials?|auth|private|dsn|cookie|session|salt|pat|webhook)(?:[_-]?(?:id|value|base64|b64|json|pem|url|\d+))?$|(?:apikey|accesskey|secretkey|authtoken|password|secret)$|(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP)_UR[IL]$/i;
const PUBLIC_NAME =
  /^(?:PWD|OLDPWD|XDG_SESSION.*|.*SESSION_(?:ID|TYPE|CLASS|DESKTOP)|DESKTOP_SESSION|SSH_AUTH_SOCK|.*PUBLIC_KEY|.*_KEY_ID)$/i;

const SHORTEST = 8;

function isWorthHiding(value: string): boolean {
  if (value.length < SHORTEST || new Set(value).size < 4) return false;
  if (EVERYDAY.has(value.toLowerCase())) return false;
  // A path or a single lower-case word isn't a secret, whatever its variable is called.
  return !/^(?:\/[\w.-]+)+\/?$/.test(value) && !/^[a-z]{1,12}$/.test(value);
}

function passwordInUrl(value: string): readonly string[] {
  const match = /^[a-z][\w+.-]*:\/\/[^:@/\s]*:([^@\s]+)@/i.exec(value);
  const password = match?.[1];
  return password === undefined ? [] : [password, decode(password)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const EVERYDAY: ReadonlySet<string> = new Set([
  'localhost',
  'undefined',
  'changeme',
  'password',
  'disabled',
  'required',
  'anonymous',
  'development',
  'production',
  'test-key',
  'placeholder',
  '127.0.0.1',
  'true,false',
  '12345678',
  '00000000',
]);
