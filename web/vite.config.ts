import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build as bundle } from 'esbuild';
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
    thirdPartyNotices(),
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
      input: { app: path.join(root, 'index.html') },
      // One file for the first screen. Chromium drops module preloads on a page that a service worker controls, with a
      // warning for each.
      output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
    },
  },
});

/**
 * Builds the service worker as one plain script, because not every browser loads modules there, and inserts the files
 * of the first screen: the page, its script, what that imports, and its styles.
 */
function shellOfServiceWorker(): Plugin {
  return {
    name: 'shell-of-service-worker',
    enforce: 'post',
    async generateBundle(_, files) {
      const shell = new Set(['/', '/theme.js', '/icon.svg', '/manifest.webmanifest']);
      const take = (name: string): void => {
        const chunk = files[name];
        if (chunk?.type !== 'chunk' || shell.has(`/${name}`)) return;
        shell.add(`/${name}`);
        for (const style of chunk.viteMetadata?.importedCss ?? []) shell.add(`/${style}`);
        for (const imported of chunk.imports) take(imported);
      };
      for (const chunk of Object.values(files)) {
        if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'app') take(chunk.fileName);
      }
      const built = await bundle({
        entryPoints: [path.join(root, 'src/service-worker/service-worker.ts')],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
      });
      const source = (built.outputFiles[0]?.text ?? '').replace('__RONDO_SHELL__', [...shell].join(','));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

/** Writes the licences of all packages in the bundle beside it, because minifying removes them. */
function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    generateBundle(_, files) {
      const modules = Object.values(files).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(
        modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []),
      );
      const notices = [...folders].toSorted().map((folder) => {
        const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Readonly<
          Record<'name' | 'version' | 'license', string>
        >;
        const [file] = globSync('{LICENSE,LICENCE,license,COPYING}*', { cwd: folder });
        const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
        const source = `Unmodified. Source: npm package ${about.name}, version ${about.version}`;
        return `${about.name} ${about.version} (${about.license})\n${source}\n\n${text}\n`;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'third-party-notices.txt',
        source: notices.join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}
