/** Markdown and its colours are loaded when the first text is shown; until then it stands there as it is. */
type Render = (text: string) => DocumentFragment;

let render = $state.raw<Render>();
let loading: Promise<void> | undefined;

export function loadedMarkdown(): Render | undefined {
  return render;
}

export function loadMarkdown(): Promise<void> {
  loading ??= import('./decorated-markdown.ts').then(({ decoratedMarkdown }) => {
    render = decoratedMarkdown;
  });
  return loading;
}
