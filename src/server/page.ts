/** The page that stands where the web app will: it logs in, and shows that the interface is up. */
export interface Asset {
  readonly type: string;
  readonly text: string;
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rondo</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<main>
<h1>Rondo</h1>
<p>The server is running. The web app is not part of this version yet; what is here is the interface it will use:
HTTP below <code>/api/v1</code> (<a href="/api/v1/openapi.json">OpenAPI</a>) and a WebSocket at <code>/ws</code>.</p>
<p id="state" role="status">Looking who you are…</p>
<ul id="sessions"></ul>
</main>
</body>
</html>
`;

const css = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; }
li { overflow-wrap: anywhere; }
`;

const script = `const state = document.getElementById('state');
const code = new URLSearchParams(location.hash.slice(1)).get('token');
if (code !== null) {
  history.replaceState(null, '', location.pathname);
  const answer = await fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) state.textContent = (await answer.json()).detail;
}
const me = await fetch('/api/v1/me');
if (me.ok) {
  const { name, role } = await me.json();
  const { entries } = await (await fetch('/api/v1/sessions?limit=20')).json();
  state.textContent = 'You are ' + name + ' (' + role + '). Newest sessions: ' + (entries.length === 0 ? 'none yet.' : '');
  for (const { session, title, state: phase } of entries) {
    const line = document.createElement('li');
    line.textContent = session + ' · ' + phase + ' · ' + title;
    document.getElementById('sessions').append(line);
  }
} else if (code === null) {
  state.textContent = 'You are not logged in. Open the address that \`rondo serve\` printed, or run \`rondo token link\`.';
}
`;

export const assets: ReadonlyMap<string, Asset> = new Map([
  ['/', { type: 'text/html; charset=utf-8', text: html }],
  ['/page.css', { type: 'text/css; charset=utf-8', text: css }],
  ['/page.js', { type: 'text/javascript; charset=utf-8', text: `(async () => {\n${script}})();\n` }],
]);
