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
<p>The server is running, and the web app has not been built here: <code>npm start</code> does both,
<code>npm run build:web</code> only the app. Then load this page again.</p>
<p>HTTP is below <code>/api/v1</code> (<a href="/api/v1/openapi.json">OpenAPI</a>), the WebSocket at <code>/ws</code>.</p>
</main>
</body>
</html>
`;
