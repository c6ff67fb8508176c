/** Opens a file of the session in its pane, from anywhere in its screen. */
import { createContext } from 'svelte';

export interface FileView {
  /** Undefined where files can't be shown, such as in an imported session without a folder. */
  readonly open: ((path: string) => void) | undefined;
}

export const [useFileView, provideFileView] = createContext<FileView>();
