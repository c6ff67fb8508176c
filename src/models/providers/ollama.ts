import { setting } from '../environment.ts';
import { listedNames } from '../listed-names.ts';
import type { Provider } from './provider.ts';
import type { Environment } from '../../ports/environment.ts';

const usualUrl = 'http://127.0.0.1:11434';

/** A local server with OpenAI's chat completions API and its own list of models. */
export const ollama: Provider = {
  endpoints: (env) => [
    {
      name: 'ollama',
      type: 'openai-compatible',
      baseUrl: `${ollamaUrl(env)}/v1`,
      local: true,
      keyFrom: 'Ollama needs none',
    },
  ],
  async probe(env, _endpoints, { fetch, probeMs }) {
    const url = ollamaUrl(env);
    const isNamed = setting(env, 'OLLAMA_HOST') !== undefined;
    const patience = probeMs ?? (isNamed ? 3000 : 300);
    const names = await listedNames(`${url}/api/tags`, {
      list: 'models',
      key: 'name',
      fetch,
      probeMs: patience,
      headers: {},
    });
    const why = isNamed ? `Ollama answers at OLLAMA_HOST, ${url}` : `Ollama answers at ${url}`;
    return names.map((name) => ({ id: `ollama/${name}`, provider: 'ollama', why }));
  },
};

/** OLLAMA_HOST may lack a scheme and a port, and may be a listen address. */
function ollamaUrl(env: Environment): string {
  const host = setting(env, 'OLLAMA_HOST');
  if (host === undefined) return usualUrl;
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (url === null) return usualUrl;
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.href.replace(/\/+$/, '');
}
