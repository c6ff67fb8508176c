/** Keeps text readable on a background that the terminal reports, whatever theme the user chose for it. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

const least = 4.5;

export function rgbOf(hex: string): Rgb {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16);
  return { r: at(1), g: at(3), b: at(5) };
}

export function isLight(ground: Rgb): boolean {
  return luminance(ground) > 0.35;
}

export function contrastOf(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Lightens or darkens a color step by step until it reads well on the ground. */
export function readableOn(ground: Rgb, ink: Rgb): Rgb {
  const towards = isLight(ground) ? 0 : 255;
  let shown = ink;
  for (let step = 0; step < 20 && contrastOf(shown, ground) < least; step += 1) {
    const nearer = (value: number) => Math.round(value + (towards - value) * 0.12);
    shown = { r: nearer(shown.r), g: nearer(shown.g), b: nearer(shown.b) };
  }
  return shown;
}

function luminance({ r, g, b }: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
