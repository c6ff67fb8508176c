import { createContext } from 'svelte';

import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import type { Router } from './router.svelte.ts';

/** What screens find without being handed it: the app's state and where it is. */
export const [useApp, provideApp] = createContext<RondoApp>();
export const [useRouter, provideRouter] = createContext<Router>();
