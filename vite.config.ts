// How the browser's half is built: file routes, React, the installable app with its own service worker (pwa.md §1.3).
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/** Paths whose page can be fetched beside the entry, and the file that holds the page. */
const PAGES: Record<string, string> = {
  '/': '/landing/LandingPage.tsx',
  '/login': '/session/LoginPage.tsx',
  '/dashboard': '/dashboard/DashboardPage.tsx',
  '/signals': '/signal/SignalsPage.tsx',
  '/strategies': '/strategy/StrategyListPage.tsx',
}

/** The frame around every page but the first two. */
const FRAME = '/shell/Shell.tsx'

/**
 * Two things for a first visit on a slow line. The page's own chunk is asked for while the entry still loads (the inline
 * script of index.html reads the map), and stylesheets stand after the skeleton: in the head they would hold back its paint.
 */
function firstVisit(): Plugin {
  return {
    name: 'first-visit',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const chunks = Object.values(bundle ?? {}).filter((part) => part.type === 'chunk')
        const entry = new Set(
          chunks.filter((chunk) => chunk.isEntry).flatMap((chunk) => [chunk.fileName, ...chunk.imports]),
        )
        const early: Record<string, string[]> = {}
        const filesOf = (module: string) => {
          const chunk = chunks.find((one) => one.moduleIds.some((id) => id.endsWith(module)))
          return chunk ? [chunk.fileName, ...chunk.imports].filter((file) => !entry.has(file)) : []
        }
        for (const [path, page] of Object.entries(PAGES)) {
          const frame = page.includes('/landing/') || page.includes('/session/') ? [] : filesOf(FRAME)
          early[path] = [...new Set([...frame, ...filesOf(page)])]
        }
        const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        let out = html.replace('__EARLY__', JSON.stringify(early).replaceAll('"', "'"))
        for (const sheet of sheets) out = out.replace(sheet, '')
        return out.replace('</body>', `${sheets.join('')}</body>`)
      },
    },
  }
}

export default defineConfig({
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // the parts in one file instead of forty: fewer requests on the first visit, afterwards all is precached
            // what many screens share of our own, in one file: on a slow line a request costs more than its bytes
            {
              name: 'shared',
              test: /\/(contract|trading|src\/(data|state|text|features\/shell))\//,
              minShareCount: 8,
            },
            { name: 'ui', test: /\/src\/ui\/(?!toast|mantine|theme)/, minShareCount: 5 },
            // the rest of the parts that lazy pages share
            {
              name: 'parts',
              test: /\/src\/ui\/(?!toast|mantine|theme)/,
              minShareCount: 2,
            },
            {
              name: 'vendor',
              test: /\/node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)|valtio|proxy-compare|ky|zod|jwt-decode)\//,
            },
          ],
        },
      },
    },
  },
  plugins: [
    // must stand before react(): it writes the route tree and splits the routes into chunks
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      routeFileIgnorePattern: '\\.css$',
    }),
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest: false, // public/manifest.webmanifest
      // screenshots and the big icons are for the install sheet, not for the offline copy
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['**/*.{js,css,html}', 'favicon.svg', 'icons/icon-192.png'],
      },
    }),
    firstVisit(),
  ],
})
