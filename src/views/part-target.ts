/** What a plain command deletes or writes, if its words alone show it. */

export function deletedBy(command: string): string | undefined {
  return /^(?:rm|rmdir|unlink)(?: -\S+)* (?![-;&|<>$`])(\S[^;&|<>$`]*)$/.exec(command)?.[1];
}

export function writtenBy(command: string): string | undefined {
  return /^(?:touch|tee|mkdir)(?: -\S+)* (?![-;&|<>$`])(\S[^;&|<>$`]*)$/.exec(command)?.[1];
}
