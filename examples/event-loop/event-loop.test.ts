import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('[C1] [C4] [C6] [C18] [C150] the event loop takes every kind of input until its channel closes', async () => {
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
36 question-opened approval (library)
37 question-answered allow-once (approver)
38 tool-run-intended (approver)
39 tool-settled
40 turn-ended completed
41 custom tools-used 3
42 prompt-received (library)
43 turn-started (library)
44 model-call-intended (library)
45 turn-interrupted (library)
46 wait-intended (library)
47 model-settled cancelled
48 turn-ended cancelled
49 custom tools-used 3
The run is over: cancelled, 5 model calls, 3 tool calls.
Notes: {"text":"milk"} {"text":"eggs"} {"text":"2 loaves"}
Refused: invalid data: amount: Invalid input: expected number, received undefined
`;
