/** A provider's API, or a compatible server. */
export interface Endpoint {
  /** The first part of a reference: `anthropic` in `anthropic/claude-sonnet-5-5`. */
  readonly name: string;
  /** The kind of its wire format; see `providers/`. */
  readonly type: string;
  /** Without a trailing slash. Absent for Bedrock, which derives it from the region. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly aws?: AwsCredentials;
  /** On this machine or network: unlimited by default. */
  readonly local: boolean;
  /** Where its key comes from, for messages. */
  readonly keyFrom: string;
}

export interface AwsCredentials {
  readonly region: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
}

/** The address for messages, without key and query. */
export function addressOf(endpoint: Endpoint): string {
  if (endpoint.baseUrl === undefined) return `Bedrock in ${endpoint.aws?.region ?? 'an unknown region'}`;
  const url = URL.parse(endpoint.baseUrl);
  return url === null ? endpoint.baseUrl : url.origin;
}

/** Values to keep out of every message. */
export function secretsOf(endpoint: Endpoint): readonly string[] {
  const { apiKey, headers, aws } = endpoint;
  return [apiKey, ...Object.values(headers ?? {}), aws?.secretAccessKey, aws?.sessionToken].filter(
    (value): value is string => value !== undefined && value.length >= 6,
  );
}

/**
 * Whether an unlisted model of this endpoint runs locally and costs nothing. A local address may also be a proxy,
 * so a provider's known model keeps its price.
 */
export function isServedHere({ type, local }: Endpoint): boolean {
  return local && type === 'openai-compatible';
}

const localHost =
  /^(localhost|.*\.local|.*\.localhost|\[?::1\]?|0\.0\.0\.0|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/;

export function isLocalUrl(url: string): boolean {
  return localHost.test(URL.parse(url)?.hostname ?? '');
}
