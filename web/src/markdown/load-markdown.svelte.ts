/** Loads Markdown and highlighting with the first text. Until then, the page shows plain text. */
type Render = (text: string) => DocumentFragment;

let render = $state.raw<Render>();
let loading: Promise<void> | undefined;

export function loadedMarkdown(): Render | undefined {
  return render;
}

export function loadMarkdown(): Promise<void> {
  loading ??= import('./decorated-markdown.ts').then(
    ({ decoratedMarkdown }) => void (render = decoratedMarkdown),
    // The server is away: the next text tries again.
    () => void (loading = undefined),
  );
  return loading;
}
