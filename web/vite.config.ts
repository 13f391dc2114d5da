// SPDX-License-Identifier: Apache-2.0
// Builds a page as one file: script and style inside, nothing to fetch. The program puts its data into it.
// --mode report: the page of `fathom report`; --mode slices: that of `fathom slices`; --mode what_if: that of `fathom simulate`;
// --mode application: that of `fathom apps --app`. --mode dashboard: that of `fathom serve`, in pieces, and all of them in one dashboard.pack.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { pack } from './vite_pack.ts';

/** Where the data goes; src/web/report_page.cpp looks for the same word. */
const dataMark = '@REPORT_DATA@';

/** Moves the built script and style into the page, and sees to it that nothing else is left to load. */
function singleFile(name: string): Plugin {
  return {
    name: 'fathom-single-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle[name];
      if (page?.type !== 'asset') throw new Error(`the build made no ${name}`);
      let html = String(page.source);
      for (const [file, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === 'chunk') {
          // Both can only stand in a string or a pattern of the code, where \x3c means the same.
          const code = part.code.replaceAll('</script', '\\x3c/script').replaceAll('<!--', '\\x3c!--');
          html = html.replace(new RegExp(`\\s*<script[^>]*src="[^"]*${file}"[^>]*></script>`), '');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else if (file.endsWith('.css')) {
          html = html.replace(new RegExp(`<link[^>]*href="[^"]*${file}"[^>]*>`), () => `<style>${part.source}</style>`);
        } else {
          throw new Error(`${file} would have to be loaded: one file is wanted`);
        }
        delete bundle[file];
      }
      if (html.split(dataMark).length !== 2) throw new Error(`${dataMark} must stand in the page exactly once`);
      page.source = html;
    },
  };
}

/** Puts LICENSES.md into the page (beside that of the dashboard), and sees to it that every package in the page is listed there. */
function licences(name: string): Plugin {
  const here = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  return {
    name: 'fathom-licences',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const list = here('LICENSES.md').replace(/<!--.*?-->\s*/gs, '');
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const [file, module] of Object.entries(part.modules)) {
          const used = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
          if (!used || module.renderedLength === 0) continue;
          const { version } = JSON.parse(here(`node_modules/${used}/package.json`)) as { version: string };
          if (!list.includes(`| ${used} ${version} |`)) throw new Error(`${used} ${version} is in the page but not in LICENSES.md`);
        }
      }
      if (name === 'dashboard.html') {
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source: list });
        return;
      }
      const page = bundle[name];
      if (page?.type !== 'asset') throw new Error(`the build made no ${name}`);
      page.source = String(page.source).replace('</html>', () => `<!--\n${list}-->\n</html>`);
    },
  };
}

/** `npm run dev` shows the pages with the sample data. */
function sampleData(): Plugin {
  return {
    name: 'fathom-sample-data',
    apply: 'serve',
    async transformIndexHtml(html, { filename }) {
      const data = filename.endsWith('slices.html') ? (await import('./tests/sample_slices.mjs')).sampleSlices()
        : filename.endsWith('what_if.html') ? (await import('./tests/sample_what_if.mjs')).sampleComparison()
        : filename.endsWith('application.html') ? (await import('./tests/sample_application.mjs')).sampleApplication()
        : (await import('./tests/sample.mjs')).sampleReport();
      return html.replace(dataMark, () => JSON.stringify(data).replaceAll('<', '\\u003c'));
    },
  };
}

/** `npx vite --mode dashboard` shows the dashboard with made-up answers, whatever the address. */
function sampleServer(): Plugin {
  return {
    name: 'fathom-sample-server',
    apply: 'serve',
    async configureServer(server) {
      const { answerApi, makeSettings } = await import('./tests/mock_api.mjs');
      const settings = makeSettings();
      const listeners = new Set<import('node:http').ServerResponse>();
      server.middlewares.use((request, response, next) => {
        if (request.url?.startsWith('/api/')) return void answerApi(settings, listeners, request, response);
        if (request.headers.accept?.includes('text/html')) request.url = '/dashboard.html';
        next();
      });
    },
  };
}

/** Vite's own modes mean the report. */
const pageOf = (mode: string) => (['slices', 'what_if', 'application'].includes(mode) ? `${mode}.html` : 'report.html');

const alias = { 'd3-geo': fileURLToPath(new URL('src/no_maps.ts', import.meta.url)) };
const checks = { bundlerTimings: false }; // how long it took on a busy machine is no warning

/** One file. */
const single = (page: string): UserConfig => ({
  plugins: [svelte(), licences(page), singleFile(page), sampleData()],
  resolve: { alias },
  build: {
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    emptyOutDir: false,
    rolldownOptions: { input: page, checks },
  },
});

/** Pieces that are loaded when their page is shown. */
const dashboard: UserConfig = {
  plugins: [svelte(), licences('dashboard.html'), pack(), sampleServer()],
  resolve: { alias },
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0, emptyOutDir: true, outDir: 'dist/dashboard', rolldownOptions: { input: 'dashboard.html', checks } },
};

export default defineConfig(({ mode }) => (mode === 'dashboard' ? dashboard : single(pageOf(mode))));
