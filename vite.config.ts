// How the browser's half is built: file routes, React, the installable app with its own service worker (pwa.md §1.3).
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/** Lets the landing page's chunk load beside the entry instead of after it. */
function preloadLanding(): Plugin {
  return {
    name: 'preload-landing',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const route = Object.values(bundle ?? {}).find(
          (part) =>
            part.type === 'chunk' && part.moduleIds.some((id) => id.endsWith('/landing/LandingPage.tsx')),
        )
        if (!route) return []
        return [
          {
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${route.fileName}` },
            injectTo: 'head' as const,
          },
        ]
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
            { name: 'ui', test: /\/src\/ui\/(?!toast|mantine|theme)/, minShareCount: 5 },
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
    preloadLanding(),
  ],
})
