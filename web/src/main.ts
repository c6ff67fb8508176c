import { mount } from 'svelte';

import './look/tokens.css';
import './look/base.css';
import App from './shell/app.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the app.');
mount(App, { target });

/** Where scripts must be trusted by name, this is the one that is. */
interface ScriptTrust {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(given: string): string };
}
const { trustedTypes } = globalThis as { readonly trustedTypes?: ScriptTrust };
const worker =
  trustedTypes?.createPolicy('rondo', { createScriptURL: () => '/sw.js' }).createScriptURL('') ?? '/sw.js';
// Without it the app works as well; it only does not open while the server is away.
if ('serviceWorker' in navigator) navigator.serviceWorker.register(worker).catch(() => undefined);
