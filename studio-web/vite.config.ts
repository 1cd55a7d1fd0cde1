// How the browser app is built: into `dist`, with relative addresses, and nothing from outside.
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [vue()],
  define: { __VUE_OPTIONS_API__: 'false' },
  server: { host: '127.0.0.1' },
  build: { outDir: '../dist/studio-web', emptyOutDir: true },
});
