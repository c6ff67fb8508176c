/** Pictures for a prompt: from the clipboard, through the desktop's own program, and from a file. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface DraftPicture {
  readonly mediaType: string;
  readonly base64: string;
}

const mostBytes = 8_000_000;
const replyMs = 3000;

/** The first program that answers with a picture. Undefined if none does. */
export async function clipboardPicture(platform: NodeJS.Platform): Promise<DraftPicture | undefined> {
  for (const [command, ...args] of programs[platform] ?? programs.linux ?? []) {
    const picture = pictureFrom(await outputOf(command ?? '', args));
    if (picture !== undefined) return picture;
  }
  return undefined;
}

/** Undefined if it isn't a picture that models take. */
export async function filePicture(file: string, cwd: string): Promise<DraftPicture | undefined> {
  const whole = path.resolve(cwd, file.replace(/^~(?=\/)/, os.homedir()));
  try {
    if ((await stat(whole)).size > mostBytes) return undefined;
    return pictureFrom(await readFile(whole));
  } catch {
    return undefined;
  }
}

const programs: Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>> = {
  linux: [
    ['wl-paste', '--no-newline', '--type', 'image/png'],
    ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
    // In WSL, the clipboard is that of Windows.
    ['powershell.exe', '-NoProfile', '-Command', windowsClipboard()],
  ],
  darwin: [['osascript', '-e', 'the clipboard as «class PNGf»']],
  win32: [['powershell', '-NoProfile', '-Command', windowsClipboard()]],
};

function windowsClipboard(): string {
  return 'Add-Type -AssemblyName System.Windows.Forms; $i=[Windows.Forms.Clipboard]::GetImage(); if($i){$m=New-Object IO.MemoryStream; $i.Save($m,[Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray())}';
}

function outputOf(command: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const options = { encoding: 'buffer', timeout: replyMs, maxBuffer: mostBytes * 2 } as const;
    execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : Buffer.alloc(0)));
  });
}

const kinds: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\u0089PNG\r\n/],
  ['image/jpeg', /^\u00FF\u00D8\u00FF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Raw bytes, base64 (PowerShell) or `«data PNGf…»` in hexadecimal (AppleScript). */
export function pictureFrom(output: Buffer): DraftPicture | undefined {
  const start = output.subarray(0, 16).toString('latin1');
  if (start.startsWith('iVBOR')) return pictureFrom(Buffer.from(output.toString('latin1').trim(), 'base64'));
  const [, hex] = start.startsWith('\u00C2\u00ABdata')
    ? (/PNGf([0-9A-F]+)/.exec(output.toString('latin1')) ?? [])
    : [];
  if (hex !== undefined) return pictureFrom(Buffer.from(hex, 'hex'));
  const mediaType = kinds.find(([, shape]) => shape.test(start))?.[0];
  if (mediaType === undefined || output.length > mostBytes) return undefined;
  return { mediaType, base64: output.toString('base64') };
}
