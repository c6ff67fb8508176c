import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('[C1] [C4] [C6] [C18] the event loop takes every kind of input until its channel closes', async () => {
  const program = path.join(import.meta.dirname, 'main.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  expect({ stdout, stderr }).toEqual({ stdout: wholeOutput, stderr: '' });
});

const wholeOutput = `1 session-created (library)
2 prompt-received (library)
3 turn-started (library)
4 model-call-intended (library)
5 model-settled completed
6 question-opened approval
7 question-answered allow-once (approver)
8 tool-run-intended (approver)
9 tool-settled
10 model-call-intended
11 model-settled completed
12 turn-ended completed
13 custom tools-used 1
14 prompt-received (library)
15 turn-started (library)
16 question-opened approval (library)
17 question-answered allow-once (approver)
18 tool-run-intended (approver)
19 tool-settled
20 turn-ended completed
21 custom tools-used 2
22 worker-reported (library)
23 prompt-received (library)
24 turn-started (library)
25 model-call-intended (library)
26 model-settled completed
27 question-opened clarification
28 question-answered option (library)
29 tool-settled (library)
30 model-call-intended (library)
31 model-settled completed
32 turn-ended completed
33 custom tools-used 2
34 prompt-received (library)
35 turn-started (library)
36 model-call-intended (library)
37 turn-interrupted (library)
38 wait-intended (library)
39 model-settled cancelled
40 turn-ended cancelled
41 custom tools-used 2
The run is over: cancelled, 5 model calls, 2 tool calls.
Notes: {"text":"milk"} {"text":"eggs"}
`;
