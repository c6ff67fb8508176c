/** Valid inputs of parsers, from which malformed ones are derived. */
export const clientMessages = (session: string, token: string): readonly object[] => {
  const input = (content: object, id: string) => ({
    v: 1,
    type: 'session.input',
    id,
    session,
    key: id,
    input: content,
  });
  return [
    { v: 1, type: 'hello', token, client: 'proof' },
    { v: 1, type: 'session.create', id: '1', key: 'k', session: { agent: 'testing', title: 't', limits: {} } },
    { v: 1, type: 'session.follow', id: '2', session, after: 0 },
    input({ type: 'chat', text: 'say hello' }, '3'),
    input({ type: 'policy', rules: [{ verdict: 'deny', tool: 'look', pattern: '*' }] }, '4'),
    { v: 1, type: 'question.answer', id: '5', question: 'q_1', answer: { choice: 'reject', reason: 'no' } },
    { v: 1, type: 'session.stop', id: '6', session, reason: 'enough' },
    { v: 1, type: 'directory.follow', id: '7' },
    { v: 1, type: 'questions.follow', id: '8' },
    { v: 1, type: 'session.unfollow', id: '8', session },
  ];
};

export const acpUpdates: readonly object[] = [
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' }, messageId: 'm' },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'c1',
    title: 'Edit',
    kind: 'edit',
    status: 'pending',
    locations: [{ path: '/a', line: 1 }],
    content: [
      { type: 'diff', path: '/a', oldText: 'a', newText: 'b' },
      { type: 'terminal', terminalId: 't' },
      { type: 'content', content: { type: 'text', text: 'x' } },
    ],
    rawInput: { command: ['ls'] },
  },
  { sessionUpdate: 'plan', entries: [{ content: 'a', priority: 'high', status: 'pending' }] },
  { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a', description: 'b' }] },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [{ id: 'a', name: 'b', type: 'select', currentValue: 'c', options: [{ value: 'c' }] }],
  },
  { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD' } },
  { sessionUpdate: 'current_mode_update', currentModeId: 'm' },
];

export const acpLines: readonly object[] = [
  { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities: {} } },
  { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'no', data: {} } },
  { jsonrpc: '2.0', id: 'a', method: 'fs/read_text_file', params: { path: '/a', line: 1 } },
  { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'a' } },
  ...acpUpdates.map((update) => ({ jsonrpc: '2.0', method: 'session/update', params: { update } })),
];

/** Messages from an editor to Rondo as its agent. */
export const editorLines: readonly object[] = [
  { jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
  {
    jsonrpc: '2.0',
    id: 2,
    method: 'session/new',
    params: { cwd: '/', mcpServers: [{ name: 'a', command: 'b', args: [], env: [] }] },
  },
  { jsonrpc: '2.0', id: 3, method: 'session/load', params: { sessionId: 'ses_1', cwd: '/', mcpServers: [] } },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'session/prompt',
    params: { sessionId: 'ses_1', prompt: [{ type: 'text', text: 'say hi' }] },
  },
  {
    jsonrpc: '2.0',
    id: 5,
    method: 'session/prompt',
    params: {
      sessionId: 'ses_1',
      prompt: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
      ],
    },
  },
  { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'ses_1' } },
  { jsonrpc: '2.0', id: 6, method: 'session/set_mode', params: { sessionId: 'ses_1', modeId: 'batch' } },
  {
    jsonrpc: '2.0',
    id: 7,
    method: 'session/set_config_option',
    params: { sessionId: 'ses_1', configId: 'model', value: 'x' },
  },
  { jsonrpc: '2.0', id: 8, method: 'session/list', params: { cursor: 'x' } },
  { jsonrpc: '2.0', id: 9, method: 'session/fork', params: { sessionId: 'ses_1', mcpServers: [] } },
  { jsonrpc: '2.0', id: 10, method: 'session/close', params: { sessionId: 'ses_1' } },
  { jsonrpc: '2.0', id: 77, result: { outcome: { outcome: 'selected', optionId: 'allow-once' } } },
  { jsonrpc: '2.0', id: 78, error: { code: 1, message: 'no' } },
  { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 5 } },
  { jsonrpc: '2.0', id: 11, method: 'nothing/known', params: {} },
];

export const mcpResults: readonly object[] = [
  { content: [{ type: 'text', text: 'hello' }], structuredContent: { a: 1 }, isError: false },
  { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
  { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'c' } }] },
  { content: [{ type: 'resource_link', uri: 'a://b', name: 'c' }] },
];

export const configuration = {
  defaultAgent: 'own',
  store: 'sqlite:${KEY}.db',
  endpoints: { a: { type: 'openai', apiKey: '${KEY}', headers: { x: 'y' } } },
  models: { fast: { endpoint: 'a', model: 'm' } },
  agents: { own: { model: 'fast', mode: 'batch', tools: { only: ['read'] }, policy: 'careful' } },
  policies: { careful: { deny: ['shell(rm*)'], ask: ['write'], allow: ['read(src/**)'] } },
  limits: { steps: 3 },
  server: { port: 7000 },
  mcpServers: { one: { command: 'node', args: ['a'], env: { A: '$' } } },
};

export const agentFiles: readonly string[] = [
  '---\ndescription: d\nmodel: testing\ntools: [read, grep]\n---\nYou are careful.\n',
  '---\ndescription: >\n  long\nmodel: &m own\nname: *m\n---\nText\n',
];

const doubling = (at: number) =>
  `b${at}: &b${at} [${Array(9)
    .fill(`*b${at - 1}`)
    .join(', ')}]`;

/** Malicious inputs. */
export const endlessAgentFiles: readonly string[] = [
  `b0: &b0 [x]\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(doubling).join('\n')}`,
  'a: &a [*a]',
  'a: &a\n  b: *a',
  `a: ${'['.repeat(3000)}`,
  `${'- '.repeat(3000)}a`,
  `a: ${'{a: '.repeat(3000)}`,
].map((matter) => `---\n${matter}\n---\nText\n`);

export const shellCommands: readonly string[] = [
  'git status && rm -rf build | tee "a b" > out.txt',
  'for f in $(ls); do echo "${f%.ts}" >> log; done',
  "bash -c 'curl http://x | sh' <<EOF\nhello\nEOF",
  'find . -exec sh -c "rm {}" \\; & sudo -u root env A=1 xargs kill',
];

export const markdownTexts: readonly string[] = [
  '# Title\n\n- a\n  - b\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  '> quote **bold _both_** [link](http://a) ![image](b)\n\n1. one\n2. two\n\n~~~\nopen',
];
