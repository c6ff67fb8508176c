/**
 * Mermaid as an SVG image. Inside an image nothing runs and nothing is fetched, and its styles stay within, as the
 * page's policy demands. Loaded with the first diagram.
 */
import { renderMermaidSVG } from 'beautiful-mermaid';

const longest = 10_000;
const mostLines = 200;

/** Draws in the page's theme, because an image uses the color scheme of its element. */
const colors = `
  svg { --bg: #ffffff; --fg: #1a1b1e; background: none !important; }
  @media (prefers-color-scheme: dark) { svg { --bg: #16181b; --fg: #ececee; } }
  text { font-family: Inter, system-ui, sans-serif; }`;

/** Undefined if it isn't a diagram that can be drawn. */
export async function drawDiagram(source: string): Promise<HTMLImageElement | undefined> {
  if (source.length > longest || source.split('\n').length > mostLines) return undefined;
  let svg: string;
  try {
    svg = renderMermaidSVG(source, {});
  } catch {
    return undefined;
  }
  const own = svg
    .replaceAll(/@import [^;]+;/g, '')
    .replace(/(<svg[^>]*?) style="[^"]*"/, '$1')
    .replace('</style>', `${colors}</style>`);
  const address = URL.createObjectURL(new Blob([own], { type: 'image/svg+xml' }));
  const image = new Image();
  image.alt = `Diagram: ${source}`;
  image.src = address;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
}
