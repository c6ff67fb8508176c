/** The result of a soak, as Markdown. */
import os from 'node:os';

import { measureNames, measures, type Measure, type SoakResult } from '../test/soak/soak.ts';

export function figureText(measure: Measure, value: number): string {
  return measures[measure].unit === 'MB' ? value.toFixed(1) : value.toFixed(0);
}

export function soakReport({ seed, seconds, samples, counts, flatness, problems }: SoakResult): string {
  const machine = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
  const [first] = samples;
  return [
    '# Soak',
    '',
    `\`npm run soak -- --minutes ${seconds / 60} --seed ${seed}\`, ${new Date().toISOString().slice(0, 10)}, ${machine}: ${problems.length === 0 ? 'all figures flat, every transcript matches its journal' : '**some checks failed, see below**'}.`,
    '',
    `Two servers (\`rondo serve\`) under the same load. One keeps running and is measured; the other is killed with \`kill -9\` and restarted. Sessions of the testing agent and of a hosted agent process are created, prompted, followed by three clients each, ended, and removed by \`rondo prune\` while the server runs. Connections are cut, and some clients stop reading for a while.`,
    '',
    '| | |',
    '|---|---:|',
    ...(
      [
        ['sessions', counts.sessions],
        ['prompts', counts.prompts],
        ['server killed', counts.kills],
        ['connections cut or not read for a while', counts.disturbances],
        ['transcripts compared with the journal', counts.compared],
      ] as const
    ).map(([name, count]) => `| ${name} | ${count.toLocaleString('en-US')} |`),
    '',
    `| figure | at ${first?.seconds.toFixed(0) ?? '0'} s | level | rise | allowed | |`,
    '|---|---:|---:|---:|---:|---|',
    ...measureNames.map((measure) => {
      const { name, unit } = measures[measure];
      const { level, rise, allowed, isFlat } = flatness[measure];
      const cells = [first?.[measure] ?? 0, level].map((value) => figureText(measure, value));
      return `| ${name}${unit === '' ? '' : `, ${unit}`} | ${cells.join(' | ')} | ${rise.toFixed(2)} | ${allowed.toFixed(1)} | ${isFlat ? 'flat' : '**not flat**'} |`;
    }),
    '',
    `Memory is measured after garbage collection. *Level* is the median of the second half of the run. *Rise* is how far the line through that half (Theil–Sen: the median of the slopes of all pairs of its ${samples.length} samples) climbs from the middle to the end. *Allowed* is the limit for the rise.`,
    '',
    '![The figures over time](images/soak.svg)',
    '',
    ...(problems.length === 0 ? [] : ['Failed checks:', '', ...problems.map((problem) => `- ${problem}`), '']),
  ].join('\n');
}
