import { svelte } from '@sveltejs/vite-plugin-svelte'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

const ADDRESS = process.env.PITBOSS_ADDRESS ?? 'http://127.0.0.1:8000'

// The server sends these as they are, so that nothing is compressed while somebody waits.
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const source = file.type === 'chunk' ? file.code : file.source
        const bytes = Buffer.from(source)
        if (bytes.length < 1024 || /\.(png|woff2)$/.test(file.fileName)) continue
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(bytes, { level: 9 }) })
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
