import { mount } from 'svelte';

import './look/tokens.css';
import './look/base.css';
import './look/parts.css';
import App from './shell/app.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the app.');
mount(App, { target });

/** The policy that allows the service worker's URL under Trusted Types. */
interface ScriptTrust {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(given: string): string };
}
const { trustedTypes } = globalThis as { readonly trustedTypes?: ScriptTrust };
const worker =
  trustedTypes?.createPolicy('rondo', { createScriptURL: () => '/sw.js' }).createScriptURL('') ?? '/sw.js';
// Optional: without a service worker, the app only fails to open while the server is down.
if ('serviceWorker' in navigator) navigator.serviceWorker.register(worker).catch(() => undefined);
