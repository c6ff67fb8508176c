import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../../web/dist');
const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
const linked = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
const sizeOf = (name: string) => gzipSync(readFileSync(path.join(dist, name))).length;

test('the first screen takes less than 60 kB of JavaScript, compressed', () => {
  const scripts = linked.filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThanOrEqual(2);
  expect(scripts.map(sizeOf).reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});

test('the first load takes at most 120 kB with styles and the face, which takes at most 40 kB', () => {
  const styles = linked.filter((name) => name.endsWith('.css'));
  const faces = styles.flatMap((name) =>
    [...readFileSync(path.join(dist, name), 'utf8').matchAll(/url\(([^)]+\.woff2)\)/g)].map(([, face = '']) =>
      path.posix.resolve(path.posix.dirname(name), face),
    ),
  );
  expect(faces.length).toBe(1);
  // A face is compressed already.
  const face = readFileSync(path.join(dist, faces[0] ?? '')).length;
  expect(face).toBeLessThanOrEqual(40_000);
  const rest = ['/index.html', ...linked].map(sizeOf).reduce((sum, size) => sum + size, 0);
  expect(rest + face).toBeLessThanOrEqual(120_000);
});

test('nothing in the page is written into it that its policy would refuse', () => {
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:\/\//);
});

test('the licences of bundled packages are part of the build, and the EPL part loads only with a diagram', () => {
  const notices = readFileSync(path.join(dist, 'third-party-notices.txt'), 'utf8');
  expect(notices).toMatch(/^elkjs \S+ \(EPL-2\.0\)\nUnmodified\. Source: npm package elkjs/m);
  expect(notices).toContain('Eclipse Public License - v 2.0');
  expect(linked.filter((name) => readFileSync(path.join(dist, name), 'utf8').includes('org.eclipse.elk'))).toEqual(
    [],
  );
  const drawing = readdirSync(path.join(dist, 'assets')).filter((name) => name.startsWith('draw-diagram'));
  expect(
    drawing.map((name) => readFileSync(path.join(dist, 'assets', name), 'utf8').includes('org.eclipse.elk')),
  ).toEqual([true]);
});
