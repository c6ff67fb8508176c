interface Toast {
  readonly id: number;
  readonly tone: 'bad' | 'good' | 'plain';
  readonly title: string;
  readonly text?: string;
  readonly path?: string;
  readonly act?: { readonly text: string; readonly run: () => void };
}

export interface Toasts {
  readonly shown: readonly Toast[];
  add(toast: Omit<Toast, 'id'>): void;
  remove(id: number): void;
}

const most = 4;

/** Errors stay until dismissed. */
export function createToasts(): Toasts {
  let shown = $state.raw<readonly Toast[]>([]);
  let count = 0;
  const remove = (id: number) => (shown = shown.filter((toast) => toast.id !== id));
  return {
    get shown() {
      return shown;
    },
    add(toast) {
      count += 1;
      const id = count;
      shown = [...shown, { ...toast, id }].slice(-most);
      setTimeout(() => remove(id), toast.tone === 'bad' ? 20_000 : 6000);
    },
    remove,
  };
}
