/**
 * The target of a request: a file after "in", a quoted file, a path, a named symbol, quoted text, otherwise
 * nothing.
 */
import type { Target } from '../words/intent.ts';
import { findPaths, isFile } from './paths.ts';

export function findTarget(text: string): Target | undefined {
  const plain = text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  const paths = findPaths(plain);
  const files = paths.filter(isFile);
  const afterIn = files.find((file) =>
    new RegExp(`\\bin\\s+(?:the\\s+)?(?:file\\s+)?["'\`]?${escape(file)}`, 'i').test(plain),
  );
  const quoted = files.find((file) => new RegExp(`["'\`]${escape(file)}["'\`]`).test(plain));
  const file = afterIn ?? quoted;
  if (file !== undefined) return { type: 'file', text: file };
  const [path] = paths;
  if (path !== undefined) return { type: isFile(path) ? 'file' : 'path', text: path };
  const symbol = findSymbol(plain);
  if (symbol !== undefined) return { type: 'symbol', text: symbol };
  const quotation = /"([^"\n]+)"|`([^`\n]+)`|(?<!\w)'([^'\n]+)'(?!\w)/.exec(plain);
  const words = quotation?.[1] ?? quotation?.[2] ?? quotation?.[3];
  return words === undefined ? undefined : { type: 'text', text: words };
}

/** Product names that look like identifiers but aren't. */
const products: ReadonlySet<string> = new Set(
  'typescript javascript github gitlab postgresql mongodb mysql graphql websocket websockets openai nodejs eslint coffeescript sqlite fastapi dynamodb latex oauth oauth2 ios macos ipados jetbrains vscode devops iphone ipad youtube linkedin paypal bigquery kubernetes powershell'.split(
    ' ',
  ),
);
const languages: ReadonlySet<string> = new Set(
  'Python Go Rust Java Ruby Kotlin Swift German French English Spanish Redis React Docker Prettier Monday Friday'.split(
    ' ',
  ),
);

function findSymbol(text: string): string | undefined {
  const outside = text.replaceAll(/"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)/g, ' ');
  const ticked = /`([A-Za-z_$][\w$.]*)(?:\(\))?`/.exec(text)?.[1];
  if (ticked !== undefined) return ticked;
  const called = /(?<![\w/])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\(\)/.exec(outside)?.[1];
  if (called !== undefined) return called;
  const shape =
    /(?<![\w/.-])(?:[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w*[A-Za-z0-9]_[A-Za-z0-9]\w*|#\d+|@[\w-]+\/[\w-]+)(?![\w/])/g;
  for (const [word] of outside.matchAll(shape)) if (!products.has(word.toLowerCase())) return word;
  const kind =
    /(?<!\b(?:this|that|which|what|each|every|same) )\b(?:function|method|class|variable|constant|interface|hook|struct|enum|symbol)\s+([A-Za-z_$][\w$]*)/.exec(
      outside,
    )?.[1];
  if (
    kind !== undefined &&
    !/^(?:that|to|in|for|from|of|and|with|which|called|named|is|on|as|a|the|this|into|it)$/i.test(kind)
  )
    return kind;
  const named =
    /(?:^|[,;.]\s*|\b(?:first|then|please|and)\s+)(?:explain|refactor|test|fix|review|document|describe|rename|remove|delete|simplify|optimi[sz]e|debug)\s+([A-Z][a-z]\w+)\b(?!\s+[A-Z])/.exec(
      outside,
    )?.[1];
  return named !== undefined && !languages.has(named) && !products.has(named.toLowerCase()) ? named : undefined;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
