import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

const ADDRESS = process.env.PITBOSS_ADDRESS ?? 'http://127.0.0.1:8000'

// The server sends these as they are, so that nothing is compressed while somebody waits. Written last: the bundler
// still changes its files when they are generated. Typefaces are compressed already.
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => !name.endsWith('.woff2'))) {
        const bytes = readFileSync(join(dir!, name))
        if (bytes.length >= 1024) writeFileSync(join(dir!, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  plugins: [svelte(), compressed()],
  build: {
    outDir: '../src/pitboss/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: { proxy: { '/api': { target: ADDRESS, ws: true, changeOrigin: true }, '/links': { target: ADDRESS, changeOrigin: true } } },
})
