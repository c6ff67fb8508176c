// The floor: the least a program on Node can do for a prompt. Asks, reads the stream, prints the text.
// Plain JavaScript, so that no types are stripped at its start.
if (process.argv[2] === '--version') {
  console.log('0.0.0');
  process.exit(0);
}
const { request } = await import('node:http');
const body = JSON.stringify({
  model: 'fake',
  stream: true,
  messages: [{ role: 'user', content: process.argv[2] }],
});
const headers = { 'content-type': 'application/json', 'content-length': body.length };
const asked = request(
  `${process.env.OPENAI_BASE_URL}/chat/completions`,
  { method: 'POST', headers },
  (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        if (!frame.startsWith('data: ') || frame === 'data: [DONE]') continue;
        const delta = JSON.parse(frame.slice(6)).choices[0]?.delta?.content;
        if (delta) process.stdout.write(delta);
      }
    });
  },
);
asked.end(body);
