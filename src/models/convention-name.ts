import type { Endpoint } from './endpoint.ts';

/** A provider's name in the OpenTelemetry conventions. Many speak OpenAI's wire format, so the address decides first. */
export function conventionName({ name, type, baseUrl }: Endpoint, ofWire: string | undefined): string {
  const host = URL.parse(baseUrl ?? '')?.hostname ?? '';
  const entry = Object.entries(hosts).find(([domain]) => host === domain || host.endsWith(`.${domain}`));
  if (entry !== undefined) return entry[1];
  // `openai` may be the name of the server at OPENAI_BASE_URL.
  return ofWire ?? (type === 'openai-compatible' && name !== 'openai' ? name : type);
}

const hosts = {
  'api.anthropic.com': 'anthropic',
  'openai.azure.com': 'azure.ai.openai',
  'cohere.com': 'cohere',
  'cohere.ai': 'cohere',
  'deepseek.com': 'deepseek',
  'generativelanguage.googleapis.com': 'gcp.gemini',
  'aiplatform.googleapis.com': 'gcp.vertex_ai',
  'groq.com': 'groq',
  'mistral.ai': 'mistral_ai',
  'moonshot.ai': 'moonshot_ai',
  'moonshot.cn': 'moonshot_ai',
  'api.openai.com': 'openai',
  'perplexity.ai': 'perplexity',
  'x.ai': 'x_ai',
} as const;
