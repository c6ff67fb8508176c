/** TeX as MathML, which browsers draw themselves: no styles, no fonts. Loaded with the first formula. */
import DOMPurify from 'dompurify';
import temml from 'temml';

const longest = 4_000;

/** Undefined if it isn't valid. Attributes that style or link are removed. */
export function drawMath(tex: string, { isBlock }: { readonly isBlock: boolean }): DocumentFragment | undefined {
  if (tex.length > longest) return undefined;
  let html: string;
  try {
    html = temml.renderToString(tex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [20, 20],
    });
  } catch {
    return undefined;
  }
  // The parser already complains about styles that the policy refuses, so they go before the sanitizer sees them.
  return DOMPurify.sanitize(html.replaceAll(/ style="[^"]*"/g, ''), {
    USE_PROFILES: { mathMl: true },
    FORBID_ATTR: ['style', 'href', 'xlink:href', 'class', 'id'],
    RETURN_DOM_FRAGMENT: true,
  });
}
