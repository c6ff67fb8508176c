/** Why a turn failed, short enough for a row: a provider's failure without its address, status and advice. */
export function problemSummary(problem: string): string {
  const [, status, report = ''] = /^Calling .+? at \S+ failed: (?:(\d{3})\b ?)?(.*)$/s.exec(problem) ?? [];
  const [first = ''] = report.split(/(?<=[.!?])\s/);
  const reason = first.trim().replace(/\.$/, '');
  if (reason === '') return status === undefined ? problem : `The provider answered with status ${status}`;
  return `Provider: ${reason}`;
}
