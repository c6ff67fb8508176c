/** The page shown in a clone without a built web app. */
export const fallbackPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rondo</title>
</head>
<body>
<main>
<h1>Rondo</h1>
<p>The server is running, but the web app isn't built. Run <code>npm run build:web</code> (<code>npm start</code> builds and serves),
then reload this page.</p>
<p>HTTP is below <code>/api/v1</code> (<a href="/api/v1/openapi.json">OpenAPI</a>), the WebSocket at <code>/ws</code>.</p>
</main>
</body>
</html>
`;
