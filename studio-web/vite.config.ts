// Builds the browser app into `dist`, with relative URLs and no external resources.
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  base: './',
  plugins: [vue(), withoutStudio()],
  define: { __VUE_OPTIONS_API__: 'false' },
  server: { host: '127.0.0.1', strictPort: true },
  build: { outDir: '../dist/studio-web', emptyOutDir: true, modulePreload: false },
});

/** The Vite dev server has no Studio behind it: API calls get an error envelope that says so, not the page. */
function withoutStudio(): Plugin {
  const message = 'There is no Studio behind the Vite dev server. Run svc dev to use the app.';
  const body = JSON.stringify({
    error: { message, type: 'server_error', code: 'studio_unreachable', param: null },
  });
  return {
    name: 'without-studio',
    configureServer: server => {
      server.middlewares.use('/api', (_, response) => {
        response.writeHead(502, { 'content-type': 'application/json' }).end(body);
      });
    },
  };
}
