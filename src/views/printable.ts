/** Text of a model, a tool or another person, safe to show: it may not move the cursor or set the title. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '�');
}
