import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../../web/dist');

test('the first screen takes less than 60 kB of JavaScript, compressed', () => {
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const sizes = scripts.map((name) => gzipSync(readFileSync(path.join(dist, name))).length);
  expect(scripts.length).toBeGreaterThanOrEqual(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});

test('nothing in the page is written into it that its policy would refuse', () => {
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:\/\//);
});
