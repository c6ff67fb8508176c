/** How to connect a language model. */
export const connectModel = `**To connect a language model**, set one of these and start again; \`rondo models\` shows what was found:

- \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\` or \`GEMINI_API_KEY\`
- AWS credentials and \`AWS_REGION\`, for Bedrock
- a local server: Ollama (found by itself, or \`OLLAMA_HOST\`), or any other with \`OPENAI_BASE_URL\``;
