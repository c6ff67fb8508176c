/** Recognizes paths and files among the words of a text. */
const extensions =
  'ts tsx mts cts js jsx mjs cjs json jsonc json5 yaml yml toml md mdx txt py pyi rb go rs java kt kts c h cc cpp cxx hpp cs php swift sh bash zsh fish sql html htm css scss sass less vue svelte astro lock log ini env xml csv tsv cfg conf gradle proto graphql gql ex exs erl hs ml scala clj lua r jl dart tf hcl bat ps1 mg ipynb svg png jpg pdf zip map snap';
const extension = new Set(extensions.split(' '));
const products = new Set(
  'node.js next.js vue.js nuxt.js three.js express.js react.js d3.js nest.js p5.js chart.js'.split(' '),
);
const wholeNames = new Set(
  'makefile dockerfile gemfile rakefile procfile jenkinsfile vagrantfile justfile license readme changelog codeowners'.split(
    ' ',
  ),
);
const slashed = new Set(
  'async/await and/or he/she read/write input/output client/server ci/cd tcp/ip true/false yes/no on/off i/o w/o 24/7 either/or frontend/backend key/value drag/drop pass/fail'.split(
    ' ',
  ),
);

/** Returns paths in text order. Quotes around a path aren't part of it. A quoted path may contain spaces. */
export function findPaths(text: string): readonly string[] {
  const paths: string[] = [];
  const shape = /"([^"\n]+)"|`([^`\n]+)`|(?<!\w)'([^'\n]+)'(?!\w)|([^\s"'`,;()]+)/g;
  for (const [, double, tick, single, bare] of text.matchAll(shape)) {
    const quoted = double ?? tick ?? single;
    const word = quoted ?? (bare ?? '').replace(/[.,;:!?]+$/, '');
    if (quoted === undefined ? isPath(word) : isQuotedPath(word)) paths.push(word);
  }
  return paths;
}

export function isTestPath(path: string): boolean {
  return /(?:^|[/\\])(?:tests?|specs?|__tests__)[/\\]|(?:[._-]|^)(?:test|spec)s?[._-]/i.test(path);
}

/** True if the last part looks like a file name. */
export function isFile(path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return isFileName(name.replace(/:\d+(?:[:-]\d+)?$/, ''));
}

function isPath(word: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word) || (word.startsWith('/') && !/^\/\w[\w.-]*\//.test(word)))
    return false;
  if (/^[A-Za-z]:\\/.test(word)) return true;
  const plain = word.replace(/:\d+(?:[:-]\d+)?$/, '');
  if (plain.includes('/'))
    return !slashed.has(plain.toLowerCase()) && /^[~.@\w/+-][\w./@+~*-]*$/.test(plain) && /\w/.test(plain);
  return isFileName(plain);
}

function isQuotedPath(text: string): boolean {
  if (/\s/.test(text)) return /^[\w./~-][\w ./~-]*$/.test(text) && text.includes('/') && isFile(text);
  return isPath(text);
}

function isFileName(name: string): boolean {
  const lower = name.toLowerCase();
  if (wholeNames.has(lower)) return name !== lower || lower === 'makefile' || lower === 'dockerfile';
  if (products.has(lower)) return false;
  if (/^\.[a-z][\w.-]*$/i.test(name)) return true;
  const match = /^[\w@+-][\w.@+-]*\.([A-Za-z]\w*)$/.exec(name);
  return match !== null && extension.has((match[1] ?? '').toLowerCase());
}
