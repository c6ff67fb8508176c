import path from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;

/** What a component's author is warned of breaks the build. */
export default defineConfig({
  root,
  base: '/',
  logLevel: 'warn',
  plugins: [
    svelte({
      configFile: false,
      compilerOptions: { runes: true },
      onwarn({ code, message, filename }) {
        throw new Error(`${path.relative(root, filename ?? '')}: ${message} (${code})`);
      },
    }),
    shellOfServiceWorker(),
  ],
  build: {
    outDir: path.join(root, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { app: path.join(root, 'index.html'), sw: path.join(root, 'src/service-worker/service-worker.ts') },
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});

/** Tells the service worker which files the first screen takes: the page, its script, what that imports, and its styles. */
function shellOfServiceWorker(): Plugin {
  return {
    name: 'shell-of-service-worker',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = new Set(['/', '/theme.js', '/icon.svg', '/manifest.webmanifest']);
      const take = (name: string): void => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || files.has(`/${name}`)) return;
        files.add(`/${name}`);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(`/${style}`);
        for (const imported of chunk.imports) take(imported);
      };
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'app') take(chunk.fileName);
      }
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('There is no service worker in the bundle.');
      worker.code = worker.code.replace('__RONDO_SHELL__', [...files].join(','));
    },
  };
}
