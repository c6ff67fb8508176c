/**
 * When the provider accepts requests again, in our clock's time. `retry-after` comes first. A reset header counts
 * only if its limit is exhausted.
 */
export function resetTime(
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  now: number,
): number | undefined {
  return (
    spanFrom(headers['retry-after-ms'], 1, now) ??
    retryAfter(headers['retry-after'], now) ??
    exhaustedReset(headers, now) ??
    retryInfo(body, now)
  );
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  return spanFrom(value, 1000, now) ?? dateFrom(value, now);
}

function spanFrom(value: string | undefined, unit: number, now: number): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value.trim()) ? now + Number(value) * unit : undefined;
}

function dateFrom(value: string, now: number): number | undefined {
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(time, now);
}

/** Anthropic: `anthropic-ratelimit-tokens-reset: <date>`. OpenAI: `x-ratelimit-reset-tokens: 6m0.5s`. */
function exhaustedReset(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const times = Object.entries(headers).flatMap(([name, value]) => {
    const limit = /^(?:anthropic-ratelimit-(.+)-reset|x-ratelimit-reset-(.+))$/.exec(name);
    if (limit === null) return [];
    const [, anthropic, openai = ''] = limit;
    const left =
      anthropic === undefined ? `x-ratelimit-remaining-${openai}` : `anthropic-ratelimit-${anthropic}-remaining`;
    if (headers[left] !== undefined && Number(headers[left]) > 0) return [];
    return [(anthropic === undefined ? durationFrom(value, now) : dateFrom(value, now)) ?? []].flat();
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Google: `"retryDelay": "37s"` in the error's details. */
function retryInfo(body: string | undefined, now: number): number | undefined {
  const delay = body === undefined ? null : /"retryDelay"\s*:\s*"([^"]+)"/.exec(body);
  return delay?.[1] === undefined ? undefined : durationFrom(delay[1], now);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationFrom(value: string, now: number): number | undefined {
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  if (parts.length === 0) return undefined;
  return now + parts.reduce((total, [, amount, unit = '']) => total + Number(amount) * (unitMs[unit] ?? 0), 0);
}
