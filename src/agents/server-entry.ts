/** MCP servers in other agents' notations, as entries of `mcpServers`. */
import { fieldsOf } from '../kernel/json-object.ts';
import { optional } from '../kernel/optional.ts';

/** Reads the fields that all agents share. A disabled entry stays disabled, and so does a tool that it leaves out. */
function serverEntry([name, value]: readonly [string, unknown]): readonly [string, Record<string, unknown>][] {
  const { command, args, env, cwd, url, httpUrl, headers, http_headers, type, ...more } = fieldsOf(value);
  const isOff = more['disabled'] === true || more['enabled'] === false;
  const address = httpUrl ?? url;
  // Gemini CLI means server-sent events by `url` and streamable HTTP by `httpUrl`.
  const entry =
    address === undefined
      ? { command, args, env: withInherited(env, more['env_vars']), cwd }
      : {
          url: address,
          headers: withFromVariables(headers ?? http_headers, more),
          ...(type === 'sse' && { type }),
          oauth: oauthOf(more['oauth']),
        };
  const given = Object.entries(entry).filter(([, one]) => one !== undefined);
  if (given.length === 0) return [];
  const tools = optional({
    includeTools: namesIn(more['includeTools'] ?? more['enabled_tools']),
    excludeTools: namesIn(more['excludeTools'] ?? more['disabled_tools']),
  });
  return [[name, { ...Object.fromEntries(given), ...tools, ...(isOff && { disabled: true }) }]];
}

export function serverEntries(given: unknown): Readonly<Record<string, Record<string, unknown>>> {
  return Object.fromEntries(Object.entries(fieldsOf(given)).flatMap(serverEntry));
}

/** Servers of Gemini CLI's settings. Its texts name variables as `$NAME`, and its `mcp` switches servers off. */
export function serversInGemini(settings: unknown): Readonly<Record<string, unknown>> {
  const { mcpServers, mcp } = fieldsOf(settings);
  const { allowed, excluded } = fieldsOf(mcp);
  const off = new Set(namesIn(excluded));
  const only = namesIn(allowed);
  return Object.fromEntries(
    Object.entries(fieldsOf(withVariables(mcpServers, geminiVariable))).map(([name, server]) => [
      name,
      off.has(name) || (only !== undefined && !only.includes(name))
        ? { ...fieldsOf(server), disabled: true }
        : server,
    ]),
  );
}

/** Servers of OpenCode's configuration. Its texts name variables as `{env:NAME}`. */
export function serversInOpencode(config: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(withVariables(fieldsOf(config)['mcp'], opencodeVariable))).map(([name, server]) => {
      const { command, environment, ...rest } = fieldsOf(server);
      const [program, ...args] = Array.isArray(command) ? (command as readonly unknown[]) : [];
      return [
        name,
        { ...rest, ...optional({ command: program, env: environment }), ...(args.length > 0 && { args }) },
      ];
    }),
  );
}

/** Claude Code's settings name servers of `.mcp.json` that the person switched off. */
export function switchedOffByClaude(settings: unknown): readonly string[] {
  return namesIn(fieldsOf(settings)['disabledMcpjsonServers']) ?? [];
}

const geminiVariable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;
const opencodeVariable = /\{env:([A-Za-z_]\w*)\}/g;

/** Each text with references to variables in Rondo's notation. */
function withVariables(value: unknown, reference: RegExp): unknown {
  if (typeof value === 'string')
    return value.replaceAll(
      reference,
      (_, ...names: (string | undefined)[]) => `\${${names[0] ?? names[1] ?? ''}}`,
    );
  if (Array.isArray(value)) return value.map((one) => withVariables(one, reference));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withVariables(one, reference)]));
}

/** Codex names variables that a server receives as they are. */
function withInherited(env: unknown, names: unknown): unknown {
  const inherited = (namesIn(names) ?? []).map((name) => [name, `\${${name}:-}`]);
  return inherited.length === 0 ? env : { ...Object.fromEntries(inherited), ...fieldsOf(env) };
}

/** Codex also names variables that hold headers. */
function withFromVariables(headers: unknown, more: Readonly<Record<string, unknown>>): unknown {
  const { bearer_token_env_var: bearer, env_http_headers: named } = more;
  const entries = Object.entries(fieldsOf(named)).map(([header, name]) => [header, `\${${String(name)}}`]);
  if (typeof bearer === 'string') entries.push(['Authorization', `Bearer \${${bearer}}`]);
  return entries.length === 0 ? headers : { ...fieldsOf(headers), ...Object.fromEntries(entries) };
}

function oauthOf(value: unknown): unknown {
  const { clientId, clientSecret, scopes, callbackPort } = fieldsOf(value);
  const oauth = optional({ clientId, clientSecret, scopes, callbackPort });
  return Object.keys(oauth).length === 0 ? undefined : oauth;
}

function namesIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
