import * as disk from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { blobHashOf } from './blob-hash.ts';
import { createFileBlobs, fileOf, type BlobDisk } from './file-blobs.ts';

const hash = blobHashOf('hello');
const name = path.join(hash.slice(0, 2), hash.slice(2));

async function newFolder(): Promise<string> {
  const folder = await disk.mkdtemp(path.join(os.tmpdir(), 'rondo-blobs-'));
  onTestFinished(() => disk.rm(folder, { recursive: true }));
  return folder;
}

/** The real disk, with a log of the order in which names and content became durable. */
function recordingDisk(root: string) {
  const done: string[] = [];
  const nameOf = (file: string) => path.relative(root, file).replace(/[\w-]+\.part$/, 'part') || '.';
  const recording: BlobDisk = {
    ...disk,
    async open(file, flags) {
      const handle = await disk.open(file, flags);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        done.push(`sync ${nameOf(String(file))}`);
      };
      return handle;
    },
    async rename(from, to) {
      await disk.rename(from, to);
      done.push(`rename ${nameOf(String(from))} to ${nameOf(String(to))}`);
    },
  };
  return { done, recording };
}

test('[P1] [O10] content, name and every new folder are synced before put answers', async () => {
  const root = await newFolder();
  const { done, recording } = recordingDisk(root);
  const blobs = createFileBlobs(path.join(root, 'blobs'), recording);
  await blobs.put('hello');
  expect(done).toEqual([
    'sync blobs',
    'sync .',
    'sync blobs/part',
    `rename blobs/part to blobs/${name}`,
    `sync blobs/${hash.slice(0, 2)}`,
  ]);
  done.length = 0;
  await blobs.put('hello');
  expect(done).toEqual([`sync blobs/${hash.slice(0, 2)}`]);
  done.length = 0;
  await blobs.put(
    (async function* () {
      yield Buffer.from('hello');
    })(),
  );
  expect(done).toEqual([
    'sync blobs/part',
    `rename blobs/part to blobs/${name}`,
    `sync blobs/${hash.slice(0, 2)}`,
  ]);
});

test('[O10] deletes old leftovers of dead processes, and nothing else', async () => {
  const folder = await newFolder();
  const blobs = createFileBlobs(folder);
  await blobs.put('hello');
  const left = ['1-1.part', `${name}.1-1.part`, `${name}.1.away`, 'held/12.abc'];
  await disk.mkdir(path.join(folder, 'held'));
  for (const file of left) await disk.writeFile(path.join(folder, file), 'left');
  const files = async () =>
    (await disk.readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .toSorted();
  await blobs.clean({ before: Date.now() - 1000 });
  expect(await files()).toEqual(['1-1.part', name, `${name}.1-1.part`, `${name}.1.away`].toSorted());
  await blobs.clean({ before: Date.now() + 1000 });
  expect(await files()).toEqual([name]);
});

test('[O10] a blob that is deleted while it is put again is rewritten; any other failure is reported', async () => {
  const folder = await newFolder();
  await createFileBlobs(folder).put('hello');
  const failing = (code: string): BlobDisk => ({
    ...disk,
    utimes: () => Promise.reject(Object.assign(new Error(code), { code })),
  });
  expect(await createFileBlobs(folder, failing('ENOENT')).put('hello')).toBe(hash);
  await expect(createFileBlobs(folder, failing('EACCES')).put('hello')).rejects.toMatchObject({
    name: 'Fault',
    message: expect.stringContaining('Writing a blob') as string,
  });
});

test('[P1] a blob that was spoiled is none, and is put whole again', async () => {
  const folder = await newFolder();
  const blobs = createFileBlobs(folder);
  await blobs.put('hello');
  await disk.writeFile(path.join(folder, name), 'spoiled');
  expect(await blobs.get(hash)).toBeUndefined();
  expect(await blobs.put('hello')).toBe(hash);
  expect(await blobs.get(hash)).toBe('hello');
  expect(await blobs.get('../escape' as never)).toBeUndefined();
});

test('[P1] [O10] a process writes blobs beside the leftovers of another with its pid, and leaves them alone', async () => {
  const folder = await newFolder();
  const left = path.join(folder, `${process.pid}-1.part`);
  await disk.writeFile(left, 'hel');
  expect(await createFileBlobs(folder).put('hello')).toBe(hash);
  expect(await disk.readFile(left, 'utf8')).toBe('hel');
});

test('[O10] a blob that another process deletes during a listing is left out', async () => {
  const folder = await newFolder();
  const blobs = createFileBlobs(folder);
  const [kept, gone] = sameSubfolder();
  await blobs.put(kept);
  await blobs.put(gone);
  const listed: string[] = [];
  for await (const { hash: one } of blobs.list()) {
    listed.push(one);
    const other = one === blobHashOf(kept) ? blobHashOf(gone) : blobHashOf(kept);
    await disk.rm(fileOf(folder, other), { force: true });
  }
  expect(listed).toHaveLength(1);
});

/** Two contents whose files are in one subfolder, so that a listing reads both names at once. */
function sameSubfolder(): readonly [string, string] {
  const subfolder = hash.slice(0, 2);
  for (let number = 0; ; number += 1)
    if (blobHashOf(`${number}`).startsWith(subfolder)) return ['hello', `${number}`];
}
