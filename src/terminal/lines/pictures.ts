/**
 * Pictures of the conversation in terminals with kitty's graphics protocol. Others show their size instead.
 *
 * Only lines that come from here may carry such a sequence to the screen: text from elsewhere is made safe.
 */
import { allocateImageId, getCapabilities, getImageDimensions, renderImage } from '@earendil-works/pi-tui';

interface DrawnPicture {
  /** Stays the same while the picture does. */
  readonly key: string;
  readonly mediaType: string;
  readonly base64: string;
}

export interface Pictures {
  /** A picture of at most twelve rows. Undefined if this terminal can't show it. */
  lines(picture: DrawnPicture, width: number): readonly string[] | undefined;
  isOwn(line: string): boolean;
}

const mostRows = 12;
const mostColumns = 60;
const mostCharacters = 8_000_000;

export function createPictures(canDraw: () => boolean = () => getCapabilities().images === 'kitty'): Pictures {
  const drawn = new Map<string, { readonly width: number; readonly lines: readonly string[] }>();
  const ids = new Map<string, number>();
  const own = new Set<string>();

  return {
    lines({ key, mediaType, base64 }, width) {
      // The protocol takes PNG only.
      if (mediaType !== 'image/png' || base64.length > mostCharacters || !isBase64.test(base64)) return undefined;
      const known = drawn.get(key);
      if (known?.width === width) return known.lines;
      const size = getImageDimensions(base64, mediaType);
      if (size === null || !canDraw()) return undefined;
      const imageId = ids.get(key) ?? allocateImageId();
      ids.set(key, imageId);
      const picture = renderImage(base64, size, {
        maxWidthCells: Math.max(1, Math.min(width - 4, mostColumns)),
        maxHeightCells: mostRows,
        imageId,
        moveCursor: false,
      });
      if (picture === null) return undefined;
      const first = `  ${picture.sequence}`;
      const lines = [first, ...Array.from({ length: picture.rows - 1 }, () => '')];
      if (known !== undefined) own.delete(known.lines[0] ?? '');
      own.add(first);
      drawn.set(key, { width, lines });
      return lines;
    },
    isOwn: (line) => own.has(line),
  };
}

const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/;
