/**
 * A model's name for people. The provider goes where the bare name means that provider anyway; everywhere else, such
 * as for a hosted copy of the same model, it stays.
 */
export function shortModel(id: string): string {
  return id.replace(/^(?:anthropic\/(?=claude-)|openai\/(?=gpt-|o\d)|google\/(?=gemini-))/, '');
}
