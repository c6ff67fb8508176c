/** A request of the drawn screens: a command of four parts, of which one deletes and one edits. */
export const clearOutCommand = 'du -sh dist && rm -rf dist/old && du -sh dist | tee clean.log';

export const clearOutRequest = {
  about: {
    type: 'approval',
    call: '4',
    tool: 'shell',
    rule: 'default',
    reason: '',
    grants: ['shell(rm -rf dist/old) [delete]', 'shell(tee clean.log) [edit]'],
    covered: [{ part: 'du -sh dist', rule: 'shell(du *)' }],
  },
  args: JSON.stringify({ command: clearOutCommand }),
  facts: {
    segments: [
      { text: 'du -sh dist', effect: 'look' },
      { text: 'rm -rf dist/old', effect: 'delete' },
      { text: 'du -sh dist', effect: 'look' },
      { text: 'tee clean.log', effect: 'edit' },
    ],
  },
} as const;
