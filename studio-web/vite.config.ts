// How the browser app is built: into `dist`, with relative addresses, and nothing from outside.
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  base: './',
  plugins: [vue(), withoutStudio()],
  define: { __VUE_OPTIONS_API__: 'false' },
  server: { host: '127.0.0.1', strictPort: true },
  build: { outDir: '../dist/studio-web', emptyOutDir: true, modulePreload: false },
});

/** The development server has no Studio behind it: says so, in the envelope, instead of answering with the page. */
function withoutStudio(): Plugin {
  const message = 'No Studio runs behind this page: it is the frame of the app alone.';
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
