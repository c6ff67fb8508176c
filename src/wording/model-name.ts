/**
 * A model's name for people. The provider goes where the bare name means that provider anyway; everywhere else, as for
 * `amazon-bedrock/claude-…`, it stays.
 */
export function modelName(id: string): string {
  return id.replace(/^(?:anthropic\/(?=claude-)|openai\/(?=gpt-|o\d)|google\/(?=gemini-))/, '');
}
