import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { mentionedFiles } from './mentioned-files.ts';
import { agentPromptContent } from './prompt-content.ts';

test("existing files that a prompt mentions become links; mail addresses and missing files don't", async () => {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'rondo-mentions-'));
  try {
    await mkdir(path.join(cwd, 'src'));
    await writeFile(path.join(cwd, 'src/cart.ts'), '');
    const uri = (name: string) => pathToFileURL(path.join(cwd, name)).href;
    const text =
      'Look at @src/cart.ts, then (@src), @gone.ts, ada@example.org, @https://example.org/x and @src/cart.ts.';
    const links = [
      { name: 'src/cart.ts', uri: uri('src/cart.ts') },
      { name: 'src', uri: uri('src') },
      { name: 'https://example.org/x', uri: 'https://example.org/x' },
    ];
    expect(await mentionedFiles(text, cwd)).toEqual(links);
    const takes = { image: false, audio: false, embedded: false };
    const messages = [{ role: 'user', text }] as const;
    const { blocks } = await agentPromptContent(
      { before: [], unsent: messages, isContinued: false, takes, cwd },
      () => Promise.resolve(''),
    );
    expect(blocks).toEqual([{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link', ...link }))]);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
