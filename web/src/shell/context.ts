import { createContext } from 'svelte';

import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import type { Router } from './router.svelte.ts';

/** Context available to all screens: the app's state and its router. */
export const [useApp, provideApp] = createContext<RondoApp>();
export const [useRouter, provideRouter] = createContext<Router>();
