import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The pages go into the package; the server gives them out under a policy that allows nothing inline. */
export default defineConfig({
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
